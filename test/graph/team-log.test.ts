/** The kept log: only new commits are read, and nothing kept is trusted beyond its shape. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTeamLog } from '../../src/graph/team-log.ts'
import { openTeamHistory } from '../../src/hosts/local/team-history.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'

async function read(repo: TestRepo, cache: string | null) {
  const history = await openTeamHistory({ folder: repo.path, at: 'HEAD' })
  try {
    const { commits, complete, isNew } = await readTeamLog(history, cache)
    return { subjects: commits.map(({ subject }) => subject), complete, isNew }
  } finally {
    await history.close()
  }
}

test('a second question reads only what is new', async () => {
  const repo = createRepo()
  const cache = temporaryFolder()
  repo.commit({ 'a.txt': '1' }, 'one')
  repo.commit({ 'a.txt': '2' }, 'two')
  expect(await read(repo, cache)).toEqual({ subjects: ['two', 'one'], complete: true, isNew: 2 })
  expect(await read(repo, cache)).toEqual({ subjects: ['two', 'one'], complete: true, isNew: 0 })
  repo.commit({ 'a.txt': '3' }, 'three')
  expect(await read(repo, cache)).toEqual({ subjects: ['three', 'two', 'one'], complete: true, isNew: 1 })
  expect(await read(repo, null)).toMatchObject({ isNew: 3 })
})

test('a rewritten history is read again as a whole', async () => {
  const repo = createRepo()
  const cache = temporaryFolder()
  repo.commit({ 'a.txt': '1' }, 'one')
  repo.commit({ 'a.txt': '2' }, 'two')
  await read(repo, cache)
  repo.git('reset', '--quiet', '--hard', 'HEAD~1')
  repo.commit({ 'a.txt': '4' }, 'other')
  expect(await read(repo, cache)).toEqual({ subjects: ['other', 'one'], complete: true, isNew: 2 })
})

test('a damaged file is only a cache that is missing', async () => {
  const repo = createRepo()
  const cache = temporaryFolder()
  repo.commit({ 'a.txt': '1' }, 'one')
  await read(repo, cache)
  const [name = ''] = readdirSync(join(cache, 'team'))
  writeFileSync(join(cache, 'team', name), 'not a log')
  expect(await read(repo, cache)).toEqual({ subjects: ['one'], complete: true, isNew: 1 })
})
