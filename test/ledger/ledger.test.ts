/** Findings are known again by their words, wherever these are now. */
import { expect, test } from 'vitest'
import { hashLines, locate } from '../../src/ledger/locate.ts'
import { matchRecords } from '../../src/ledger/match.ts'
import { type FindingRecord, lineHash, recordsOf } from '../../src/ledger/record.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

/** As an earlier version recorded it: nothing is known of the code around. */
function record(overrides: Partial<FindingRecord> = {}): FindingRecord {
  const [first] = recordsOf([sampleFinding()])
  if (!first) throw new Error('one finding has one record')
  const { code: _code, ...rest } = first
  return { ...rest, ...overrides }
}

function match(
  earlier: FindingRecord[],
  now: FindingRecord[],
  lineNow = (one: FindingRecord): number | null => one.line,
) {
  return [...matchRecords({ earlier, now, lineNow, pathNow: (path) => path })]
}

test('findings of one fingerprint keep distinct ids', () => {
  const ids = recordsOf([sampleFinding(), sampleFinding(), sampleFinding()]).map(({ id }) => id)
  expect(ids).toEqual(['f'.repeat(16), `${'f'.repeat(16)}-2`, `${'f'.repeat(16)}-3`])
})

test('words are found whatever their indentation; of several places, the one with the same neighbours', () => {
  const one = record({
    line: 2,
    lines: [lineHash('return x')],
    before: lineHash('b {'),
    after: lineHash('}'),
  })
  const file = hashLines(['a {', '  return x', '}', 'b {', '      return  x', '}'].join('\n'))
  expect(locate(one, file)).toBe(5)
  expect(locate(one, hashLines('nothing\nof\nthis'))).toBeNull()
})

test('empty lines are no words, and a finding on a file stays with the file', () => {
  expect(locate(record({ lines: [lineHash('  ')] }), hashLines('a\n\nb'))).toBeNull()
  expect(locate(record({ lines: [], line: 1 }), hashLines('anything'))).toBe(1)
})

test('each finding pairs once, the surest first', () => {
  const earlier = [record({ id: 'a'.repeat(16), title: 'One' }), record({ id: 'b'.repeat(16), title: 'One' })]
  const now = [record({ id: 'b'.repeat(16), title: 'One' }), record({ id: 'c'.repeat(16), title: 'One' })]
  expect(match(earlier, now).sort()).toEqual([
    ['a'.repeat(16), 'c'.repeat(16)],
    ['b'.repeat(16), 'b'.repeat(16)],
  ])
})

test('alike titles about different names are different findings', () => {
  const old = record({ id: 'a'.repeat(16), title: 'The name bug_1 is wrong', lines: ['00000001'] })
  const one = record({ id: 'b'.repeat(16), title: 'The name bug_2 is wrong', lines: ['00000002'] })
  expect(match([old], [one])).toEqual([])
  expect(match([old], [{ ...one, title: old.title }])).toHaveLength(1)
})

test('a model may say it in other words and under another rule, at the same place', () => {
  const old = record({
    id: 'a'.repeat(16),
    byModel: true,
    rule: 'x/one',
    title: 'The cache entry is never removed',
  })
  const one = {
    ...old,
    id: 'b'.repeat(16),
    rule: 'x/two',
    title: 'Cache entry is never removed after an error',
  }
  expect(match([old], [one])).toHaveLength(1)
  expect(match([old], [{ ...one, line: old.line + 50 }])).toEqual([])
})

test('an edited line is known by its neighbours; the same fault elsewhere is another one', () => {
  const [above, below] = [lineHash('above'), lineHash('below')]
  const old = record({ id: 'a'.repeat(16), lines: ['00000001'], before: above, after: below })
  const gone = () => null
  const edited = record({ id: 'b'.repeat(16), lines: ['00000002'], before: above, after: lineHash('new') })
  expect(match([old], [edited], gone)).toEqual([[old.id, edited.id]])
  const elsewhere = { ...edited, before: lineHash('other'), line: old.line + 200 }
  expect(match([old], [elsewhere], gone)).toEqual([])
  const empty = lineHash('')
  expect(match([{ ...old, before: empty }], [{ ...elsewhere, before: empty }], gone)).toEqual([])
})
