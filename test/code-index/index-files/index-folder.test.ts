/** A folder of index files: whole files only, removed when unused, and other versions left alone or outlived. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  IndexFolder,
  isOlderVersion,
  nameFor,
  removeOldVersions,
} from '../../../src/code-index/index-files/index-folder.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

const day = 24 * 3600 * 1000

test('what is written is there under its name, and nothing beside it', () => {
  const folder = new IndexFolder(join(temporaryFolder(), 'deep', 'folder'))
  const bytes = Buffer.from('content')
  const name = nameFor(bytes, '.seg')
  expect(name).toMatch(/^[0-9a-f]{32}\.seg$/)
  expect([folder.read(name), folder.list()]).toEqual([null, []])
  expect([folder.write(name, bytes), folder.write(name, bytes)]).toEqual([null, null])
  expect(folder.read(name)).toEqual(bytes)
  expect(readdirSync(folder.path)).toEqual([name])
})

test('a folder that cannot be made: the write says why', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(new IndexFolder(join(file, 'folder')).write('a', Buffer.from('x'))).toMatch(/ENOTDIR|EEXIST/)
})

test('files unused for thirty days are removed with their ending, and drafts after an hour', () => {
  let now = Date.UTC(2026, 0, 1)
  const folder = new IndexFolder(temporaryFolder(), () => now)
  for (const name of ['old.seg', 'used.seg', 'other.tree']) folder.write(name, Buffer.from(name))
  now += 40 * day
  folder.read('used.seg')
  writeFileSync(folder.pathOf('x.seg.1.0a.draft'), 'half')
  utimesSync(folder.pathOf('x.seg.1.0a.draft'), now / 1000 - 7200, now / 1000 - 7200)
  folder.removeUnused('.seg')
  expect(readdirSync(folder.path).sort()).toEqual(['other.tree', 'used.seg'])
})

test('versions are compared number by number', () => {
  const current = 'v2-6-3-0.1.2'
  const older = ['v1.6.0.1.2.3', 'v2-5-9-9.9.9', 'v2', 'v2-6-3-0.1.1']
  const others = [current, `${current}.1`, 'v3', 'v10-0-0-0', 'something else']
  expect(older.filter((name) => !isOlderVersion(name, current))).toEqual([])
  expect(others.filter((name) => isOlderVersion(name, current))).toEqual([])
})

test('folders of earlier versions are removed when they are old, those of later ones never', () => {
  const cache = temporaryFolder()
  const long = Date.now() / 1000 - 40 * 24 * 3600
  for (const name of ['search-3-6-0.1.2', 'search-4-6', 'search-5', 'trees'])
    for (const age of [long]) {
      mkdirSync(join(cache, name))
      utimesSync(join(cache, name), age, age)
    }
  mkdirSync(join(cache, 'search-2'))
  removeOldVersions(cache, 'search-', 'search-4-6')
  expect(
    ['search-3-6-0.1.2', 'search-2', 'search-4-6', 'search-5', 'trees'].map((name) =>
      existsSync(join(cache, name)),
    ),
  ).toEqual([false, true, true, true, true])
})
