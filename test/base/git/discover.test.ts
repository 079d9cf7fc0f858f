/** Finding a repository by its files alone. */
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { discoverRepository, workTreeRepository } from '../../../src/base/git/discover.ts'
import { createRepo, TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'

const real = (path: string) => realpathSync(path)

test('it is found from any folder and from a file inside', () => {
  const repo = createRepo()
  repo.commit({ 'deep/er/a.txt': 'a\n' })
  const top = real(repo.path)
  const expected = { gitDir: join(top, '.git'), commonDir: join(top, '.git'), workTree: top }
  for (const from of ['', 'deep', 'deep/er', 'deep/er/a.txt', '.git', '.git/objects'])
    expect(discoverRepository(join(repo.path, from)), from).toEqual(expected)
})

test('a `.git` file leads to the git directory of a linked work tree, with its common one', () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const linked = new TestRepo(join(temporaryFolder(), 'new\nline'))
  repo.git('worktree', 'add', '--quiet', '--detach', linked.path)
  expect(discoverRepository(linked.path)).toEqual({
    gitDir: join(real(repo.path), '.git/worktrees/new-line'),
    commonDir: join(real(repo.path), '.git'),
    workTree: real(linked.path),
  })
})

test('a bare repository counts when it is named, not when a work tree encloses the place', () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const bare = join(real(repo.path), 'inside.git')
  repo.git('init', '--quiet', '--bare', bare)
  expect(discoverRepository(bare).workTree).toBeNull()
  expect(discoverRepository(join(bare, 'objects')).workTree).toBe(real(repo.path))
  const alone = new TestRepo(temporaryFolder())
  alone.git('init', '--quiet', '--bare')
  expect(discoverRepository(join(alone.path, 'refs/heads'))).toMatchObject({ gitDir: real(alone.path) })
})

test('what only looks like a repository is passed over', () => {
  const repo = createRepo()
  for (const [name, content] of Object.entries({
    empty: '',
    prose: 'this is no gitdir\n',
    nowhere: 'gitdir: /no/such/place\n',
    itself: 'gitdir: .git\n',
  })) {
    const folder = join(repo.path, name)
    mkdirSync(folder)
    writeFileSync(join(folder, '.git'), content)
    expect(workTreeRepository(folder), name).toBeNull()
    expect(discoverRepository(folder).workTree).toBe(real(repo.path))
  }
  for (const missing of ['refs', 'objects', 'HEAD']) {
    const folder = join(repo.path, `without-${missing}`)
    new TestRepo(repo.path).git('init', '--quiet', folder)
    rmSync(join(folder, '.git', missing), { recursive: true })
    expect(workTreeRepository(folder), missing).toBeNull()
  }
  const lost = temporaryFolder()
  mkdirSync(join(lost, '.git'))
  symlinkSync('loop', join(lost, 'loop'))
  for (const folder of [lost, join(lost, '.git'), join(lost, 'loop'), join(lost, 'absent')])
    expect(() => discoverRepository(folder)).toThrow(expect.objectContaining({ code: 'not-a-repository' }))
})
