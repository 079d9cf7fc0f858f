/** Commits that test repositories make without git are those that git makes. */
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commitHere } from '../helpers/commit-here.ts'
import { createRepo, type Files, type TestRepo } from '../helpers/git-repo.ts'

const stages: [Files, string][] = [
  [
    { 'a.ts': 'one\n', 'a/b.ts': 'two\n', 'a-b/c': 'x', 'ä ö/é.txt': 'ü', empty: '', 'x.sh': '#!/bin/sh\n' },
    'first',
  ],
  [{ 'a.ts': 'one more\n', 'a/b.ts': null, 'a/c/d/e.ts': 'deep\n' }, 'second\n\nWith a body, ü.'],
  [{ a: null, 'x.sh': '#!/bin/sh\n# more\n' }, 'third'],
  [{}, 'nothing'],
]
const looks = [
  ['log', '--format=%H %T %P %an %ae %ad %cn %cd%n%B', '--raw'],
  ['ls-files', '--stage'],
  ['diff-index', 'HEAD'],
  ['reflog', '--all'],
  ['fsck', '--strict', '--full'],
]

test('the same objects, index, branch and log', () => {
  const [here, byGit] = [createRepo(), createRepo()]
  for (const [at, [files, message]] of stages.entries()) {
    for (const repo of [here, byGit]) {
      repo.write(files)
      if (at === 1) symlinkSync('a.ts', join(repo.path, 'link'))
      if (at === 2) chmodSync(join(repo.path, 'x.sh'), 0o755)
      if (at === 3) repo.git('checkout', '--quiet', '--detach')
    }
    const commit = here.commit({}, message)
    // What it does not know leaves it to git.
    writeFileSync(join(byGit.path, '.git/info/exclude'), '*.nothing\n')
    expect(byGit.commit({}, message)).toBe(commit)
  }
  const seen = (repo: TestRepo) => looks.map((words) => repo.git(...words))
  expect(seen(here)).toEqual(seen(byGit))
  // Git would have left the message there.
  expect(existsSync(join(here.path, '.git/COMMIT_EDITMSG'))).toBe(false)
})

test.each<[string, (repo: TestRepo) => void]>([
  ['ignored files', (repo) => repo.write({ '.gitignore': 'x\n' })],
  ['attributes of files', (repo) => repo.write({ 'a/.gitattributes': '* text\n' })],
  ['a setting', (repo) => repo.git('config', 'core.autocrlf', 'true')],
  ['a hook', (repo) => repo.write({ '.git/hooks/pre-commit': '#!/bin/sh\n' })],
  ['a repository inside', (repo) => repo.write({ 'inside/.git/HEAD': 'ref: refs/heads/main\n' })],
  ['a bit that a person set', (repo) => repo.git('update-index', '--assume-unchanged', 'a.ts')],
])('%s: that is for git', (_, change) => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'one\n' })
  change(repo)
  expect(commitHere(repo.path, 'second', 1_700_000_120)).toBeNull()
})
