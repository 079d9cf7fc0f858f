/** Compiled code for roles: filled once, also by servers that begin at the same moment. */
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fillCompiled, folderForCompiled } from '../../../src/server/roles/compiled.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { needs } from '../../helpers/needs/needs.ts'

test(
  'two servers fill one data folder side by side; what was left there is removed or replaced, what is being filled is not',
  needs('bubblewrap'),
  async () => {
    const data = temporaryFolder()
    const folder = folderForCompiled(data)
    const all = join(data, 'compiled')
    // Of a server that was killed, of one that fills it now, and of a version that filled it in place.
    const [killed, filled] = [join(all, '0123456789abcdef-Killed'), join(all, '0123456789abcdef-Filled')]
    for (const left of [killed, filled, join(folder, 'half')]) mkdirSync(left, { recursive: true })
    const [yesterday, now] = [new Date(Date.now() - 86_400_000), new Date()]
    utimesSync(killed, yesterday, yesterday)
    utimesSync(filled, now, now)

    const filling = fillCompiled(data)
    const own = () => readdirSync(all).filter((name) => name.startsWith(`${basename(folder)}-`))
    await vi.waitUntil(() => own().length > 0)
    const placeOf = (name: string) => statSync(join(all, name)).ino
    const places = own().map(placeOf)
    const again = fillCompiled(data)
    // It is in use: a process in it would look for its place for ever.
    expect(own().map(placeOf)).toEqual(expect.arrayContaining(places))
    expect(await Promise.all([filling, again])).toEqual([folder, folder])
    expect(readdirSync(all).sort()).toEqual([basename(filled), basename(folder)].sort())
    expect(existsSync(join(folder, 'complete'))).toBe(true)
    expect(existsSync(join(folder, 'half'))).toBe(false)
    expect(await fillCompiled(data)).toBe(folder)
  },
)
