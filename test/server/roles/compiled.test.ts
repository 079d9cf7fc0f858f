/** Compiled code for roles: filled once, also by servers that begin at the same moment. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fillCompiled } from '../../../src/server/roles/compiled.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { needs } from '../../helpers/needs/needs.ts'

test(
  'two servers on one data folder fill it side by side, and one result is left',
  needs('bubblewrap'),
  async () => {
    const data = temporaryFolder()
    const filling = fillCompiled(data)
    const all = join(data, 'compiled')
    await vi.waitUntil(() => existsSync(all) && readdirSync(all).length > 0)
    const folders = readdirSync(all).map((name) => statSync(join(all, name)).ino)
    const again = fillCompiled(data)
    // It is in use: a process in it would look for its place for ever.
    expect(readdirSync(all).map((name) => statSync(join(all, name)).ino)).toEqual(
      expect.arrayContaining(folders),
    )
    const [first, second] = await Promise.all([filling, again])
    expect(first).not.toBeNull()
    expect(second).toBe(first)
    expect(readdirSync(join(data, 'compiled'))).toHaveLength(1)
    expect(readdirSync(first ?? '')).toContain('complete')
    expect(await fillCompiled(data)).toBe(first)
  },
)

test('what another version left incomplete is replaced', needs('bubblewrap'), async () => {
  const data = temporaryFolder()
  const folder = (await fillCompiled(temporaryFolder()))?.split('/').at(-1) ?? ''
  mkdirSync(join(data, 'compiled', folder, 'half'), { recursive: true })
  expect(await fillCompiled(data)).toBe(join(data, 'compiled', folder))
  expect(readdirSync(join(data, 'compiled', folder))).not.toContain('half')
})
