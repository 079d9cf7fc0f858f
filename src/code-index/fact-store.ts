/** Facts on demand: from memory, else from the cache on disk, else parsed in child processes and remembered. */
import { factsVersion } from './cache/facts-version.ts'
import { FactMap, Records } from './cache/records.ts'
import type { FactStore, FileFacts, ParseFailure } from './contract.ts'
import { languageOf } from './language-of.ts'
import { languages } from './languages/registry.ts'
import { defaultLimits, type ParseJob, ParsePool, type PoolLimits } from './parsing/pool.ts'

export type FactStoreOptions = {
  /** Where records are kept between runs; null keeps them in memory only. */
  cacheFolder: string | null
  signal?: AbortSignal
  /** Tests narrow these. */
  limits?: Partial<PoolLimits>
}

type Source = { path: string; blob: string; text: string }

const packName = `facts-${factsVersion}.pack`

export function createFactStore(options: FactStoreOptions): FactStore {
  return new Store(options)
}

class Store implements FactStore {
  private readonly pool: ParsePool
  private readonly signal: AbortSignal | undefined
  private readonly records: Records
  private readonly failedKeys = new Map<string, ParseFailure['reason']>()
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

  facts(files: readonly Source[]): Promise<ReadonlyMap<string, FileFacts>> {
    const answer = this.last.then(() => this.answer(files))
    this.last = answer.catch(() => undefined)
    return answer
  }

  async close(): Promise<void> {
    this.records.close()
    await this.pool.close()
  }

  private async answer(files: readonly Source[]): Promise<ReadonlyMap<string, FileFacts>> {
    this.signal?.throwIfAborted()
    this.records.refresh()
    const keys = new Map<string, string>()
    const jobs = new Map<string, ParseJob>()
    for (const { path, blob, text } of files) {
      const language = languageOf(path, text)
      const table = language === null ? undefined : languages.get(language)
      if (!table) continue
      const variant = table.variantOf?.(path) ?? ''
      const key = `${blob} ${table.id} ${variant}`
      keys.set(path, key)
      if (jobs.has(key) || this.failedKeys.has(key) || this.records.has(key)) continue
      const reason = refusal(text)
      if (reason) this.failedKeys.set(key, reason)
      else jobs.set(key, this.jobFor(key, { text, language: table.id, variant }))
    }
    try {
      if (jobs.size > 0) await this.pool.run([...jobs.values()])
    } finally {
      this.records.write()
      // The caller's reason for stopping, rather than what it did to the children.
      this.signal?.throwIfAborted()
    }
    for (const [path, key] of keys) {
      const reason = this.failedKeys.get(key)
      if (reason) this.failedPaths.set(path, reason)
      if (!this.records.has(key)) keys.delete(path)
    }
    return new FactMap(keys, (key) => this.records.facts(key))
  }

  private jobFor(key: string, file: Pick<ParseJob, 'text' | 'language' | 'variant'>): ParseJob {
    return {
      ...file,
      parsed: (record) => this.records.add(key, record),
      failed: (reason) => this.failedKeys.set(key, reason),
    }
  }
}

// What is not worth giving to a parser, by the text alone.

const largest = 1024 * 1024
/** A file is minified when its lines are this long on average, or one of them is this long. */
const longAverage = 500
const longestLine = 50_000
const deepest = 3_000

/** Null when the text may be parsed. */
export function refusal(text: string): ParseFailure['reason'] | null {
  if (text.length > largest) return 'too-large'
  if (isMinified(text)) return 'minified'
  return isTooDeep(text) ? 'too-deep' : null
}

function isMinified(text: string): boolean {
  let lines = 0
  let from = 0
  while (from < text.length) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    if (to - from > longestLine) return true
    lines++
    from = to + 1
  }
  // A short file with one long line is data a parser takes in its stride.
  return text.length > 20_000 && text.length / lines > longAverage
}

/** Counts brackets wherever they are, also in strings, which only matters for strange files. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 40 || code === 91 || code === 123) {
      depth++
      if (depth > deepest) return true
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--
  }
  return false
}

// One store of facts for several readers, its parsers kept warm between them.

/** Tells of the failures that this reader met, and of no other's; closing it leaves the store open. */
export function lendFacts(store: FactStore): FactStore {
  const failed = new Map<string, ParseFailure>()
  return {
    async facts(files) {
      const found = await store.facts(files)
      const known = new Map(store.failures.map((failure) => [failure.path, failure]))
      for (const { path } of files) {
        const failure = found.has(path) ? undefined : known.get(path)
        if (failure) failed.set(path, failure)
      }
      return found
    },
    get failures() {
      return [...failed.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    get notKept() {
      return store.notKept ?? null
    },
    close: async () => {},
  }
}
