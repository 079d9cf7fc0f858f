/** Earlier commits, from the base backwards. */
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { collect } from './collecting.ts'

test('commits come newest first with their paths, without merges and without the change', async () => {
  const repo = createRepo()
  const first = repo.commit({ 'a.txt': 'a\n', 'dir/b\nc.txt': 'b\n' }, 'first: ünïcode')
  repo.commit({}, 'empty')
  repo.git('checkout', '--quiet', '-b', 'side')
  repo.commit({ ':100644 x.txt': 'x\n' }, ':starts like a path\n\nbody')
  repo.git('checkout', '--quiet', 'main')
  repo.commit({ 'a.txt': null, 'moved.txt': 'a\n' }, 'moved')
  repo.git('merge', '--quiet', '--no-edit', 'side')
  repo.commit({ 'last.txt': 'z\n' }, 'under review')
  const { history } = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const { commits, complete } = await history.recent(10)
  expect(complete).toBe(true)
  expect(commits.map(({ subject, paths }) => [subject, paths])).toEqual([
    ['moved', ['a.txt', 'moved.txt']],
    [':starts like a path', [':100644 x.txt']],
    ['empty', []],
    ['first: ünïcode', ['a.txt', 'dir/b\nc.txt']],
  ])
  expect(commits.at(-1)).toEqual({
    commit: first,
    authorName: 'Ada',
    authorEmail: 'ada@example.com',
    time: 1_700_000_060,
    subject: 'first: ünïcode',
    paths: ['a.txt', 'dir/b\nc.txt'],
  })
})

test('a limit that cuts says so, one that just fits does not', async () => {
  const repo = createRepo()
  for (const name of ['one', 'two', 'three', 'four']) repo.commit({ [name]: name }, name)
  const { history } = await collect(repo.path, { kind: 'uncommitted' })
  const subjects = async (limit: number) => {
    const { commits, complete } = await history.recent(limit)
    return [commits.map(({ subject }) => subject).join(' '), complete]
  }
  expect(await subjects(2)).toEqual(['four three', false])
  expect(await subjects(4)).toEqual(['four three two one', true])
  expect(await subjects(0)).toEqual(['', false])
})
