/** The demo: the same repository everywhere, and a review of it that finds every seeded problem on its line. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { buildDemo } from '../../src/cli/demo/build.ts'
import { reviewChange } from '../../src/sightline.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'

test('every seeded problem is found on its line, by its plane, and nothing is said of clean changes', async () => {
  const { repository, base, head, seeded } = await buildDemo(join(temporaryFolder(), 'demo'))
  const { review } = await reviewChange({
    folder: repository,
    selector: { kind: 'range', range: `${base}..${head}` },
    cacheFolder: null,
    facts: sharedFacts(),
  })
  const found = review.findings.map(({ plane, anchor, side, startLine }) => [
    plane,
    anchor.path,
    side,
    startLine,
  ])
  for (const { plane, path, side, line } of seeded) expect(found).toContainEqual([plane, path, side, line])
  const lines = seeded.map(({ path, side, line }) => `${path} ${side} ${line}`)
  for (const [, path, side, line] of found) expect(lines).toContain(`${path} ${side} ${line}`)
  expect(review.coverage).toMatchObject({ complete: true, limits: [] })
  expect(review.conclusion.word).toBe('REQUEST_CHANGES')
})

test('there is a problem for every plane of the product that proposes findings', async () => {
  const { seeded } = await buildDemo(join(temporaryFolder(), 'demo'))
  const { planeNames } = await import('../../src/pipeline/planes/registry.ts')
  expect(new Set(seeded.map(({ plane }) => plane))).toEqual(
    // These need something from elsewhere: a ticket, results of other tools, other repositories.
    new Set(planeNames.filter((name) => !['ticket', 'linters', 'across'].includes(name))),
  )
  expect(seeded.length).toBeGreaterThanOrEqual(12)
})

test('commit ids do not depend on the folder, the clock or the configuration of the user', async () => {
  const home = temporaryFolder()
  const hooks = join(home, 'template', 'hooks')
  mkdirSync(hooks, { recursive: true })
  writeFileSync(join(hooks, 'post-checkout'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 })
  writeFileSync(
    join(home, '.gitconfig'),
    `[user]\n\tname = Somebody\n[commit]\n\tgpgSign = true\n[core]\n\tautocrlf = true\n\thooksPath = ${hooks}\n[init]\n\tdefaultBranch = trunk\n\ttemplateDir = ${join(home, 'template')}\n`,
  )
  const plain = await buildDemo(join(temporaryFolder(), 'demo'))
  vi.stubEnv('HOME', home)
  vi.stubEnv('GIT_AUTHOR_NAME', 'Somebody')
  vi.stubEnv('GIT_DIR', join(home, 'elsewhere'))
  const configured = await buildDemo(join(temporaryFolder(), 'elsewhere', 'demo'))
  vi.unstubAllEnvs()

  expect([configured.base, configured.head]).toEqual([plain.base, plain.head])
  expect([plain.base, plain.head]).toEqual([
    'c2edae7f63efbd79877311a66d0b16c9029def39',
    'e6cf6b114fd515d9ea96cd35c25f71629fc247f3',
  ])
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', configured.repository, ...args], { encoding: 'utf8' }).trim()
  expect(git('status', '--porcelain')).toBe('')
  expect(git('branch', '--show-current')).toBe('feature')
  expect(git('rev-list', '--count', 'main')).toBe('12')
  expect(git('fsck', '--strict')).toBe('')
})
