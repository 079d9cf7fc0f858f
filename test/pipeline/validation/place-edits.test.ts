/** Edits that a model proposes: found by their words, in the function of the finding, or refused with the reason. */
import { expect, test } from 'vitest'
import type { FactStore } from '../../../src/code-index/contract.ts'
import { editsOf } from '../../../src/domain/finding.ts'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import { candidate, contextOf, createWorld, evidenceOf, factsOf, inputOf, symbol, tagAt } from './world.ts'

const lines = [
  'export function save(order) {',
  '  const own = pick(order)',
  ...Array.from({ length: 12 }, (_, at) => `  step${at}(own)`),
  '  store(order)',
  '  log(own)',
  '  log(own)',
  '}',
  '',
  'export function load(id) {',
  '  return find(id)',
  '}',
  '',
]
const after = lines.join('\n')
const before = after.replace('store(order)', 'store(own)')
const facts = {
  symbols: [
    { ...symbol('save', 1), startLine: 1, endLine: 18 },
    { ...symbol('load', 20), startLine: 20, endLine: 22 },
  ],
  parents: [null, null],
}
const world = createWorld({ 'src/a.ts': before }, { 'src/a.ts': after })
/** Whatever the text: what is read of it here are its two functions. */
const anyText: FactStore = {
  failures: [],
  close: async () => {},
  facts: async (files) => new Map(files.map(({ path }) => [path, factsOf(facts)])),
}

async function suggested(...edits: { old: string; new: string }[]) {
  const tag = tagAt(world.change, 'src/a.ts', 15)
  const one = candidate({
    byModel: true,
    plane: 'contract',
    severity: 'low',
    anchor: { path: 'src/a.ts', tags: [tag] },
    evidence: [{ evidence: 'E1', quote: 'store(order)' }],
    edits,
  })
  const [verdict] = await validateCandidates({
    ...inputOf(world, { candidates: [one], planes: ['contract'], facts: anyText }),
    context: contextOf(world.change, { evidence: [evidenceOf('src/a.ts', 15, '  store(order)')] }),
  })
  if (!verdict?.finding) throw new Error(verdict?.reason ?? 'no verdict')
  return { ...verdict.finding, why: verdict.reason }
}

test('an edit of the changed line is a suggestion for that line', async () => {
  const { suggestion, edits } = await suggested({ old: '  store(order)', new: '  store(own)\n' })
  expect(suggestion).toEqual({
    path: 'src/a.ts',
    startLine: 15,
    endLine: 15,
    replacement: '  store(own)',
    replaced: '  store(order)',
  })
  expect(edits).toBeUndefined()
})

test('several edits, one of them on lines of the function that the diff does not show', async () => {
  const { suggestion, refusedSuggestion } = await suggested(
    { old: '  store(order)', new: '  store(copy)' },
    { old: '  const own = pick(order)', new: '  const own = pick(order)\n  const copy = own' },
  )
  expect(refusedSuggestion).toBeUndefined()
  expect(suggestion?.outsideDiff).toBe(true)
  expect(suggestion && editsOf(suggestion).map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [2, 2],
    [15, 15],
  ])
})

test.each([
  ['  store(nothing)', 'are not in the file'],
  ['  return find(id)', 'outside the function'],
  ['  log(own)', 'occur 2 times'],
  ['\n', 'does not say which lines'],
])('%j is refused, and the finding says why', async (old, reason) => {
  const { suggestion, example, refusedSuggestion, why } = await suggested({ old, new: '  other(own)' })
  expect([suggestion, example]).toEqual([null, undefined])
  expect(refusedSuggestion).toContain(reason)
  expect(why).toContain(`suggestion left out: ${refusedSuggestion}`)
})

test('two edits of the same lines are refused', async () => {
  const both = { old: '  store(order)', new: '  store(own)' }
  expect((await suggested(both, { ...both, new: '  store(copy)' })).refusedSuggestion).toContain('same lines')
})

test('the guards read every edit: a foreign call in the second one is enough', async () => {
  const { suggestion, refusedSuggestion } = await suggested(
    { old: '  store(order)', new: '  store(own)' },
    { old: '  step3(own)', new: '  eval(own)' },
  )
  expect(suggestion).toBeNull()
  expect(refusedSuggestion).toContain('`eval`')
})
