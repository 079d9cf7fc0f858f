/** Facts on demand: from memory, else from the cache on disk, else parsed in child processes and remembered. */
import { createRequire } from 'node:module'
import { Pack } from './cache/pack.ts'
import { decodeFacts, recordVersion } from './cache/record.ts'
import type { FactStore, FileFacts, ParseFailure } from './contract.ts'
import { languageOf } from './language-of.ts'
import { languages } from './languages/registry.ts'
import { defaultLimits, type ParseJob, ParsePool, type PoolLimits } from './parsing/pool.ts'
import { refusal } from './parsing/prechecks.ts'

export type FactStoreOptions = {
  /** Where records are kept between runs; null keeps them in memory only. */
  cacheFolder: string | null
  signal?: AbortSignal
  /** Tests narrow these. */
  limits?: Partial<PoolLimits>
}

type Source = { path: string; blob: string; text: string }

/** Facts change with the extraction and with the grammars; either starts a new file. */
const grammars: { version: string } = createRequire(import.meta.url)('@vscode/tree-sitter-wasm/package.json')
const packName = `facts-${recordVersion}-${grammars.version}.pack`

/** Decoded facts kept at hand; the others wait as records. */
const decodedAtHand = 4_000

export function createFactStore(options: FactStoreOptions): FactStore {
  return new Store(options)
}

class Store implements FactStore {
  private readonly pool: ParsePool
  private readonly signal: AbortSignal | undefined
  private readonly cacheFolder: string | null
  private pack: Pack | null = null
  private readonly records = new Map<string, Uint8Array>()
  private readonly decoded = new Map<string, FileFacts>()
  private readonly failedKeys = new Map<string, ParseFailure['reason']>()
  private readonly failedPaths = new Map<string, ParseFailure['reason']>()
  /** One call at a time parses; the next finds what the one before it has learnt. */
  private last: Promise<unknown> = Promise.resolve()

  constructor({ cacheFolder, signal, limits }: FactStoreOptions) {
    this.pool = new ParsePool({ ...defaultLimits, ...limits })
    this.signal = signal
    this.cacheFolder = cacheFolder
    signal?.addEventListener('abort', () => void this.pool.close(), { once: true })
  }

  get failures(): readonly ParseFailure[] {
    return [...this.failedPaths]
      .map(([path, reason]) => ({ path, reason }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  facts(files: readonly Source[]): Promise<ReadonlyMap<string, FileFacts>> {
    const answer = this.last.then(() => this.answer(files))
    this.last = answer.catch(() => undefined)
    return answer
  }

  async close(): Promise<void> {
    this.pack?.close()
    this.pack = null
    await this.pool.close()
  }

  private async answer(files: readonly Source[]): Promise<ReadonlyMap<string, FileFacts>> {
    this.signal?.throwIfAborted()
    if (this.cacheFolder !== null) this.pack ??= Pack.open(this.cacheFolder, packName)
    this.pack?.refresh()
    const known = files.flatMap((file) => {
      const language = languageOf(file.path, file.text)
      const table = language === null ? undefined : languages.get(language)
      if (!table) return []
      const variant = table.variantOf?.(file.path) ?? ''
      return [{ ...file, language: table.id, variant, key: `${file.blob} ${table.id} ${variant}` }]
    })
    const jobs = new Map<string, ParseJob>()
    for (const { key, text, language, variant } of known) {
      if (jobs.has(key) || this.isAnswered(key)) continue
      const reason = refusal(text)
      if (reason) this.failedKeys.set(key, reason)
      else jobs.set(key, this.jobFor(key, { text, language, variant }))
    }
    try {
      await this.pool.run([...jobs.values()])
    } finally {
      // The caller's reason for stopping, rather than what it did to the children.
      this.signal?.throwIfAborted()
    }
    const found = new Map<string, FileFacts>()
    for (const { path, key } of known) {
      const facts = this.remembered(key)
      const reason = this.failedKeys.get(key)
      if (facts) found.set(path, facts)
      else if (reason) this.failedPaths.set(path, reason)
    }
    return found
  }

  private jobFor(key: string, file: Pick<ParseJob, 'text' | 'language' | 'variant'>): ParseJob {
    return {
      ...file,
      parsed: (record) => {
        this.records.set(key, record)
        this.pack?.add(key, record)
      },
      failed: (reason) => this.failedKeys.set(key, reason),
    }
  }

  /** Nothing has to be parsed for this key. */
  private isAnswered(key: string): boolean {
    if (this.failedKeys.has(key) || this.records.has(key)) return true
    const record = this.pack?.get(key)
    if (!record) return false
    this.records.set(key, record)
    if (this.remembered(key)) return true
    this.records.delete(key)
    return false
  }

  /** Decodes at most once in a while; null when there is no record or it cannot be read. */
  private remembered(key: string): FileFacts | null {
    const facts = this.decoded.get(key)
    if (facts) return facts
    const record = this.records.get(key)
    if (!record) return null
    try {
      const fresh = decodeFacts(record)
      this.decoded.set(key, fresh)
      for (const oldest of this.decoded.keys()) {
        if (this.decoded.size <= decodedAtHand) break
        this.decoded.delete(oldest)
      }
      return fresh
    } catch {
      return null
    }
  }
}
