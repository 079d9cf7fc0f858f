/** Further places of a finding: each is checked by itself, and one that fails costs only itself. */
import { expect, test } from 'vitest'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import { candidate, contextOf, createWorld, evidenceOf, inputOf, tagAt } from './world.ts'

const sibling = 'export function close(id) {\n  remove(id)\n  remove(id)\n}\n'
const world = createWorld(
  { 'src/a.ts': 'open()\nremove(all)\n', 'src/b.ts': 'keep()\n', 'src/c.ts': sibling },
  { 'src/a.ts': 'open()\nremove(own)\n', 'src/b.ts': 'remove(every)\n', 'src/c.ts': sibling },
)
const evidence = [
  evidenceOf('src/c.ts', 1, 'export function close(id) {\n  remove(id)\n  remove(id)\n}'),
  evidenceOf('src/c.ts', 1, 'something else', { id: 'E2' }),
  evidenceOf('src/c.ts', 1, 'counted', {
    id: 'E3',
    path: null,
    startLine: null,
    endLine: null,
    trust: 'own',
  }),
]
const tagA = tagAt(world.change, 'src/a.ts', 2)
const tagB = tagAt(world.change, 'src/b.ts', 1)

async function placesOf(alsoAt: { path: string; cited: string; quote: string }[]) {
  const one = candidate({
    byModel: true,
    plane: 'contract',
    severity: 'low',
    anchor: { path: 'src/a.ts', tags: [tagA] },
    evidence: [{ evidence: 'E1', quote: 'export function close(id)' }],
    alsoAt,
  })
  const [verdict] = await validateCandidates({
    ...inputOf(world, { candidates: [one], planes: ['contract'] }),
    context: contextOf(world.change, { evidence }),
  })
  return verdict
}

test('a line of another changed file and a line of evidence become places with their lines', async () => {
  const verdict = await placesOf([
    { path: 'src/b.ts', cited: tagB, quote: 'remove(every)' },
    { path: 'src/c.ts', cited: 'E1', quote: 'close(id) {' },
  ])
  expect(verdict?.outcome).toBe('kept')
  expect(verdict?.finding?.places).toEqual([
    { path: 'src/b.ts', side: 'new', startLine: 1, endLine: 1, quote: 'remove(every)' },
    { path: 'src/c.ts', side: 'new', startLine: 1, endLine: 1, quote: 'close(id) {' },
  ])
  expect(verdict?.finding).not.toHaveProperty('alsoAt')
})

test.each([
  ['words that are not there', { path: 'src/b.ts', cited: tagB, quote: 'remove(nothing)' }, 'not at'],
  ['words that are there twice', { path: 'src/c.ts', cited: 'E1', quote: 'remove(id)' }, 'more than once'],
  ['a made-up tag', { path: 'src/b.ts', cited: 'L9#zzz', quote: 'remove(every)' }, 'L9#zzz'],
  ['a made-up number', { path: 'src/c.ts', cited: 'E99', quote: 'remove(id)' }, 'neither evidence nor'],
  [
    'a file that did not change, by tag',
    { path: 'src/c.ts', cited: tagB, quote: 'remove' },
    'neither evidence',
  ],
  ['evidence that is not what the repository says', { path: '', cited: 'E2', quote: 'else' }, 'other text'],
  ['what is no place', { path: '', cited: 'E3', quote: 'counted' }, 'not from lines of a file'],
  ['no words', { path: 'src/b.ts', cited: tagB, quote: ' ' }, 'quotes nothing'],
])('%s: the place is left out with the reason, the finding stays', async (_, place, reason) => {
  const verdict = await placesOf([place, { path: 'src/b.ts', cited: tagB, quote: 'remove(every)' }])
  expect(verdict?.finding?.places).toHaveLength(1)
  expect(verdict?.outcome).toBe('demoted')
  expect(verdict?.reason).toContain('one place left out')
  expect(verdict?.reason).toContain(reason)
})

test('the place of the finding itself and a place named twice are no further places', async () => {
  const again = { path: 'src/b.ts', cited: tagB, quote: 'remove(every)' }
  const verdict = await placesOf([{ path: 'src/a.ts', cited: tagA, quote: 'remove(own)' }, again, again])
  expect(verdict?.finding?.places).toHaveLength(1)
  expect(verdict?.outcome).toBe('kept')
})
