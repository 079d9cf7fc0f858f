/** Facts on demand: from memory, else from the cache on disk, else parsed in child processes and remembered. */
import { createRequire } from 'node:module'
import { secretsVersion } from '../base/secrets/find-secrets.ts'
import { FactMap } from './cache/fact-map.ts'
import { recordVersion } from './cache/record.ts'
import { Records } from './cache/records.ts'
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

/** Facts change with the extraction, with what is masked of a file, and with the grammars; each starts a new file. */
const grammars: { version: string } = createRequire(import.meta.url)('@vscode/tree-sitter-wasm/package.json')
const packName = `facts-${recordVersion}-${secretsVersion}-${grammars.version}.pack`

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
      await this.pool.run([...jobs.values()])
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
