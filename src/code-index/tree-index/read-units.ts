/** Reads units that no segment has yet: their texts, their facts, and the words of both, into new segments. */
import type { RepoSnapshot, TreeEntry } from '../../domain/snapshot.ts'
import type { FactStore, FileFacts, ParseFailure } from '../contract.ts'
import { languageOf } from '../language-of.ts'
import { languages } from '../languages/registry.ts'
import type { Unit } from './contract.ts'
import { encodeSegment, unitKey } from './segment.ts'
import { flags, WordCollector } from './word-collector.ts'

/** What is read and parsed in one go: enough to keep the parsers busy, little enough to hold. */
const filesAtOnce = 150
const bytesAtOnce = 2 * 2 ** 20

export type ReadOptions = {
  snapshot: RepoSnapshot
  facts: FactStore
  /** `performance.now()` after which nothing new is begun; then the answer is null. */
  deadline: number
  signal?: AbortSignal | undefined
  onProgress?: ((done: number, total: number) => void) | undefined
}

type Source = { path: string; blob: string; text: string }

/** One entry for each unit. The bytes of whole segments, in the order of the entries. */
export async function readUnits(
  wanted: readonly TreeEntry[],
  { snapshot, facts, deadline, signal, onProgress }: ReadOptions,
): Promise<Buffer[] | null> {
  const segments: Buffer[] = []
  let builder = new SegmentBuilder()
  const batches = inBatches(wanted)
  let done = 0
  let ahead = batches[0] && readBatch(batches[0], snapshot, facts)
  for (const [at, batch] of batches.entries()) {
    signal?.throwIfAborted()
    if (performance.now() > deadline) return null
    const read = await ahead
    const next = batches[at + 1]
    // While the parsers work on the next batch, the words of this one are filed.
    ahead = next && readBatch(next, snapshot, facts)
    ahead?.catch(() => {})
    for (const entry of batch) {
      const unit = { blob: entry.blob, language: unitLanguage(entry.path), bytes: entry.size ?? 0 }
      builder.add(unit, read?.texts.get(entry.path) ?? null, read?.readingOf(entry.path) ?? 'not text')
    }
    done += batch.length
    onProgress?.(done, wanted.length)
    if (!builder.isFull) continue
    segments.push(builder.finish())
    builder = new SegmentBuilder()
  }
  return builder.isEmpty ? segments : [...segments, builder.finish()]
}

type Batch = {
  texts: ReadonlyMap<string, string>
  /** Null for what could not be read as text. Facts are decoded when they are asked for, and not kept. */
  readingOf: (path: string) => Reading | null
}

async function readBatch(
  batch: readonly TreeEntry[],
  snapshot: RepoSnapshot,
  store: FactStore,
): Promise<Batch> {
  const files = await snapshot.readMany(batch.map(({ path }) => path))
  const sources: Source[] = [...files].map(([path, { blob, text }]) => ({ path, blob, text }))
  const facts = await store.facts(sources.filter(({ path }) => unitLanguage(path) !== ''))
  const failures = new Map<string, ParseFailure['reason']>(
    store.failures.map(({ path, reason }) => [path, reason]),
  )
  return {
    texts: new Map(sources.map(({ path, text }) => [path, text])),
    readingOf(path) {
      if (!files.has(path)) return null
      if (unitLanguage(path) === '') return 'text'
      const known = facts.get(path)
      return known ? { facts: known } : { failed: failures.get(path) ?? 'crash' }
    },
  }
}

function inBatches(entries: readonly TreeEntry[]): TreeEntry[][] {
  const batches: TreeEntry[][] = []
  let batch: TreeEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    if (batch.length >= filesAtOnce || (batch.length > 0 && bytes + (entry.size ?? 0) > bytesAtOnce)) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(entry)
    bytes += entry.size ?? 0
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

// Fills a segment: the text of each unit for its words, and its facts for what it does with them.

/** What became of a unit: its facts, why it has none, or that it is text only to the index. */
type Reading = { facts: FileFacts } | { failed: ParseFailure['reason'] } | 'text' | 'not text'

/** A segment is closed when it has so many words; the collector can number twice as many. */
const mostWords = 1_000_000

export class SegmentBuilder {
  private readonly words = new WordCollector()
  private readonly units: Unit[] = []

  get isFull(): boolean {
    return this.words.wordCount >= mostWords
  }

  get isEmpty(): boolean {
    return this.units.length === 0
  }

  /** Returns the number of the unit. `text` is null when it is not text. */
  add(unit: Pick<Unit, 'blob' | 'language' | 'bytes'>, text: string | null, reading: Reading): number {
    const number = this.units.length
    const facts = typeof reading === 'object' && 'facts' in reading ? reading.facts : null
    this.units.push({
      ...unit,
      state: typeof reading === 'string' ? reading : 'failed' in reading ? reading.failed : 'indexed',
      symbols: facts?.symbols.length ?? 0,
      references: facts?.references.length ?? 0,
    })
    if (text !== null) this.words.addText(number, Buffer.from(text))
    if (facts) this.mark(number, facts)
    // The parser may do better next time, so a question must look into it.
    else if (typeof reading === 'object') this.words.markAll(number, flags.both)
    return number
  }

  finish(): Buffer {
    return encodeSegment(this.units, this.words.finish())
  }

  private mark(number: number, { symbols, references, imports }: FileFacts): void {
    for (const name of new Set(symbols.map((symbol) => symbol.name)))
      this.words.mark(number, name, flags.defined)
    const used = new Set<string>()
    for (const { name } of references) used.add(name)
    for (const { imported, local } of imports) {
      used.add(imported)
      if (local !== null) used.add(local)
    }
    for (const name of used) this.words.mark(number, name, flags.used)
  }
}

// As what a path is read: the language its name tells, with the variant of its table.

/** Empty for a language that has no table: such a file is text only. */
export function unitLanguage(path: string): string {
  const language = languageOf(path)
  const table = language === null ? undefined : languages.get(language)
  if (!table) return ''
  const variant = table.variantOf?.(path) ?? ''
  return variant === '' ? table.id : `${table.id}/${variant}`
}

/** Regular files whose objects are here have a unit; links, submodules and absent blobs have none. */
export function hasUnit({ mode, size }: Pick<TreeEntry, 'mode' | 'size'>): boolean {
  return mode.startsWith('100') && size !== null
}

/** The key of the unit that an entry is. */
export function keyOfEntry({ blob, path }: Pick<TreeEntry, 'blob' | 'path'>): string {
  return unitKey({ blob, language: unitLanguage(path) })
}
