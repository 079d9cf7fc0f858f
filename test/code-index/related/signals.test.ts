/** What history says of which files belong together, on small hand-made histories. */
import { expect, test } from 'vitest'
import { readHistorySignals } from '../../../src/code-index/related/signals.ts'

function commits(...paths: string[][]) {
  return paths.map((list, at) => ({
    commit: `c${at}`,
    authorName: '',
    authorEmail: '',
    time: 1000 - at,
    subject: '',
    paths: list,
  }))
}

test('direct: shares of what changed with the seed, newer and smaller commits counting more', () => {
  const { direct } = readHistorySignals(commits(['a', 'b'], ['a', 'c', 'd'], ['x', 'y']), ['a'])
  expect([...direct.keys()]).toEqual(['b', 'c', 'd'])
  expect([...direct.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
  const older = 0.5 ** (1 / 16) / 2 ** 0.7
  expect(direct.get('c')).toBeCloseTo(older / (1 + 2 * older))
})

test('each seed counts alike, however often it changes', () => {
  const busy = Array.from({ length: 20 }, () => ['busy', 'b'])
  const { direct } = readHistorySignals(commits(...busy, ['calm', 'c']), ['busy', 'calm'])
  expect(direct.get('b')).toBeCloseTo(1)
  expect(direct.get('c')).toBeCloseTo(1)
})

test('a sweep over a hundred files ties nothing', () => {
  const sweep = Array.from({ length: 101 }, (_, at) => `f${at}`)
  expect(readHistorySignals(commits(sweep), ['f0']).direct.size).toBe(0)
})

test('ripple reaches what changed with a partner and never with the seed; folder serves new files', () => {
  const history = commits(['a', 'b'], ['b', 'c'], ['lib/old.ts', 'docs/lib.md'])
  expect(readHistorySignals(history, ['a']).ripple.has('c')).toBe(true)
  expect(readHistorySignals(history, ['a']).direct.has('c')).toBe(false)
  const fresh = readHistorySignals(history, ['lib/new.ts'])
  expect(fresh.direct.size).toBe(0)
  expect([...fresh.folder.keys()]).toEqual(['lib/old.ts', 'docs/lib.md'])
})

test('no signal names a seed', () => {
  const signals = readHistorySignals(commits(['a', 'b'], ['a', 'b', 'c']), ['a', 'b'])
  for (const scores of Object.values(signals)) expect([...scores.keys()].filter((p) => p !== 'c')).toEqual([])
})
