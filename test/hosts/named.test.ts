/** A name that is given without an option: a branch is what it has over the default one, all else is its commit. */
import { expect, test } from 'vitest'
import { createRepo, type TestRepo } from '../helpers/git-repo.ts'
import { collect } from './collecting.ts'

async function named(repo: TestRepo, name: string) {
  const change = await collect(repo.path, { kind: 'name', name })
  const paths = (await change.diff()).files.map(({ path }) => path)
  return { label: change.request.source.label, paths, branch: await change.branch?.() }
}

test('a branch, whatever is checked out', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  repo.git('switch', '--quiet', '--create', 'feature')
  repo.commit({ 'b.ts': 'export const b = 1\n' })
  const last = repo.commit({ 'c.ts': 'export const c = 1\n' })
  repo.git('switch', '--quiet', 'main')
  repo.commit({ 'd.ts': 'export const d = 1\n' })
  repo.write({ 'd.ts': 'export const d = 2\n' })
  const feature = { label: 'branch feature against main', paths: ['b.ts', 'c.ts'], branch: 'feature' }
  expect(await named(repo, 'feature')).toEqual(feature)
  expect(await named(repo, 'refs/heads/feature')).toEqual(feature)
  expect(await named(repo, 'main')).toMatchObject({
    label: expect.stringMatching(/^last commit [0-9a-f]{7} of main$/),
    paths: ['d.ts'],
  })
  repo.git('tag', 'v1', 'feature')
  for (const name of ['v1', last, 'feature~0'])
    expect(await named(repo, name)).toMatchObject({ label: `commit ${last.slice(0, 7)}`, paths: ['c.ts'] })
  repo.git('branch', 'merged', 'main~1')
  expect(await named(repo, 'merged')).toEqual({
    label: 'branch merged against main',
    paths: [],
    branch: 'merged',
  })
  await expect(named(repo, 'featur')).rejects.toThrow('`featur`; did you mean `feature`?')
})

test('a branch of another clone, and what of the default branch has not been pushed', async () => {
  const repo = createRepo()
  const first = repo.commit({ 'a.ts': 'export const a = 1\n' })
  repo.commit({ 'b.ts': 'export const b = 1\n' })
  repo.commit({ 'c.ts': 'export const c = 1\n' })
  repo.git('update-ref', 'refs/remotes/origin/feature', 'HEAD')
  repo.git('update-ref', 'refs/remotes/origin/main', first)
  expect(await named(repo, 'main')).toMatchObject({
    label: 'branch main against origin/main',
    paths: ['b.ts', 'c.ts'],
  })
  repo.git('reset', '--quiet', '--hard', first)
  expect(await named(repo, 'origin/feature')).toEqual({
    label: 'branch origin/feature against main',
    paths: ['b.ts', 'c.ts'],
    branch: 'feature',
  })
})

test('a tag with the name of a branch is what git takes the name for', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  repo.git('switch', '--quiet', '--create', 'twice')
  repo.commit({ 'b.ts': 'export const b = 1\n' })
  repo.git('tag', 'twice', 'main')
  expect((await named(repo, 'twice')).paths).toEqual(['a.ts'])
})
