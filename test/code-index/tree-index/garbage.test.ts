/** What no snapshot used for thirty days goes; a fake clock sets the stamps. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findDefinitions } from '../../../src/code-index/query/definitions.ts'
import { collectGarbage, collectGarbageDaily } from '../../../src/code-index/tree-index/collect-garbage.ts'
import { createRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { indexingOf } from './indexing.ts'

const day = 24 * 3600 * 1000

test('trees that were not used for thirty days go, with the segments that only they stood in', async () => {
  let now = Date.UTC(2026, 0, 1)
  const clock = (): number => now
  const cacheFolder = temporaryFolder()
  const repo = createRepo()
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`m${at}.py`, `def f${at}(): pass\n`]),
  )
  repo.commit(files)
  const { open, folder } = indexingOf(repo, { cacheFolder, now: clock })
  const first = (await open()).report.tree
  repo.git('checkout', '--quiet', '-b', 'other')
  repo.commit({ 'gone.py': 'def gone(): pass\n' })
  const other = (await open()).report.tree
  const count = () => folder.list().length
  expect(count()).toBe(4)

  now += 20 * day
  expect(collectGarbage(cacheFolder, clock)).toMatchObject({ removedFiles: 0, keptFiles: 4 })
  await open('main')
  now += 20 * day
  const { removedFiles, removedBytes } = collectGarbage(cacheFolder, clock)
  expect(removedFiles).toBe(2)
  expect(removedBytes).toBeGreaterThan(0)
  expect(folder.stat(`${first}.tree`)).not.toBeNull()
  expect(folder.stat(`${other}.tree`)).toBeNull()
  const again = await open('other')
  expect(again.report).toMatchObject({ reused: 30, read: 1, damaged: [] })
  expect((await findDefinitions(again.tree, 'gone')).definitions).toHaveLength(1)

  now += 31 * day
  collectGarbage(cacheFolder, clock)
  expect(existsSync(folder.path)).toBe(false)
  expect((await open()).report).toMatchObject({ reused: 0, damaged: [], notKept: null })
})

test('a manifest that another goes by stays as long as the other', async () => {
  let now = Date.UTC(2026, 0, 1)
  const clock = (): number => now
  const cacheFolder = temporaryFolder()
  const repo = createRepo()
  repo.commit(
    Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}.py`, `def f${at}(): pass\n`])),
  )
  const { open, folder } = indexingOf(repo, { cacheFolder, now: clock })
  const base = (await open()).report.tree
  repo.commit({ 'm1.py': 'def changed(): pass\n' })
  const top = (await open()).report.tree
  now += 40 * day
  // Only the stamp of the later one is fresh.
  const path = join(folder.path, `${top}.tree`)
  utimesSync(path, now / 1000, now / 1000)
  expect(collectGarbage(cacheFolder, clock)).toMatchObject({ removedFiles: 0 })
  expect(folder.stat(`${base}.tree`)).not.toBeNull()
  expect((await open()).report).toMatchObject({ reused: 30, read: 0, damaged: [] })
})

test('earlier versions go when they are old, newer ones never; what is being written stays', async () => {
  const now = Date.UTC(2026, 5, 1)
  const cacheFolder = temporaryFolder()
  const file = (version: string, name: string, ageMs: number): string => {
    const path = join(cacheFolder, 'trees', version, 'repository', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'x')
    utimesSync(path, (now - ageMs) / 1000, (now - ageMs) / 1000)
    return path
  }
  const old = file('v0.1.0.0.0', 'a.words', 40 * day)
  const recent = file('v0.2.0.0.0', 'a.words', 10 * day)
  const newer = file('v999.0.0.0.0', 'a.words', 400 * day)
  const strange = file('somebody-elses', 'a.words', 400 * day)
  collectGarbage(cacheFolder, () => now)
  expect([old, recent, newer, strange].map((path) => existsSync(path))).toEqual([false, true, true, true])

  const repo = createRepo()
  repo.commit({ 'a.py': 'x = 1\n' })
  const { open, folder } = indexingOf(repo, { cacheFolder, now: () => now })
  await open()
  const leftover = (name: string, ageMs: number): void => {
    writeFileSync(join(folder.path, name), 'x')
    utimesSync(join(folder.path, name), (now - ageMs) / 1000, (now - ageMs) / 1000)
  }
  leftover('a.tree.1.0a.draft', 2 * 3600_000)
  leftover('b.tree.2.0b.draft', 60_000)
  leftover('orphan-old.words', 2 * 3600_000)
  leftover('orphan-new.words', 60_000)
  collectGarbage(cacheFolder, () => now)
  const left = folder.list().map(({ name }) => name)
  expect(left).toContain('b.tree.2.0b.draft')
  expect(left).toContain('orphan-new.words')
  expect(left).toHaveLength(4)
})

test('questions collect once a day', () => {
  let now = Date.UTC(2026, 0, 1)
  const cacheFolder = temporaryFolder()
  expect(collectGarbageDaily(cacheFolder, () => now)).not.toBeNull()
  now += 3600 * 1000
  expect(collectGarbageDaily(cacheFolder, () => now)).toBeNull()
  now += day
  expect(collectGarbageDaily(cacheFolder, () => now)).not.toBeNull()
  // Where nothing can be written, nothing is collected either.
  writeFileSync(join(cacheFolder, 'file'), '')
  expect(collectGarbageDaily(join(cacheFolder, 'file'), () => now)).toBeNull()
})
