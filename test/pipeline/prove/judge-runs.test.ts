/** Code alone says whether runs show a finding: everything that is missing has a name, and nothing that is missing counts. */
import { expect, test } from 'vitest'
import { type JudgedRuns, whyNotReproduced, whyNotRun } from '../../../src/pipeline/prove/judge-runs.ts'
import { aRun, failure } from './runs.ts'

const failed = aRun('failed')
const passed = aRun('passed')
const good: JudgedRuns = {
  finding: { anchor: { path: 'src/half.js', tags: [] }, startLine: 1, endLine: 1 },
  test: 'assert.equal(half(6), 3)',
  predicted: 'Expected 2  to be 3',
  symbols: ['half'],
  head: [failed, failed],
  base: [passed, passed],
}

test('it fails on the head as predicted and passes on the base', () => {
  expect(whyNotReproduced(good)).toBe(null)
  expect(whyNotReproduced({ ...good, base: null })).toBe(null)
})

test('the stack reaches a cited line although the test names nothing', () => {
  const far = { ...good, symbols: [], test: 'works()' }
  expect(whyNotReproduced(far)).toBe(null)
  const elsewhere = { anchor: { path: 'src/other.js', tags: [] }, startLine: 1, endLine: 1 }
  expect(whyNotReproduced({ ...far, finding: elsewhere })).toContain('reaches the code')
  expect(whyNotReproduced({ ...far, finding: { ...good.finding, startLine: 2, endLine: 9 } })).toContain(
    'reaches the code',
  )
})

const otherwise = aRun('failed', { failures: [{ ...failure, name: 'another' }] })

test.each<[string, Partial<JudgedRuns>]>([
  ['on the head, node:test wrote no report', { head: [failed, aRun('broken')] }],
  ['passes on the head', { head: [] }],
  ['passes on the head', { head: [failed, passed] }],
  ['the same way each time', { head: [failed, otherwise] }],
  ['another reason', { predicted: 'is not a function' }],
  ['another reason', { predicted: 'to be' }],
  ['on the base, node:test wrote no report', { base: [passed, aRun('broken')] }],
  ['fails on the base too', { base: [passed, failed] }],
  ['another test passes', { base: [aRun('passed', { passed: ['another'] })] }],
])('%s', (why, changed) => {
  expect(whyNotReproduced({ ...good, ...changed })).toContain(why)
})

test('numbers and addresses in a message may differ from run to run', () => {
  const took = (ms: number, address: string) => {
    const message = `expected 2 to be 3 after ${ms} ms at <Store object at 0x${address}>`
    return aRun('failed', { failures: [{ ...failure, message }] })
  }
  const head = [took(7, '7fe8a8d2fb90'), took(12, 'fa09c1')]
  expect(whyNotReproduced({ ...good, head })).toBe(null)
})

test.each([
  "import { readFileSync } from 'node:fs'",
  "const { execSync } = require('child_process')",
  'if (process.env.CI) fail()',
  'open("src/half.py").read()',
  'import inspect',
  'import "os/exec"',
  'std::env::var("CI")',
  'include_str!("../src/lib.rs")',
  'java.nio.file.Files.readString(path)',
  'half.toString().includes("/ 3")',
])('a test that could tell the sides apart without running the code is not run: %s', (test) => {
  expect(whyNotRun(test)).toContain('could tell the two sides apart')
})

test('what tests need may be used', () => {
  expect(whyNotRun("process.on('warning', seen)\nassert.equal(half(6), 3)")).toBe(null)
})
