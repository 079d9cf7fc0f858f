/** Reads units that no segment has yet: their texts, their facts, and the words of both, into new segments. */
import type { RepoSnapshot, TreeEntry } from '../../domain/snapshot.ts'
import type { FactStore, ParseFailure } from '../contract.ts'
import { type Reading, SegmentBuilder } from './build-segment.ts'
import { unitLanguage } from './unit-of.ts'

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
