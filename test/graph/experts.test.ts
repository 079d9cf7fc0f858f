/** Who knows some code, from made-up histories. */
import { expect, test } from 'vitest'
import { type Expert, rankExperts } from '../../src/graph/experts.ts'
import { isProgram, knowPeople } from '../../src/graph/people.ts'

const day = 86_400
const now = 1_700_000_000

function commit(authorName: string, paths: string[], daysAgo = 0, authorEmail = `${authorName}@example.com`) {
  return { authorName, authorEmail, time: now - daysAgo * day, paths }
}

function names(experts: readonly Expert[]): string[] {
  return experts.map(({ name }) => name)
}

test('who changed the file comes before who changed its neighbours, and strangers are left out', () => {
  const commits = [
    commit('Elsewhere', ['docs/a.md']),
    commit('Neighbour', ['src/b.ts']),
    commit('Owner', ['src/a.ts'], 10),
  ]
  const found = rankExperts({ commits, paths: ['src/a.ts'], limit: 3 })
  expect(found).toMatchObject([
    { name: 'Owner', commits: 1, nearbyOnly: false, lastTime: now - 10 * day, lines: null },
    { name: 'Neighbour', commits: 0, nearbyOnly: true },
  ])
})

test('what was changed long ago counts less than what was changed now', () => {
  const old = Array.from({ length: 4 }, () => commit('Founder', ['a.ts'], 2000))
  const found = rankExperts({ commits: [commit('Keeper', ['a.ts']), ...old], paths: ['a.ts'], limit: 2 })
  expect(names(found)).toEqual(['Keeper', 'Founder'])
})

test('who wrote the lines comes before who wrote others of the file', () => {
  const commits = [commit('Other', ['a.ts'], 1), commit('Writer', ['a.ts'], 30)]
  const blamed = [
    { commit: 'c', authorName: 'Writer', authorEmail: 'Writer@example.com', time: now - 30 * day, lines: 8 },
  ]
  expect(names(rankExperts({ commits, paths: ['a.ts'], limit: 2 }))).toEqual(['Other', 'Writer'])
  const [first] = rankExperts({ commits, paths: ['a.ts'], blamed, limit: 2 })
  expect(first).toMatchObject({ name: 'Writer', commits: 1, lines: 8 })
})

test('programs are never experts', () => {
  const commits = [
    commit('dependabot[bot]', ['a.ts'], 0, '49699333+dependabot[bot]@users.noreply.github.com'),
    commit('renovate', ['a.ts']),
    commit('Ada Lovelace', ['a.ts'], 400),
  ]
  expect(names(rankExperts({ commits, paths: ['a.ts'], limit: 3 }))).toEqual(['Ada Lovelace'])
  expect(isProgram(commit('Abbot', []))).toBe(false)
  expect(isProgram(commit('Bottomley', []))).toBe(false)
})

test('one person with two addresses, or two spellings, is counted once, under the last name', () => {
  const people = [
    commit('Ada King', [], 0, 'ada@new.example'),
    commit('Ada King', [], 1, 'ada@old.example'),
    commit('ada', [], 2, 'ADA@old.example'),
    commit('ada', [], 3, 'stranger@example.com'),
  ]
  const nameOf = knowPeople(people)
  expect(people.map(nameOf)).toEqual(['Ada King', 'Ada King', 'Ada King', 'ada'])
})

test('an empty history has no experts', () => {
  expect(rankExperts({ commits: [], paths: ['a.ts'], limit: 3 })).toEqual([])
})
