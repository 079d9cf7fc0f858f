/** Reads, parses and cuts the files whose blobs no segment has yet. */
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { FactStore, ParseFailure } from '../../contract.ts'
import { languageOf } from '../../language-of.ts'
import { languages } from '../../languages/registry.ts'
import { ChunkSegmentBuilder } from '../segment/builder.ts'
import { cutBlob } from '../segment/cut-blob.ts'
import type { ChunkFolder } from './folder.ts'
import { finishSegment, fullSegment, type Kept } from './kept-segments.ts'

export type Missing = { path: string; key: string }

export type Cut = {
  segments: Kept[]
  /** A file was cut as text for a reason that may not hold the next time; it is in memory only. */
  isPassing: boolean
}

const filesAtOnce = 300

/** Reasons that hold for the text itself; under load a file may fail that is parsed the next time. */
const lastingReasons: ReadonlySet<ParseFailure['reason']> = new Set(['too-large', 'too-deep', 'minified'])

export async function cutMissing(
  snapshot: RepoSnapshot,
  store: FactStore,
  missing: readonly Missing[],
  folder: ChunkFolder | null,
): Promise<Cut> {
  const segments: Kept[] = []
  const passing = new ChunkSegmentBuilder()
  let builder = new ChunkSegmentBuilder()
  const once = [...new Map(missing.toReversed().map((file) => [file.key, file])).values()].reverse()
  for (let from = 0; from < once.length; from += filesAtOnce) {
    const files = once.slice(from, from + filesAtOnce)
    const texts = await snapshot.readMany(files.map(({ path }) => path))
    const readable = files.flatMap(({ path, key }) => {
      const file = texts.get(path)
      return file ? [{ path, key, blob: file.blob, text: file.text }] : []
    })
    const facts = await store.facts(readable)
    const given = new Map(store.failures.map(({ path, reason }) => [path, reason]))
    for (const { path, key, text } of readable) {
      const known = facts.get(path) ?? null
      const target = known === null && mayBeParsed(path, given.get(path)) ? passing : builder
      target.addBlob(key, cutBlob(text, known))
      if (builder.chunks < fullSegment) continue
      segments.push(finishSegment(builder, folder))
      builder = new ChunkSegmentBuilder()
    }
  }
  if (builder.size > 0) segments.push(finishSegment(builder, folder))
  const isPassing = passing.size > 0
  if (isPassing) segments.push(finishSegment(passing, null))
  return { segments, isPassing }
}

/** A language that we know, and no lasting reason against this file. */
function mayBeParsed(path: string, reason: ParseFailure['reason'] | undefined): boolean {
  const language = languageOf(path)
  if (language === null || !languages.has(language)) return false
  return reason === undefined || !lastingReasons.has(reason)
}
