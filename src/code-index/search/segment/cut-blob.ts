/** One file as it is kept: its chunks with their words, names and bounds, and nothing that depends on its path. */
import { createHash } from 'node:crypto'
import { chunkFile } from '../../chunks/chunk-file.ts'
import type { Chunk } from '../../chunks/contract.ts'
import type { FileFacts } from '../../contract.ts'
import { languageOf } from '../../language-of.ts'
import { languages } from '../../languages/registry.ts'
import { termsOf } from '../../lexical/terms.ts'

/** Bytes of a key or a hash. */
export const keyBytes = 16

export type CutChunk = Pick<Chunk, 'startLine' | 'endLine' | 'symbol' | 'defines'> & {
  /** Words of its text, language and scope; those of the path come with the path. */
  tokens: readonly string[]
  /** Of its text, language and scope. */
  hash: Uint8Array
}

export type CutBlob = {
  language: string | null
  chunks: CutChunk[]
}

/** Names what a blob is cut into: the blob, and what its path says of how to parse it. 16 characters of one byte. */
export function blobKey(path: string, blob: string): string {
  const language = languageOf(path)
  const variant = language === null ? '' : (languages.get(language)?.variantOf?.(path) ?? '')
  return shortHash(`${blob} ${language ?? ''} ${variant}`).toString('latin1')
}

export function cutBlob(text: string, facts: FileFacts | null): CutBlob {
  return {
    language: facts?.language ?? null,
    chunks: chunkFile('', text, facts).map(({ prefix, text: body, startLine, endLine, symbol, defines }) => ({
      startLine,
      endLine,
      symbol,
      defines,
      tokens: [...termsOf(prefix), ...termsOf(body)],
      hash: shortHash(`${prefix}\n${body}`),
    })),
  }
}

export function shortHash(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, keyBytes)
}
