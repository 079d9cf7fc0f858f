import { expect, test } from 'vitest'
import type { Evidence } from '../../../src/domain/evidence.ts'
import type { Candidate } from '../../../src/domain/finding.ts'
import { anchorCandidate } from '../../../src/pipeline/validation/anchor/anchor-candidate.ts'
import { evidenceSteps } from '../../../src/pipeline/validation/check-evidence.ts'
import { type CandidateState, isDropped } from '../../../src/pipeline/validation/contract.ts'
import { openValidationContext } from '../../../src/pipeline/validation/validate.ts'
import { blobOf } from '../../helpers/in-memory/change.ts'
import { candidate, createWorld, evidenceOf, inputOf, tagAt } from './world.ts'

const caller = 'import { parse } from "./a"\nparse(1)\r\nparse(2)\n'
const world = createWorld(
  { 'src/a.ts': 'one\n', 'src/b.ts': caller, 'src/old.ts': 'gone\n' },
  { 'src/a.ts': 'two\n', 'src/b.ts': caller },
)
const tags = [tagAt(world.change, 'src/a.ts', 1)]

async function reasonFor(item: Evidence | null, quote: string, overrides: Partial<Candidate> = {}) {
  const tested = candidate({
    anchor: { path: 'src/a.ts', tags },
    evidence: quote === '-' ? [] : [{ evidence: 'E1', quote }],
    ...overrides,
  })
  const anchored = anchorCandidate(tested, world.change)
  if (isDropped(anchored)) throw new Error(anchored.dropped)
  const bench = openValidationContext(inputOf(world, { evidence: item ? [item] : [] }))
  let state: CandidateState = { candidate: tested, location: anchored.location, checkedClaims: [] }
  for (const { run } of evidenceSteps) {
    const result = await run(state, bench)
    if (isDropped(result)) return result.dropped
    state = { ...state, ...result }
  }
  return null
}

const line2 = evidenceOf('src/b.ts', 2, 'parse(1)')

test('true evidence with a verbatim quote passes, carriage returns aside', async () => {
  expect(await reasonFor(line2, 'parse(1)')).toBeNull()
  expect(await reasonFor(evidenceOf('src/b.ts', 2, 'parse(1)\r\nparse(2)'), 'parse(2)')).toBeNull()
  expect(await reasonFor({ ...line2, blob: blobOf(caller) }, 'parse')).toBeNull()
})

test.each([
  ['an id that does not exist', null, 'parse', 'does not exist'],
  ['an empty quote', line2, '  ', 'without quoting'],
  ['other words', line2, 'parse(3)', 'are not in E1'],
  ['another line', { ...line2, startLine: 1, endLine: 1 }, 'parse(1)', 'has other text at line 1'],
  ['a line beyond the end', { ...line2, startLine: 9, endLine: 9 }, 'parse(1)', 'has other text'],
  ['a file that is gone', { ...line2, path: 'src/old.ts' }, 'parse(1)', 'cannot be read after'],
  ['another version', { ...line2, blob: blobOf('x') }, 'parse(1)', 'another version'],
  ['no file at all', { ...line2, path: null }, 'parse(1)', 'names no file'],
])('%s drops the candidate', async (_, item, quote, reason) => {
  expect(await reasonFor(item, quote)).toContain(reason)
})

test('the old side is read from the base', async () => {
  const item = evidenceOf('src/old.ts', 1, 'gone', { side: 'old' })
  expect(await reasonFor(item, 'gone')).toBeNull()
  expect(await reasonFor({ ...item, text: 'here' }, 'here')).toContain('has other text')
})

test('what this program computed is not re-read', async () => {
  const count = evidenceOf('src/b.ts', 1, '9 of 10 commits', { trust: 'own', source: 'history' })
  expect(await reasonFor(count, '9 of 10')).toBeNull()
})

test('text from a diff without line numbers must stand in that diff', async () => {
  const item = evidenceOf('src/a.ts', 1, '-one\n+two', { source: 'diff', startLine: null, endLine: null })
  expect(await reasonFor(item, '+two')).toBeNull()
  expect(await reasonFor({ ...item, text: '+three' }, 'three')).toContain('no such lines')
})

test('without evidence a candidate must quote the very line it is about', async () => {
  expect(await reasonFor(null, '-')).toContain('cites no evidence')
  const claim = {
    kind: 'line-contains' as const,
    side: 'new' as const,
    text: 'two',
    path: 'src/a.ts',
    line: 1,
  }
  expect(await reasonFor(null, '-', { claims: [claim] })).toBeNull()
  expect(await reasonFor(null, '-', { claims: [{ ...claim, line: 2 }] })).toContain('cites no evidence')
})
