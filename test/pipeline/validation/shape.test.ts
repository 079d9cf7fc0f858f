import { expect, test } from 'vitest'
import type { Candidate } from '../../../src/domain/finding.ts'
import { type CandidateState, isDropped } from '../../../src/pipeline/validation/contract.ts'
import { shapeSteps } from '../../../src/pipeline/validation/shape.ts'
import { openValidationContext, presentableCandidate } from '../../../src/pipeline/validation/validate.ts'
import { candidate, createWorld, inputOf, tagAt } from './world.ts'

const world = createWorld({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' }, { 'src/a.ts': 'b\n', 'src/b.ts': 'b\n' })
const { change } = world
const bench = openValidationContext(inputOf(world, { planes: ['contract'] }))
const good = candidate({ anchor: { path: 'src/a.ts', tags: [tagAt(change, 'src/a.ts', 1)] } })

async function shape(value: unknown) {
  let walk: CandidateState = { candidate: value as Candidate, location: null, checkedClaims: [] }
  for (const { run } of shapeSteps) {
    const result = await run(walk, bench)
    if (isDropped(result)) return result
    walk = { ...walk, ...result }
  }
  return walk.candidate
}

async function reasonFor(value: unknown): Promise<string | null> {
  const result = await shape(value)
  return isDropped(result) ? result.dropped : null
}

test('a good candidate passes, without keys that the schema does not know', async () => {
  expect(await shape({ ...good, extra: 1 })).toEqual(good)
})

test.each([
  ['null', null, 'not a well-formed candidate'],
  ['a string', 'finding', 'not a well-formed candidate'],
  ['an unknown severity', { ...good, severity: 'blocker' }, 'not a well-formed candidate'],
  ['an unknown category', { ...good, category: 'style' }, 'not a well-formed candidate'],
  ['an unknown claim', { ...good, claims: [{ kind: 'bad' }] }, 'not a well-formed candidate'],
  ['no tags', { ...good, anchor: { path: 'src/a.ts', tags: [] } }, 'not a well-formed candidate'],
  ['a title too long', { ...good, title: 'x'.repeat(301) }, 'not a well-formed candidate'],
  ['an explanation too long', { ...good, explanation: 'x'.repeat(4001) }, 'not a well-formed candidate'],
  ['a plane that did not run', { ...good, plane: 'security' }, 'No plane of this run'],
  [
    'a file outside the change',
    { ...good, anchor: { ...good.anchor, path: 'src/z.ts' } },
    'not part of the change',
  ],
  ['a rule with a space', { ...good, rule: 'my rule' }, 'rule is not an identifier'],
  ['an id with a line break', { ...good, id: 'C1\n' }, 'id is not an identifier'],
  [
    'too many tags',
    { ...good, anchor: { path: 'src/a.ts', tags: Array(5001).fill('L1#abc') } },
    'more than 5000 lines',
  ],
  [
    'a huge quote',
    { ...good, evidence: [{ evidence: 'E1', quote: 'x'.repeat(2_000_001) }] },
    'quotes more than',
  ],
  ['a bidi override in the title', { ...good, title: 'ok \u202e gnp.exe' }, 'title holds hidden'],
  ['a zero-width space in the remedy', { ...good, remedy: 'a\u200bb' }, 'remedy holds hidden'],
  [
    'an escape sequence in the explanation',
    { ...good, explanation: '\u001b[31m' },
    'explanation holds hidden',
  ],
  ['a line break in the title', { ...good, title: 'a\nb' }, 'line break'],
])('%s is dropped', async (_, value, reason) => {
  expect(await reasonFor(value)).toContain(reason)
})

test('paragraphs and tabs in an explanation are fine', async () => {
  expect(await reasonFor({ ...good, explanation: 'One.\n\n\tTwo.' })).toBeNull()
})

test('only a model may speak of an unchanged file, and of none that is not there', async () => {
  const about = (path: string) => ({ ...good, anchor: { ...good.anchor, path }, byModel: true })
  expect(await reasonFor(about('src/b.ts'))).toBeNull()
  expect(await reasonFor({ ...about('src/b.ts'), byModel: false })).toContain('not part of the change')
  expect(await reasonFor(about('src/z.ts'))).toContain('not part of the change')
})

test.each([
  null,
  7,
  {},
  { title: '\u202e', anchor: 'x' },
  { title: 'x'.repeat(5000), anchor: { path: 'p' } },
])('what is no candidate can still be listed: %j', (value) => {
  const shown = presentableCandidate(value, 0)
  expect(shown.id).toBe('?1')
  expect(shown.title.length).toBeGreaterThan(0)
  expect(shown.title.length).toBeLessThanOrEqual(300)
  expect(presentableCandidate(shown, 0)).toEqual(shown)
})
