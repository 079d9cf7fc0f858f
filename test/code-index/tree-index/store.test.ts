/** The store when things go wrong: damage, other versions, two processes at once, a full disk. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findDefinitions } from '../../../src/code-index/query/definitions.ts'
import { treesFolder } from '../../../src/code-index/tree-index/stored-trees.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { entry, run, sightline, sightlineProcess } from '../../helpers/sightline.ts'
import { indexingOf } from './indexing.ts'

function repoWith(count: number): TestRepo {
  const repo = createRepo()
  repo.commit(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `m${at}.py`,
        `def f${at}():\n    return [${Array.from({ length: 20 }, (__, word) => `word_${at}_${word}`)}]\n`,
      ]),
    ),
  )
  return repo
}

function indexFiles(cache: string): string[] {
  return readdirSync(join(cache, 'sightline', treesFolder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(tree|words)$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .sort()
}

test('each file of the index damaged in turn: it is seen, made anew, and said', async () => {
  const repo = repoWith(12)
  const cacheFolder = temporaryFolder()
  const { open, folder } = indexingOf(repo, { cacheFolder })
  await open()
  const names = folder.list().map(({ name }) => name)
  expect(names).toHaveLength(2)
  for (const name of names)
    for (const damage of ['flip', 'cut', 'empty'] as const) {
      const path = join(folder.path, name)
      const bytes = readFileSync(path)
      const middle = bytes.length >> 1
      if (damage === 'flip') bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
      writeFileSync(path, damage === 'empty' ? '' : damage === 'cut' ? bytes.subarray(0, middle) : bytes)
      const { report, tree } = await open()
      expect(report.damaged, `${name} ${damage}`).toEqual([name])
      expect(report.read).toBe(12)
      expect((await findDefinitions(tree, 'f7')).definitions).toHaveLength(1)
      expect((await open()).report).toMatchObject({ damaged: [], read: 0 })
    }
})

test('two processes that index one repository at once end with one index', async () => {
  const repo = repoWith(40)
  const cache = temporaryFolder()
  const index = [['index', '--json', '--repo', repo.path], { env: { XDG_CACHE_HOME: cache } }] as const
  const both = await Promise.all([sightlineProcess(...index), sightline(...index)])
  for (const { code, stdout } of both) {
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ indexed: 40, damaged: [], notKept: null })
  }
  // The same content has the same name, whoever writes it.
  expect(indexFiles(cache)).toHaveLength(2)
  const again = await sightline(...index)
  expect(JSON.parse(again.stdout)).toMatchObject({ reused: 40, read: 0, damaged: [] })
})

test('a disk that takes no more: the answer is right, and it is said that nothing was kept', async () => {
  const repo = repoWith(60)
  const cache = temporaryFolder()
  // A limit on the size of files is what a process can be given instead of a full disk.
  const command = [process.execPath, entry, 'index', '--json', '--repo', repo.path]
  const limited = ['-c', 'ulimit -f 16; exec "$0" "$@"', ...command]
  const { code, stdout } = await run('sh', limited, { env: { XDG_CACHE_HOME: cache } })
  expect(code).toBe(0)
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({ indexed: 60, symbols: 60 })
  expect(report.notKept).toMatch(/EFBIG|ENOSPC/)
  expect(indexFiles(cache).filter((path) => path.endsWith('.words'))).toEqual([])
})

test('a folder in the place of which a file stands: in memory only, which a question says', async () => {
  const repo = repoWith(3)
  const env = { XDG_CACHE_HOME: temporaryFolder() }
  const blocked = join(env.XDG_CACHE_HOME, 'sightline')
  writeFileSync(blocked, 'not a folder')
  const { code, stdout } = await sightline(['index', '--json', '--repo', repo.path], { env })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ indexed: 3, notKept: expect.stringMatching(/ENOTDIR|EEXIST/) })
  const asked = await sightline(['def', 'f1', '--repo', repo.path], { env })
  expect(asked.stdout).toContain('m1.py:1')
  expect(asked.stderr).toContain('the index is in memory only')
  expect(statSync(blocked).isFile()).toBe(true)
})

test('an index of another version is not read', async () => {
  const repo = repoWith(3)
  const cacheFolder = temporaryFolder()
  const { open, folder } = indexingOf(repo, { cacheFolder })
  await open()
  const versions = dirname(folder.path)
  for (const other of ['v0.1.0.0.0', 'v999.1.0.0.0']) {
    const path = join(dirname(versions), other, 'repository')
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'x.words'), 'of another time')
  }
  expect((await open()).report).toMatchObject({ reused: 3, damaged: [] })
  expect(existsSync(join(dirname(versions), 'v999.1.0.0.0', 'repository', 'x.words'))).toBe(true)
})
