/** The formats in which cases are written down. */
import { expect, test } from 'vitest'
import type { EvaluationError } from '../../evals/base/errors.ts'
import { writeCase } from '../../evals/cases/formats/own.ts'
import { parseCases } from '../../evals/cases/read-cases.ts'
import { caseOf, faultAt, placeAt } from './case-of.ts'

const line = (record: object) => parseCases(JSON.stringify(record), 'set.jsonl')[0]

test('our own lines, read and written again', () => {
  const one = caseOf({
    expected: [
      faultAt(placeAt('a.ts', 3, 5), {
        also: [placeAt('b.ts', 1, 1, 'left')],
        severity: 'high',
        context: 'repo',
        description: 'x',
      }),
    ],
    rejected: [faultAt(null, { description: 'wrong to say' })],
    twin: 'clean/one',
  })
  expect(parseCases(writeCase(one), 'set.jsonl')).toEqual([one])
})

test('a list of mined or annotated changes, without what a reviewer must not see', () => {
  const read = line({
    id: 'mined/x',
    repo: 'o/n',
    base: 'b1',
    head: 'h1',
    kind: 'bug-introducing-commit',
    fix_commit: 'f1',
    fix_message: 'mends it',
    expected: [
      {
        file: 'a.c',
        start_line: 7,
        end_line: 7,
        side: 'right',
        severity: null,
        category: 'correctness',
        description: 'd',
        context: null,
      },
    ],
    rejected: [],
  })
  expect(read?.kind).toBe('fault')
  expect(read?.expected[0]?.place).toEqual(placeAt('a.c', 7))
  expect(JSON.stringify(read)).not.toContain('f1')
  expect(JSON.stringify(read)).not.toContain('mends it')
})

test('annotated pull requests as they are published', () => {
  const read = line({
    githubPrUrl: 'https://github.com/o/n/pull/12',
    source_commit: 'h',
    target_commit: 'b',
    project_main_language: 'Go',
    comments: [
      {
        path: 'a.go',
        side: 'right',
        from_line: 4,
        to_line: 6,
        note: 'leaks',
        category: 'Code Defect',
        context: 'Repo Level',
        is_ai_comment: false,
      },
      {
        path: 'a.go',
        side: 'left',
        from_line: null,
        to_line: 9,
        note: 'no',
        category: 'Performance Issue',
        context: 'Diff Level',
        valid: false,
      },
    ],
  })
  expect(read).toMatchObject({
    id: 'aacr/o/n#12',
    repo: 'o/n',
    url: 'https://github.com/o/n.git',
    base: 'b',
    head: 'h',
    language: 'Go',
  })
  expect(read?.expected).toEqual([faultAt(placeAt('a.go', 4, 6), { description: 'leaks', context: 'repo' })])
  expect(read?.rejected[0]).toMatchObject({
    place: placeAt('a.go', 9, 9, 'left'),
    category: 'performance',
    context: 'diff',
  })
})

test('golden comments have no lines, and need commits', () => {
  const golden = {
    pr_title: 't',
    url: 'https://github.com/o/n/pull/3',
    comments: [{ comment: 'races', severity: 'High' }],
  }
  expect(line({ ...golden, base: 'b', head: 'h' })?.expected).toEqual([
    faultAt(null, { description: 'races', severity: 'high', category: null }),
  ])
  expect(() => line(golden)).toThrow(/need `base` and `head`/)
  expect(line({ ...golden, base: 'b', head: 'h', comments: [] })?.kind).toBe('clean')
})

test('pull requests that passed as they were are clean', () => {
  const pull = { instance_id: 'o__n-1', repo: 'o/n', base_commit: 'b', head_commit: 'h' }
  expect(line(pull)?.kind).toBe('clean')
  expect(line({ ...pull, change_points: [{ description: 'handle None' }] })?.kind).toBe('fault')
})

test('plain lines', () => {
  const read = line({
    repo: 'o/n',
    base: 'b',
    head: 'abcdef0123456789',
    expected: ['src/a.ts:12', 'b:c.ts:3-9'],
  })
  expect(read?.id).toBe('o/n@abcdef012345')
  expect(read?.expected.map(({ place }) => place)).toEqual([placeAt('src/a.ts', 12), placeAt('b:c.ts', 3, 9)])
  expect(line({ repo: 'o/n', base: 'b', head: 'h', expected: [] })?.kind).toBe('clean')
})

test('what is wrong is told with its line', () => {
  const good = { repo: 'o/n', base: 'b', head: 'h', expected: ['a:1'] }
  const text = [good, good, { ...good, head: 'h2', expected: ['a'] }, { x: 1 }]
    .map((one) => JSON.stringify(one))
    .join('\n')
  const failure = failureOf(() => parseCases(text, 'set.jsonl'))
  expect(failure.code).toBe('cases-invalid')
  expect(failure.message).toContain('set.jsonl:2: the id o/n@h occurs twice')
  expect(failure.message).toContain('set.jsonl:3: `a` is not PATH:LINE')
  expect(failure.message).toContain('set.jsonl:4: it is of no known format')
  expect(failureOf(() => parseCases('{', 'set.jsonl')).message).toContain('set.jsonl:1: it is not JSON')
  expect(failureOf(() => parseCases('\n', 'set.jsonl')).message).toContain('holds no case')
})

function failureOf(run: () => unknown): EvaluationError {
  try {
    run()
  } catch (error) {
    return error as EvaluationError
  }
  throw new Error('nothing was thrown')
}
