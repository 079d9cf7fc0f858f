/** The store when things go wrong: killed writers, damage, other versions, two processes at once, a full disk. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findDefinitions } from '../../../src/code-index/query/definitions.ts'
import { treesFolder } from '../../../src/code-index/tree-index/stored-trees.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { entry, environment, run, sightline, sightlineProcess } from '../../helpers/sightline.ts'
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

test('a process killed while it writes leaves an index that the next one finishes', async () => {
  const repo = repoWith(300)
  const cache = temporaryFolder()
  const child = spawn(process.execPath, [entry, 'index', '--repo', repo.path], {
    env: environment({ XDG_CACHE_HOME: cache }),
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const timer = setTimeout(() => child.kill('SIGKILL'), 500)
  await ended
  clearTimeout(timer)
  const { code, stdout } = await sightline(['index', '--json', '--repo', repo.path], {
    env: { XDG_CACHE_HOME: cache },
  })
  expect(code).toBe(0)
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({ files: 300, indexed: 300, damaged: [], notKept: null })
  expect(report.reused + report.read).toBe(300)
})

test('two processes that index one repository at once end with one index', async () => {
  const repo = repoWith(120)
  const cache = temporaryFolder()
  const both = await Promise.all(
    [1, 2].map(() =>
      sightlineProcess(['index', '--json', '--repo', repo.path], { env: { XDG_CACHE_HOME: cache } }),
    ),
  )
  for (const { code, stdout } of both) {
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ indexed: 120, damaged: [], notKept: null })
  }
  // The same content has the same name, whoever writes it.
  expect(indexFiles(cache)).toHaveLength(2)
  const again = await sightline(['index', '--json', '--repo', repo.path], { env: { XDG_CACHE_HOME: cache } })
  expect(JSON.parse(again.stdout)).toMatchObject({ reused: 120, read: 0, damaged: [] })
})

test('a disk that takes no more: the answer is right, and it is said that nothing was kept', async () => {
  // Few enough to be read within the time that a question may spend on the index.
  const repo = repoWith(60)
  const cache = temporaryFolder()
  // A limit on the size of files is what a process can be given instead of a full disk.
  const limited = (...args: string[]) =>
    run('sh', ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath, entry, ...args, '--repo', repo.path], {
      env: { XDG_CACHE_HOME: cache },
    })
  const indexed = await limited('index', '--json')
  expect(indexed.code).toBe(0)
  const report = JSON.parse(indexed.stdout)
  expect(report).toMatchObject({ indexed: 60, symbols: 60 })
  expect(report.notKept).toMatch(/EFBIG|ENOSPC/)
  expect(indexFiles(cache).filter((path) => path.endsWith('.words'))).toEqual([])
  const asked = await limited('def', 'f17')
  expect(asked.stdout).toContain('m17.py:1')
  expect(asked.stderr).toContain('the index is in memory only')
})

test('a folder in the place of which a file stands: in memory only', async () => {
  const repo = repoWith(3)
  const cache = temporaryFolder()
  writeFileSync(join(cache, 'sightline'), 'not a folder')
  const { code, stdout } = await sightline(['index', '--json', '--repo', repo.path], {
    env: { XDG_CACHE_HOME: cache },
  })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ indexed: 3, notKept: expect.stringMatching(/ENOTDIR|EEXIST/) })
  expect(statSync(join(cache, 'sightline')).isFile()).toBe(true)
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
