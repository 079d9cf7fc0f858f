/** Earlier changes of a change, from made-up histories. */
import { expect, test } from 'vitest'
import type { TeamCommit } from '../../src/domain/team-history.ts'
import { findRelated } from '../../src/graph/related.ts'

const day = 86_400
const now = 1_700_000_000

let made = 0
function commit(subject: string, paths: string[], more: Partial<TeamCommit> = {}): TeamCommit {
  made += 1
  return {
    commit: `c${made}`,
    parents: [],
    authorName: 'Ada',
    authorEmail: 'ada@example.com',
    time: now - made * day,
    subject,
    paths,
    request: null,
    mentions: [],
    reviewers: [],
    ...more,
  }
}

test('a change of a rarely changed file comes before one of a file that everyone changes', () => {
  const busy = Array.from({ length: 6 }, (_, at) => commit(`busy ${at}`, ['CHANGES.md', `other${at}.ts`]))
  const rare = commit('rare', ['src/rare.ts'])
  const [first] = findRelated({ commits: [...busy, rare], paths: ['CHANGES.md', 'src/rare.ts'], limit: 5 })
  expect(first).toMatchObject({ subject: 'rare', shared: ['src/rare.ts'] })
})

test('the commits of a merged branch are one change request', () => {
  const root = commit('root', ['z.ts'])
  const one = commit('first step', ['a.ts'], { parents: [root.commit], mentions: ['#7'] })
  const two = commit('second step', ['b.ts'], { parents: [one.commit], time: one.time + 1 })
  const merge = commit('Merge pull request #12 from x/y', [], {
    parents: [root.commit, two.commit],
    request: 12,
  })
  const found = findRelated({ commits: [merge, two, one, root], paths: ['a.ts', 'b.ts'], limit: 5 })
  expect(found).toMatchObject([
    { request: 12, shared: ['a.ts', 'b.ts'], tickets: ['#7'], subject: 'second step' },
  ])
})

test('what was reverted or fixed soon afterwards is marked', () => {
  const risky = commit('cache prices', ['a.ts'], { time: now - 40 * day })
  const fix = commit('fix: stale prices', ['a.ts'], { time: now - 35 * day })
  const late = commit('fix: rounding', ['a.ts'], { time: now - day })
  const revert = commit('Revert "cache prices" (#9)', ['a.ts'], { time: now - 30 * day })
  const found = findRelated({ commits: [late, revert, fix, risky], paths: ['a.ts'], limit: 9 })
  expect(found.find(({ subject }) => subject === 'cache prices')).toMatchObject({
    revertedBy: revert.commit,
    fixesAfter: 2,
  })
  expect(found.find(({ subject }) => subject === 'fix: rounding')).toMatchObject({
    revertedBy: null,
    fixesAfter: 0,
  })
})

test('who wrote the replaced lines is marked and lifted', () => {
  const origin = commit('write it', ['a.ts'], { time: now - 2000 * day })
  const others = Array.from({ length: 5 }, (_, at) => commit(`edit ${at}`, ['a.ts']))
  const ask = (lineCommits: string[]) =>
    findRelated({
      commits: [...others, origin],
      paths: ['a.ts'],
      lineCommits: new Set(lineCommits),
      limit: 1,
    })
  expect(ask([])[0]?.subject).not.toBe('write it')
  expect(ask([origin.commit])[0]).toMatchObject({ subject: 'write it', wroteLines: true })
})

test('a sweep over the whole repository is related to nothing', () => {
  const sweep = commit(
    'format everything',
    Array.from({ length: 500 }, (_, at) => `f${at}.ts`),
  )
  expect(findRelated({ commits: [sweep], paths: ['f1.ts'], limit: 5 })).toEqual([])
})
