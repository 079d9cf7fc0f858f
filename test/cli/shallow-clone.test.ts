/** A shallow clone: what is here is reviewed, and what is missing says how to fetch it. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

function clone(depth: number): TestRepo {
  const repo = createRepo()
  for (const value of [1, 2, 3]) repo.commit({ 'a.ts': `export const a = ${value}\n` })
  const path = join(temporaryFolder(), 'clone')
  execFileSync('git', ['clone', '--quiet', `--depth=${depth}`, `file://${repo.path}`, path])
  return new TestRepo(path)
}

const review = ['review', '--no-cache', '--no-record', '--depth', 'offline']

test('with one commit: uncommitted work is reviewed, the commit itself says how to deepen', async () => {
  const repo = clone(1)
  const { code, stdout, stderr } = await sightline([...review, 'HEAD'], { cwd: repo.path })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    /commit [0-9a-f]{7}: this clone is shallow and ends there; to fetch its parent, run `git fetch --deepen=1`/,
  )
  expect(stderr).toContain('`fetch-depth: 0`')
  const older = await sightline([...review, 'HEAD~1'], { cwd: repo.path })
  expect(older.code).toBe(2)
  expect(older.stderr).toContain('`HEAD~1`; this clone is shallow, so it may only be missing here')
  repo.write({ 'a.ts': 'export const a = 4\n' })
  const dirty = await sightline(review, { cwd: repo.path })
  expect(dirty.code).toBe(0)
  expect(dirty.stdout).toContain('reviewed 1 of 1 changed file')
  expect(dirty.stdout).toContain(
    '  shallow clone, history is incomplete: run `git fetch --unshallow` to fetch\n    it\n',
  )
})

test('with two, the last commit is reviewed', async () => {
  const { code, stdout } = await sightline([...review, 'HEAD'], { cwd: clone(2).path })
  expect(code).toBe(0)
  expect(stdout).toContain('reviewed 1 of 1 changed file')
})
