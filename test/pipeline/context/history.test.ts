/** What earlier commits say of a change. */
import { expect, test } from 'vitest'
import type { ChangeSet } from '../../../src/domain/change-set.ts'
import { retrieveHistory } from '../../../src/pipeline/context/retrieval/history.ts'

const commit = (subject: string, author: string, paths: string[]) => ({
  commit: subject.padEnd(40, '0'),
  authorName: author,
  authorEmail: `${author.toLowerCase()}@example.org`,
  time: 1_700_000_000,
  subject,
  paths,
})

const change = { files: [{ path: 'src/a.ts', oldPath: null }], overflow: [] } as unknown as ChangeSet

test('experts, the author’s earlier work in the area, the latest commits, and partners that did not come along', () => {
  const commits = [
    commit('one', 'Ann', ['src/a.ts', 'src/b.ts']),
    commit('two', 'Bo', ['src/a.ts', 'src/b.ts']),
    commit('three', 'Ann', ['src/a.ts']),
    commit('four', 'Cy', ['src/other.ts']),
    commit('five', 'Cy', ['docs/x.md']),
  ]
  const notes = retrieveHistory(change, 'C. Y. <CY@example.org>', { commits, complete: false })
  expect(notes.experts).toEqual([
    { name: 'Ann', commits: 2 },
    { name: 'Bo', commits: 1 },
  ])
  expect([notes.authorCommits, notes.earlierByAuthor.map(({ subject }) => subject)]).toEqual([1, ['four']])
  expect(notes.latest.map(({ subject, day }) => `${subject} ${day}`)).toEqual([
    'one 2023-11-14',
    'two 2023-11-14',
    'three 2023-11-14',
  ])
  expect(notes.missingPartners).toEqual([{ path: 'src/b.ts', share: 0.67 }])
  expect(notes.complete).toBe(false)
})

test('an unknown author, a partner that is part of the change, and no history', () => {
  const commits = [commit('one', 'Ann', ['src/a.ts', 'src/b.ts'])]
  const both = {
    files: [
      { path: 'src/a.ts', oldPath: null },
      { path: 'src/b.ts', oldPath: null },
    ],
    overflow: [],
  } as unknown as ChangeSet
  const notes = retrieveHistory(both, null, { commits, complete: true })
  expect([notes.authorCommits, notes.missingPartners]).toEqual([null, []])
  expect(retrieveHistory(change, 'Ann', { commits: [], complete: true })).toMatchObject({
    experts: [],
    authorCommits: 0,
    latest: [],
  })
})
