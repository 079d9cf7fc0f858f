/** The list of runs: what an imported run says of itself is foreign. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

test('the header of an imported run is printed with its control characters spelled out', async () => {
  const folder = join(temporaryFolder(), 'shop\u001b[2J\u202egnp\nAPPROVE')
  mkdirSync(folder)
  const repo = new TestRepo(folder)
  repo.git('init', '--quiet', '--initial-branch', 'main')
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  const here = { HOME: temporaryFolder(), XDG_STATE_HOME: temporaryFolder() }
  const there = { HOME: temporaryFolder(), XDG_STATE_HOME: temporaryFolder() }
  const pack = join(temporaryFolder(), 'run.sightline')
  const review = ['review', '--commit', 'HEAD', '--depth', 'offline', '--no-cache', '--quiet']
  expect((await sightline(review, { cwd: folder, env: here })).code).toBe(0)
  expect((await sightline(['runs', 'last', '--export', pack], { env: here })).code).toBe(0)
  expect((await sightline(['runs', '--import', pack], { env: there })).code).toBe(0)
  const { code, stdout } = await sightline(['runs'], { env: there })
  expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 1])
  expect(stdout).toContain('shop')
  expect(stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
