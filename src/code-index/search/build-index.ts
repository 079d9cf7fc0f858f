/** Reads every text of a tree once, cuts it into chunks and keeps their words; the texts are let go. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { chunkFile } from '../chunks/chunk-file.ts'
import type { FactStore } from '../contract.ts'
import { languageOf } from '../language-of.ts'
import { Bm25Index } from '../lexical/bm25.ts'
import { tokensOf } from '../lexical/tokens.ts'
import type { ChunkNote } from './contract.ts'

export type SearchIndex = {
  words: Bm25Index
  /** In order of path and line; the numbers of documents in `words` are places in this list. */
  chunks: readonly ChunkNote[]
  files: number
  limits: string[]
}

/** Text without a table that is larger is data: a lock file, a dictionary, a recording. Bytes. */
const largestText = 256 * 1024
const filesAtOnce = 300

export async function buildSearchIndex(snapshot: RepoSnapshot, store: FactStore): Promise<SearchIndex> {
  const words = new Bm25Index()
  const chunks: ChunkNote[] = []
  const all = (await snapshot.list()).filter(({ mode }) => mode.startsWith('100'))
  const wanted = all.filter(({ path, size }) => languageOf(path) !== null || (size ?? 0) <= largestText)
  let files = 0
  for (let from = 0; from < wanted.length; from += filesAtOnce) {
    const paths = wanted.slice(from, from + filesAtOnce).map(({ path }) => path)
    const texts = await snapshot.readMany(paths)
    const readable = paths.flatMap((path) => {
      const file = texts.get(path)
      return file ? [{ path, blob: file.blob, text: file.text }] : []
    })
    const facts = await store.facts(readable)
    files += readable.length
    for (const { path, text } of readable)
      for (const { text: body, prefix, ...note } of chunkFile(path, text, facts.get(path) ?? null)) {
        words.add([...tokensOf(prefix), ...tokensOf(body)])
        chunks.push(note)
      }
  }
  const large = all.length - wanted.length
  return {
    words,
    chunks,
    files,
    limits: [
      ...(large > 0 ? [`${large} large files of data were not searched`] : []),
      ...(files < wanted.length ? [`${wanted.length - files} files are binary or could not be read`] : []),
    ],
  }
}
