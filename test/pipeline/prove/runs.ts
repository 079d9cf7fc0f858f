/** Runs of tests and what came of them, for tests that run nothing. */
import type { Reproduction, TestRun } from '../../../src/domain/reproduction.ts'

export const failure = {
  name: 'half of six',
  message: 'expected 2 to be 3',
  details: 'expected 2 to be 3\n    at src/half.js:1:30',
}

/** Of the one test of a file. */
export function aRun(status: TestRun['status'], more: Partial<TestRun> = {}): TestRun {
  return {
    status,
    why: status === 'broken' ? 'node:test wrote no report' : '',
    failures: status === 'failed' ? [failure] : [],
    passed: status === 'passed' ? [failure.name] : [],
    output: '',
    ...more,
  }
}

export function reproductionOf(
  outcome: Reproduction['outcome'],
  more: Partial<Reproduction> = {},
): Reproduction {
  return {
    finding: 'C1',
    outcome,
    why: 'it fails on the head as predicted',
    framework: 'node:test',
    test: { path: 'test/shows.test.js', text: 'half(6)' },
    because: 'half(6) is 2',
    predicted: 'expected 2 to be 3',
    command: ['node', '--test', 'test/shows.test.js'],
    head: null,
    base: null,
    tries: 1,
    ...more,
  }
}
