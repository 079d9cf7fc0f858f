/** What was read before a run was cut or killed is found by the next one, and what is damaged is read again. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFactStore } from '../../../src/code-index/fact-store.ts'
import { openChunkIndex } from '../../../src/code-index/search/index/open-index.ts'
import { reportOf } from '../../../src/code-index/tree-index/index-tree.ts'
import { refreshTree } from '../../../src/code-index/tree-index/refresh.ts'
import {
  repositoryFolder,
  StoredTrees,
  treesFolder,
} from '../../../src/code-index/tree-index/stored-trees.ts'
import { createRepo, type Files, type TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { headOf, watched } from '../../helpers/head-of.ts'
import { drawn } from '../../helpers/matrix.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { entry } from '../../helpers/sightline.ts'

/** More than are read and written in one go. */
const files = 360
const linesEach = 4

function manyFiles(): TestRepo {
  const made: Files = {}
  for (let at = 0; at < files; at++)
    made[`part${at % 10}/file_${at}.py`] = Array.from(
      { length: linesEach },
      (_, line) => `def work_${at}_${line}(value):\n    return value + ${line}\n`,
    ).join('\n')
  return repoOf(made)
}

function repoOf(made: Files): TestRepo {
  const repo = createRepo()
  repo.commit(made)
  return repo
}

function storeIn(cacheFolder: string) {
  const store = createFactStore({ cacheFolder })
  onTestFinished(() => store.close())
  return store
}

/** Indexes names and chunks as the command does; what was found of a word, and which texts were read for it. */
async function indexed(repo: TestRepo, cacheFolder: string): Promise<{ found: unknown; asked: string[] }> {
  const { snapshot, read: asked } = watched(await headOf(repo))
  const facts = storeIn(cacheFolder)
  const stored = new StoredTrees(repositoryFolder(cacheFolder, repo.path))
  const refreshed = await refreshTree({ snapshot, facts, stored })
  if (!('tree' in refreshed)) throw new Error(refreshed.why)
  const chunks = await openChunkIndex(snapshot, facts, { cacheFolder })
  const words = ['work_7_3', `work_${files - 1}_${linesEach - 1}`, 'value', 'nowhere']
  const names = words.map((word) => refreshed.tree.index.find(word)?.length)
  const postings = words.map((word) => chunks.postingsOf(word).documents.length)
  const { damaged, notKept } = reportOf(refreshed, stored)
  return { found: { names, postings, size: chunks.size, damaged, notKept }, asked }
}

function packIn(cacheFolder: string): string | null {
  const name = existsSync(cacheFolder) && readdirSync(cacheFolder).find((one) => one.endsWith('.pack'))
  return name ? join(cacheFolder, name) : null
}

function packSize(cacheFolder: string): number {
  const pack = packIn(cacheFolder)
  return pack === null ? 0 : statSync(pack).size
}

const expected = { names: [1, 1, files, 0], damaged: [], notKept: null }

const stages: Record<string, (cacheFolder: string) => boolean> = {
  'it keeps what it has read': (cacheFolder) => packSize(cacheFolder) > 0,
  'it writes the index': (cacheFolder) => existsSync(join(cacheFolder, treesFolder)),
}

test.each(drawn(Object.entries(stages)))(
  'killed while %s: the next run reads only the rest; a damaged end costs what was in it',
  async (_, hasBegun) => {
    const repo = manyFiles()
    const cache = temporaryFolder()
    const cacheFolder = join(cache, 'sightline')
    const child = spawn(process.execPath, [entry, 'index', '--repo', repo.path], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, XDG_CACHE_HOME: cache },
    })
    const ended = new Promise((done) => child.once('exit', done))
    for (;;) {
      if (hasBegun(cacheFolder) || child.exitCode !== null) break
      await new Promise((done) => setTimeout(done, 2))
    }
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended

    const pack = packIn(cacheFolder) ?? ''
    truncateSync(pack, statSync(pack).size - 50)
    const bytes = readFileSync(pack)
    bytes.writeUInt8(bytes.readUInt8(60) ^ 0x55, 60)
    writeFileSync(pack, bytes)

    const second = await indexed(repo, cacheFolder)
    expect(second.found).toMatchObject(expected)
    expect(second.asked.length).toBeGreaterThan(0)
    expect(second.asked.length).toBeLessThan(files)
    const third = await indexed(repo, cacheFolder)
    expect([third.found, third.asked]).toEqual([second.found, []])
  },
)

test('cut by its time: what was read is kept, and counts as read for the limits of the next run', async () => {
  const repo = manyFiles()
  const cacheFolder = temporaryFolder()
  const first = watched(await headOf(repo))
  const entries = await first.snapshot.list()
  let batches = 0
  const facts = storeIn(cacheFolder)
  const read = await facts.readings(entries, first.snapshot, { mayGoOn: () => batches++ === 0 })
  expect(read.size).toBeGreaterThan(0)
  expect(read.size).toBeLessThan(files)
  expect(facts.unread(entries)).toHaveLength(files - read.size)
  await facts.close()

  const next = watched(await headOf(repo))
  const again = storeIn(cacheFolder)
  const rest = again.unread(entries)
  expect(rest).toHaveLength(files - read.size)
  await again.readings(entries, next.snapshot)
  expect(next.read.sort()).toEqual(rest.map(({ path }) => path).sort())

  // Nothing is left to be parsed, so that even no time for parsing is enough.
  const stored = new StoredTrees(repositoryFolder(cacheFolder, repo.path))
  const refreshed = await refreshTree({ snapshot: next.snapshot, facts: again, stored, mostBytes: 0 })
  expect('tree' in refreshed && refreshed.tree.index.find('value')?.length).toBe(files)
})

test('files are read in the given order, each once, whoever asks for which part', async () => {
  const repo = repoOf({
    'a.ts': 'export const a = 1 // once\n',
    'b.md': '# Once words of prose\n',
    'c.bin': 'x\0y',
  })
  const { snapshot, read: asked } = watched(await headOf(repo))
  const facts = sharedFacts()
  const entries = await snapshot.list()
  const readings = await facts.readings(entries.toReversed(), snapshot)
  expect([...readings].map(([path, { state }]) => [path, state])).toEqual([
    ['b.md', 'text'],
    ['a.ts', 'indexed'],
  ])
  expect(readings.get('a.ts')?.facts?.symbols.map(({ name }) => name)).toEqual(['a'])
  expect(readings.get('b.md')?.chunks[0]?.terms.get('prose')).toBe(1)
  expect(asked).toEqual(['c.bin', 'b.md', 'a.ts'])
  const texts = await snapshot.readMany(['a.ts'])
  const known = [...texts].map(([path, { blob, text }]) => ({ path, blob, text }))
  expect((await facts.facts(known)).get('a.ts')).toBe(readings.get('a.ts')?.facts)
})
