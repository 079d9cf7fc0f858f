/** `review --settings` names the operator's file for one review. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

test('the named file is used instead of the usual one, and has to be there', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const one = 1\n' })
  repo.commit({ 'a.ts': 'export const one = 2\n' })
  writeFileSync(join(repo.path, 'usual.yaml'), '{}\n')
  writeFileSync(join(repo.path, 'other.yaml'), 'nonsense: true\n')
  const env = { SIGHTLINE_SETTINGS: join(repo.path, 'usual.yaml') }
  const review = (...words: string[]) =>
    sightline(['review', 'HEAD', '--depth', 'offline', '--no-record', ...words], { cwd: repo.path, env })
  expect(await review()).toMatchObject({ code: 0 })
  const named = await review('--settings', 'other.yaml')
  expect(named.code).toBe(2)
  expect(named.stderr).toContain('other.yaml')
  expect(named.stderr).toContain('nonsense')
  expect((await review('--settings', 'missing.yaml')).stderr).toContain('missing.yaml cannot be read')
})
