/** How well findings are proven is read from the words of validation: these must be the words it really writes. */
import { expect, test } from 'vitest'
import { isConfirmedByCode, proofOf, proofs, upheldWords } from '../../src/domain/proof.ts'
import { validateCandidates } from '../../src/pipeline/validation/validate.ts'
import { sampleEvidence, sampleFinding } from '../helpers/sample-review.ts'
import { candidate, createWorld, evidenceOf, inputOf, tagAt } from '../pipeline/validation/world.ts'

const table = new Map(
  [sampleEvidence(), sampleEvidence({ id: 'E2', path: 'src/parse.ts', startLine: 12, endLine: 12 })].map(
    (item) => [item.id, item],
  ),
)
const of = (verifiedBy: string[], more = {}) =>
  proofOf(sampleFinding({ byModel: true, verifiedBy, ...more }), table)

test.each([
  ['checker', of(['1 claim confirmed by the compiler of TypeScript 5'])],
  ['checker', of(['1 claim confirmed by pyright 1.1', upheldWords])],
  ['checker', of(['1 claim confirmed by the code index and pyright 1.1'])],
  ['index', of(['1 claim confirmed by a search of every file: `you and me.md` only mentions it'])],
  ['index', of(['2 claims confirmed by the code index'])],
  ['index', of(['1 claim confirmed by the tree: the file was removed'])],
  ['index', of(['1 claim confirmed by a search of every file for the name'])],
  ['index', of(['1 claim confirmed by comparing both places: 98 % alike'])],
  ['index', of(['1 claim confirmed by counting over the history again: 4 of 5'])],
  ['index', of([], { byModel: false })],
  ['upheld', of([upheldWords])],
  ['evidence', of(['1 claim confirmed by the text of the line'])],
  ['evidence', of(['1 claim not checkable here'])],
  ['quote', of([], { evidence: [{ evidence: 'E2', quote: 'parse' }] })],
  ['quote', of([], { evidence: [{ evidence: 'E9', quote: 'parse' }] })],
])('%s', (expected, proof) => {
  expect(proof).toBe(expected)
})

test('from weakest to strongest', () => {
  expect(proofs).toEqual(['quote', 'evidence', 'upheld', 'index', 'checker', 'reproduced'])
})

test('validation writes the words that are read here', async () => {
  const world = createWorld({ 'a.ts': 'x\n', 'gone.ts': 'y\n' }, { 'a.ts': "import './gone.ts'\nx\n" })
  const tag = tagAt(world.change, 'a.ts', 1)
  const claimed = candidate({
    byModel: true,
    plane: 'contract',
    anchor: { path: 'a.ts', tags: [tag] },
    evidence: [{ evidence: 'E1', quote: './gone.ts' }],
    claims: [{ kind: 'missing-path', target: 'gone.ts', path: 'a.ts', line: 1 }],
  })
  const trivial = {
    ...claimed,
    id: 'C2',
    rule: 'contract/other',
    title: 'Another',
    claims: [{ kind: 'line-contains' as const, side: 'new' as const, text: 'gone', path: 'a.ts', line: 1 }],
  }
  const verdicts = await validateCandidates(
    inputOf(world, {
      candidates: [claimed, trivial],
      evidence: [evidenceOf('a.ts', 1, "import './gone.ts'")],
    }),
  )
  const found = verdicts.flatMap(({ finding }) => finding ?? [])
  expect(found.map((finding) => [finding.id, isConfirmedByCode(finding)])).toEqual([
    ['C1', true],
    ['C2', false],
  ])
})
