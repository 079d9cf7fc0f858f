/** Records on demand: from memory, else from the cache on disk, else read in child processes and kept. */
import { nextTurn, turnClock } from '../base/time-budget.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import { factsVersion } from './cache/facts-version.ts'
import { encodeRecord } from './cache/record.ts'
import { LazyMap, Records } from './cache/records.ts'
import type {
  BlobPath,
  FileFacts,
  IndexStore,
  ParseFailure,
  Reading,
  ReadState,
  SegmentTask,
} from './contract.ts'
import { languageOf } from './language-of.ts'
import { blobKey, languages, unitLanguage } from './languages/registry.ts'
import type { MergeTask } from './parsing/merge.ts'
import { defaultLimits, type ParseJob, ParsePool, type PoolLimits } from './parsing/pool.ts'
import { BlobWords, encodeWordsOf } from './segments/blob-words.ts'

export type FactStoreOptions = {
  /** Where records are kept between runs; null keeps them in memory only. */
  cacheFolder: string | null
  signal?: AbortSignal
  /** Tests narrow these. */
  limits?: Partial<PoolLimits>
}

type Source = { path: string; blob: string; text: string }

const packName = `facts-${factsVersion}.pack`

/** What is read and parsed in one go: enough to keep the parsers busy, little enough to hold. */
const filesAtOnce = 300
const bytesAtOnce = 2 * 2 ** 20
/** For files whose size is not given. */
const likelyBytes = 8_000

/** They hold for the text itself; for any other reason a file may be read the next time. */
const lastingReasons: ReadonlySet<string> = new Set(['too-large', 'too-deep', 'minified'])

export function createFactStore(options: FactStoreOptions): IndexStore {
  return new Store(options)
}

class Store implements IndexStore {
  private readonly pool: ParsePool
  private readonly signal: AbortSignal | undefined
  private readonly records: Records
  private readonly failedPaths = new Map<string, ParseFailure['reason']>()
  /** One call at a time parses; the next finds what the one before it has learnt. */
  private last: Promise<unknown> = Promise.resolve()

  constructor({ cacheFolder, signal, limits }: FactStoreOptions) {
    this.pool = new ParsePool({ ...defaultLimits, ...limits })
    this.signal = signal
    this.records = new Records(cacheFolder === null ? null : { folder: cacheFolder, name: packName })
    signal?.addEventListener('abort', () => void this.pool.close(), { once: true })
  }

  get failures(): readonly ParseFailure[] {
    return [...this.failedPaths]
      .map(([path, reason]) => ({ path, reason }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  get notKept(): string | null {
    return this.records.notKept
  }

  async facts(files: readonly Source[]): Promise<ReadonlyMap<string, FileFacts>> {
    const known = files.filter(({ path }) => unitLanguage(path) !== '')
    await this.inTurn(() => this.read(known))
    const indexed = this.keysOf(known, (state) => state === 'indexed')
    return new LazyMap(indexed, (key) => this.records.read(key)?.facts ?? null)
  }

  async readDrafts(files: readonly Source[], signal: AbortSignal): Promise<void> {
    const known = files.filter(({ path }) => unitLanguage(path) !== '')
    await this.inTurn(async () => {
      signal.throwIfAborted()
      await this.read(known, true)
      this.records.keepDrafts(known.map(blobKey))
    })
  }

  keptFacts(files: readonly BlobPath[]): ReadonlyMap<string, FileFacts> {
    this.records.refresh()
    const keys = this.keysOf(
      files.filter((file) => unitLanguage(file.path) !== ''),
      () => true,
    )
    return new LazyMap(keys, (key) => this.records.read(key)?.facts ?? null)
  }

  async readings(
    files: readonly BlobPath[],
    source: Pick<RepoSnapshot, 'readMany'>,
    { mayGoOn = () => true, onProgress }: NonNullable<Parameters<IndexStore['readings']>[2]> = {},
  ): Promise<ReadonlyMap<string, Reading>> {
    this.records.refresh()
    const missing: BlobPath[] = []
    const isLong = turnClock()
    for (const file of files) {
      if (this.records.stateOf(blobKey(file)) === null) missing.push(file)
      if (isLong()) await nextTurn()
    }
    const batches = inBatches(missing)
    let done = files.length - missing.length
    const textsOf = async (batch: readonly BlobPath[] = []): Promise<Source[]> => {
      const found = await source.readMany(batch.map(({ path }) => path))
      return [...found].map(([path, { blob, text }]) => ({ path, blob, text }))
    }
    let ahead = textsOf(batches[0])
    for (const [at, batch] of batches.entries()) {
      if (!mayGoOn()) break
      const sources = await ahead
      // While the parsers work on this batch, the next one is read.
      ahead = textsOf(batches[at + 1])
      ahead.catch(() => {})
      await this.inTurn(() => this.read(sources))
      done += batch.length
      onProgress?.(done)
    }
    await ahead
    return new LazyMap(
      this.keysOf(files, () => true),
      (key) => this.readingOf(key),
    )
  }

  unread<File extends BlobPath>(files: readonly File[]): File[] {
    this.records.refresh()
    return files.filter((file) => !this.records.mayHave(blobKey(file)))
  }

  async segment(task: SegmentTask): Promise<Uint8Array> {
    this.signal?.throwIfAborted()
    return await this.pool.merge(await this.mergeTaskOf(task))
  }

  async close(): Promise<void> {
    this.records.close()
    await this.pool.close()
  }

  private inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const answer = this.last.then(work)
    this.last = answer.catch(() => undefined)
    return answer
  }

  /** Afterwards there is a record of each of the files. */
  private async read(files: readonly Source[], arePassing = false): Promise<void> {
    this.signal?.throwIfAborted()
    this.records.refresh()
    const jobs = new Map<string, ParseJob>()
    for (const file of files) {
      const key = blobKey(file)
      if (jobs.has(key) || this.records.stateOf(key) !== null) continue
      const language = unitLanguage(file.path) === '' ? '' : (languageOf(file.path, file.text) ?? '')
      const variant = languages.get(language)?.variantOf?.(file.path) ?? ''
      jobs.set(key, {
        text: file.text,
        language,
        variant,
        parsed: (record, failed) => this.records.add(key, record, arePassing || isPassing(failed)),
        failed: (reason) =>
          this.records.add(key, recordOfLost(file.text, reason), arePassing || isPassing(reason)),
      })
    }
    try {
      if (jobs.size > 0) await this.pool.run([...jobs.values()])
    } finally {
      this.records.write()
      // The caller's reason for stopping, rather than what it did to the children.
      this.signal?.throwIfAborted()
    }
  }

  /** By path, of those that have a record; takes note of failures. */
  private keysOf(files: readonly BlobPath[], isWanted: (state: ReadState) => boolean): Map<string, string> {
    const keys = new Map<string, string>()
    for (const file of files) {
      const key = blobKey(file)
      const state = this.records.stateOf(key)
      if (state === null) continue
      if (state !== 'indexed' && state !== 'text') this.failedPaths.set(file.path, state)
      if (isWanted(state)) keys.set(file.path, key)
    }
    return keys
  }

  private readingOf(key: string): Reading | null {
    const { records } = this
    const state = records.stateOf(key)
    return (
      state && {
        state,
        get facts() {
          return records.read(key)?.facts ?? null
        },
        get chunks() {
          const words = records.read(key)?.words
          return words ? new BlobWords(words).chunks() : []
        },
      }
    )
  }

  private async mergeTaskOf(task: SegmentTask): Promise<MergeTask> {
    if (task.kind === 'names') {
      const records = await this.recordsOf(task.units, ({ isText }) => isText)
      const languages = task.units.map(({ path }) => unitLanguage(path))
      const units = task.units.map(({ blob, bytes }, at) => ({ blob, bytes, language: languages[at] ?? '' }))
      return { kind: 'names', units, records }
    }
    if (task.kind !== 'chunks') return task
    return { kind: 'chunks', keys: task.files.map(blobKey), records: await this.recordsOf(task.files) }
  }

  /** Null for those that have none to be expected. */
  private async recordsOf<File extends BlobPath>(
    files: readonly File[],
    has: (file: File) => boolean = () => true,
  ): Promise<(Uint8Array | null)[]> {
    const records: (Uint8Array | null)[] = []
    const isLong = turnClock()
    for (const file of files) {
      const record = has(file) ? this.records.recordOf(blobKey(file)) : null
      if (has(file) && !record) throw new Error('a blob that was not read, or whose record was removed')
      records.push(record)
      if (isLong()) await nextTurn()
    }
    return records
  }
}

/** Another run may come further. */
function isPassing(failed: ParseFailure['reason'] | undefined): boolean {
  return failed !== undefined && !lastingReasons.has(failed)
}

/** No child survived the file; its words can be read even so, without a parser. */
function recordOfLost(text: string, reason: ParseFailure['reason']): Uint8Array {
  return encodeRecord(reason, null, encodeWordsOf({ text, state: reason, facts: null }))
}

function inBatches(files: readonly BlobPath[]): BlobPath[][] {
  const batches: BlobPath[][] = []
  let batch: BlobPath[] = []
  let bytes = 0
  for (const file of files) {
    const size = file.size ?? likelyBytes
    if (batch.length >= filesAtOnce || (batch.length > 0 && bytes + size > bytesAtOnce)) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += size
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

// One store of facts for several readers, its parsers kept warm between them.

/** Tells of the failures that this reader met, and of no other's; closing it leaves the store open. */
export function lendFacts(store: IndexStore): IndexStore {
  const failed = new Map<string, ParseFailure>()
  const note = (files: readonly BlobPath[], found: ReadonlyMap<string, unknown>): void => {
    const known = new Map(store.failures.map((failure) => [failure.path, failure]))
    for (const { path } of files) {
      const failure = known.get(path)
      if (failure && !found.has(path)) failed.set(path, failure)
    }
  }
  return {
    async facts(files) {
      const found = await store.facts(files)
      note(files, found)
      return found
    },
    readDrafts: (files, signal) => store.readDrafts(files, signal),
    keptFacts(files) {
      const found = store.keptFacts(files)
      // A file that failed has no facts.
      note(files, new Map())
      return found
    },
    async readings(files, source, options) {
      const found = await store.readings(files, source, options)
      const read = new Map([...found].filter(([, { state }]) => state === 'indexed' || state === 'text'))
      note(files, read)
      return found
    },
    unread: (files) => store.unread(files),
    segment: (task) => store.segment(task),
    get failures() {
      return [...failed.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    get notKept() {
      return store.notKept ?? null
    },
    close: async () => {},
  }
}
