/** Whom to ask for a review, from made-up histories. */
import { expect, test } from 'vitest'
import { rankReviewers } from '../../src/graph/reviewers.ts'

const day = 86_400
const now = 1_700_000_000

function commit(authorName: string, paths: string[], daysAgo: number, ...reviewers: string[]) {
  return { ...person(authorName), time: now - daysAgo * day, paths, reviewers: reviewers.map(named) }
}

function person(authorName: string) {
  return { authorName, authorEmail: `${authorName.toLowerCase()}@example.com` }
}

function named(name: string) {
  return { name, email: `${name.toLowerCase()}@example.com` }
}

const question = { paths: ['src/a.ts'], blamed: [], author: null, limit: 3 }

test('who reviewed changes of the files comes before who wrote them, and the author is not asked', () => {
  const commits = [
    commit('Writer', ['src/a.ts'], 0, 'Checker'),
    commit('Writer', ['src/a.ts'], 1, 'Checker', 'Author'),
    commit('Author', ['src/a.ts'], 2),
    commit('Other', ['docs/b.md'], 2, 'Elsewhere'),
  ]
  const found = rankReviewers({ ...question, commits, author: named('Author') })
  expect(found).toEqual([
    { name: 'Checker', reviews: 2, commits: 0, lines: 0, lastTime: now },
    { name: 'Writer', reviews: 0, commits: 2, lines: 0, lastTime: now },
    { name: 'Elsewhere', reviews: 0, commits: 0, lines: 0, lastTime: null },
  ])
})

test('where no message names a reviewer, they are those who wrote the files and the replaced lines', () => {
  const commits = [commit('Recent', ['src/a.ts'], 0), commit('Nearby', ['src/b.ts'], 0)]
  const blamed = [{ ...person('Old'), commit: 'c', time: now - 400 * day, lines: 5 }]
  const found = rankReviewers({ ...question, commits, blamed })
  expect(found.map(({ name }) => name)).toEqual(['Recent', 'Old', 'Nearby'])
  expect(found[1]).toMatchObject({ lines: 5, commits: 0 })
})

test('programs are not asked, whether they wrote or reviewed', () => {
  const commits = [
    commit('Ada', ['src/a.ts'], 0, 'build bot', 'renovate'),
    commit('renovate', ['src/a.ts'], 0),
  ]
  const names = rankReviewers({ ...question, commits }).map(({ name }) => name)
  expect(names).toEqual(['Ada'])
})
