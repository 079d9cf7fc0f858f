/**
 * What a database would cost as container of the index, beside today's files in the same run: records of blobs in the pack and as
 * rows of SQLite; words of blobs in segments, as a table of postings and as FTS5. Milliseconds of CPU, medians.
 *
 *   node bench/index/containers.ts GIT_DIRECTORY…
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Pack } from '../../src/code-index/cache/pack.ts'
import { decodeRecord } from '../../src/code-index/cache/record.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { blobKey } from '../../src/code-index/languages/registry.ts'
import { BlobWords } from '../../src/code-index/segments/blob-words.ts'
import { refreshTree } from '../../src/code-index/tree-index/refresh.ts'
import { openStoredTrees } from '../../src/code-index/tree-index/stored-trees.ts'
import type { TreeIndex } from '../../src/code-index/tree-index/tree-index.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { everyNth } from './accuracy-sample.ts'

/** As the index writes them. */
const recordsAtOnce = 20
const questions = { records: 300, words: 200 }

type Entry = readonly [key: string, record: Buffer]
type Costs = Record<string, number>

for (const folder of process.argv.slice(2)) console.log(JSON.stringify(await measure(folder)))

async function measure(folder: string): Promise<Record<string, unknown>> {
  const work = mkdtempSync(join(tmpdir(), 'containers-'))
  const cache = join(work, 'cache')
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits })
  const facts = createFactStore({ cacheFolder: cache })
  try {
    const stored = openStoredTrees(cache, folder)
    const refreshed = await refreshTree({ snapshot: change.head, facts, stored, keep: true })
    if (!('tree' in refreshed)) throw new Error(`${folder} was not indexed`)
    const { index } = refreshed.tree
    const { name, entries } = recordsOf(cache, index)
    const words = entries.map(([, record]) => wordsOf(record))
    // FTS5 cuts words at some characters beyond ASCII, and without positions it cannot put the parts together again.
    const plain = [...new Set(words.flat())].filter((word) => /^[\w$]+$/.test(word))
    const asked = everyNth(plain, questions.words)
    return {
      repository: basename(dirname(folder)),
      blobs: entries.length,
      pack: packCosts(work, cache, name, entries),
      rows: rowCosts(work, entries),
      words: {
        ...postingCosts(work, words, asked),
        ...ftsCosts(work, words, asked),
        ...segmentCosts(cache, index, asked),
      },
    }
  } finally {
    await facts.close()
    await change.close()
    rmSync(work, { recursive: true, force: true })
  }
}

function recordsOf(cache: string, index: TreeIndex): { name: string; entries: Entry[] } {
  const name = readdirSync(cache).find((one) => one.endsWith('.pack')) ?? ''
  const pack = Pack.open(cache, name)
  if (typeof pack === 'string') throw new Error(pack)
  pack.refresh()
  const keys = new Set(index.entries.map((entry) => blobKey(entry)))
  const entries = [...keys].flatMap((key): Entry[] => {
    const record = pack.get(key)
    return record ? [[key, record]] : []
  })
  pack.close()
  return { name, entries }
}

function wordsOf(record: Buffer): string[] {
  const words: string[] = []
  new BlobWords(decodeRecord(record).words).eachName((word) => words.push(word))
  return words
}

function packCosts(work: string, cache: string, name: string, entries: readonly Entry[]): Costs {
  const opened = (folder: string): Pack => {
    const pack = Pack.open(folder, name)
    if (typeof pack === 'string') throw new Error(pack)
    return pack
  }
  const write = cpuMs(3, () => {
    const pack = opened(mkdtempSync(join(work, 'pack-')))
    for (const batch of inBatches(entries)) pack.add(batch)
    pack.close()
  })
  const open = cpuMs(5, () => {
    const pack = opened(cache)
    pack.refresh()
    for (const [key] of entries) pack.has(key)
    pack.close()
  })
  const pack = opened(cache)
  pack.refresh()
  const read = cpuMs(5, () => {
    for (const [key] of everyNth(entries, questions.records)) pack.get(key)
  })
  pack.close()
  return { bytes: statSync(join(cache, name)).size, write, open, read }
}

function rowCosts(work: string, entries: readonly Entry[]): Costs {
  let files = 0
  const filled = (): string => {
    const file = join(work, `rows-${files++}.db`)
    const database = openWithLog(file)
    database.exec('create table record (id integer primary key, key text unique, state int, bytes blob)')
    const put = database.prepare('insert into record (key, state, bytes) values (?, ?, ?)')
    for (const batch of inBatches(entries)) {
      database.exec('begin')
      for (const [key, record] of batch) put.run(key, record[0] ?? 0, record)
      database.exec('commit')
    }
    database.close()
    return file
  }
  const write = cpuMs(3, filled)
  const file = filled()
  const open = cpuMs(5, () => {
    const database = new DatabaseSync(file)
    const state = database.prepare('select state from record where key = ?')
    for (const [key] of entries) state.get(key)
    database.close()
  })
  const database = new DatabaseSync(file)
  const get = database.prepare('select bytes from record where key = ?')
  const read = cpuMs(5, () => {
    for (const [key] of everyNth(entries, questions.records)) get.get(key)
  })
  database.close()
  return { bytes: statSync(file).size, write, open, read }
}

function postingCosts(work: string, words: readonly string[][], asked: readonly string[]): Costs {
  const file = join(work, 'postings.db')
  const database = openWithLog(file)
  const postingsWrite = cpuMs(1, () => {
    database.exec(`create table word (id integer primary key, word text unique);
      create table posting (word int, blob int, primary key (word, blob)) without rowid; begin`)
    const add = database.prepare('insert into word (word) values (?) returning id')
    const post = database.prepare('insert into posting values (?, ?)')
    const ids = new Map<string, number>()
    for (const [blob, list] of words.entries())
      for (const word of list) {
        const id = ids.get(word) ?? Number(add.get(word)?.id)
        ids.set(word, id)
        post.run(id, blob)
      }
    database.exec('commit')
  })
  const find = database.prepare(
    'select blob from word join posting on posting.word = word.id where word.word = ?',
  )
  const postingsAsk = cpuMs(5, () => {
    for (const word of asked) find.all(word)
  })
  database.close()
  return { postingsBytes: statSync(file).size, postingsWrite, postingsAsk }
}

function ftsCosts(work: string, words: readonly string[][], asked: readonly string[]): Costs {
  const file = join(work, 'fts.db')
  const database = openWithLog(file)
  const ftsWrite = cpuMs(1, () => {
    database.exec(`create virtual table words using fts5 (text, detail = none, content = '',
      tokenize = "unicode61 remove_diacritics 0 tokenchars '_$'"); begin`)
    const put = database.prepare('insert into words (rowid, text) values (?, ?)')
    for (const [blob, list] of words.entries()) put.run(blob + 1, list.join(' '))
    database.exec('commit')
  })
  const find = database.prepare('select rowid from words where words match ?')
  const ftsAsk = cpuMs(5, () => {
    for (const word of asked) find.all(`"${word}"`)
  })
  database.close()
  return { ftsBytes: statSync(file).size, ftsWrite, ftsAsk }
}

/** Once: an index remembers its answers. */
function segmentCosts(cache: string, index: TreeIndex, asked: readonly string[]): Costs {
  const segmentsAsk = cpuMs(1, () => {
    for (const word of asked) index.find(word)
  })
  const files = readdirSync(join(cache, 'trees'), { recursive: true, withFileTypes: true })
  const sizes = files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).size)
  return { segmentsBytes: sizes.reduce((sum, size) => sum + size, 0), segmentsAsk }
}

function openWithLog(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  return database
}

function inBatches(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = []
  for (let at = 0; at < entries.length; at += recordsAtOnce)
    batches.push(entries.slice(at, at + recordsAtOnce))
  return batches
}

function cpuMs(times: number, work: () => void): number {
  const costs = Array.from({ length: times }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Number((costs.toSorted((a, b) => a - b)[times >> 1] ?? 0).toFixed(2))
}
