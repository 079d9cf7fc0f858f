/** Compiled code for roles: filled once, also by servers that begin at the same moment. */
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fillCompiled } from '../../../src/server/roles/compiled.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { needs } from '../../helpers/needs/needs.ts'

/** Of the folder for this version, which the first test learns. */
let name = ''

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
    name = basename(first ?? '')
  },
)

test(
  'what a killed server or another version left is removed or replaced, and what another one fills is not',
  needs('bubblewrap'),
  async () => {
    const data = temporaryFolder()
    const inAll = (...names: string[]) => join(data, 'compiled', ...names)
    const [left, filling] = [inAll('0123456789abcdef-Killed'), inAll('0123456789abcdef-Filled')]
    for (const folder of [left, filling, inAll(name, 'half')]) mkdirSync(folder, { recursive: true })
    const [yesterday, now] = [new Date(Date.now() - 86_400_000), new Date()]
    utimesSync(left, yesterday, yesterday)
    utimesSync(filling, now, now)
    expect(await fillCompiled(data)).toBe(inAll(name))
    expect(readdirSync(inAll()).sort()).toEqual([basename(filling), name].sort())
    expect(readdirSync(inAll(name))).not.toContain('half')
  },
)
