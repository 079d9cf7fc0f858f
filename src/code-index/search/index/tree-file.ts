/** Which segments hold a tree, where each of its files is in them, and the words of its paths. */
import { nextTurn, turnClock } from '../../../base/time-budget.ts'
import {
  bufferOf,
  bytesOf,
  decodeFile,
  encodeFile,
  type FileKind,
  numbersOf,
  openFile,
  type SectionFile,
} from '../../index-files/section-file.ts'
import { encodeWords, WordLists, wordTable } from '../../index-files/word-lists.ts'
import { identifiersOf, stemsOf, termsOf } from '../../lexical/terms.ts'

const kind: FileKind = { magic: 'SLtr', version: 2, packed: true }

/** Path and place of one file; `segment` is a place in the list of segments, `blob` one inside of it. */
export type TreeFile = { path: string; segment: number; blob: number }

export type TreeFiles = {
  /** Names of files in the folder of segments. */
  segments: readonly string[]
  /** In path order. */
  files: readonly TreeFile[]
  /** What was not searched, in words. */
  limits: readonly string[]
  /** Files whose objects a partial clone had yet to fetch, a few of them. */
  absent: readonly string[]
}

/** Lists over paths; numbers are places in `files`. */
export type PathWords = {
  /** Words as they count for a text: file and how often, in turn. */
  tokens: WordLists
  /** Stems of words of names: 2 × file, plus 1 when it is in the file's own name and not only in a folder's. */
  parts: WordLists
  /** How many words each path has. */
  lengths: Uint32Array
}

type Head = Pick<TreeFiles, 'segments' | 'limits' | 'absent'>

/** Between paths others get their turn: there may be many. */
export async function encodeTree({ segments, files, limits, absent }: TreeFiles): Promise<Buffer> {
  const head: Head = { segments, limits, absent }
  const tokens = new Map<string, number[]>()
  const parts = new Map<string, number[]>()
  const lengths = new Uint32Array(files.length)
  const isLong = turnClock()
  for (const [at, { path }] of files.entries()) {
    if (isLong()) await nextTurn()
    const counts = new Map<string, number>()
    const words = termsOf(path)
    lengths[at] = words.length
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, count] of counts) push(tokens, word, at, count)
    const slash = path.lastIndexOf('/') + 1
    const own = new Set(identifiersOf(path.slice(slash)).flatMap(stemsOf))
    const folder = new Set(identifiersOf(path.slice(0, slash)).flatMap(stemsOf))
    for (const part of own) push(parts, part, at * 2 + 1)
    for (const part of folder) if (!own.has(part)) push(parts, part, at * 2)
  }
  return encodeFile(kind, head, {
    paths: Buffer.from(files.map(({ path }) => path).join('\0')),
    places: bytesOf(Uint32Array.from(files.flatMap(({ segment, blob }) => [segment, blob]))),
    lengths: bytesOf(lengths),
    ...encodeWords(wordTable(tokens), 'tokens.'),
    ...encodeWords(wordTable(parts), 'parts.'),
  })
}

/** Null for a file that is absent, damaged or of another version. */
export function readTree(path: string): DecodedTree | null {
  return openFile(kind, path, treeIn)
}

export function decodeTree(bytes: Uint8Array): DecodedTree | null {
  const file = decodeFile<Head>(kind, bytes)
  return file && treeIn(file)
}

export type DecodedTree = { tree: TreeFiles; words: PathWords }

function treeIn(file: SectionFile<Head>): DecodedTree | null {
  const sections = file.readAll()
  if (!sections) return null
  const text = bufferOf(sections.paths ?? new Uint8Array()).toString()
  const places = numbersOf(sections.places)
  const paths = places.length === 0 ? [] : text.split('\0')
  const files = paths.map((path, at) => ({
    path,
    segment: places[at * 2] ?? 0,
    blob: places[at * 2 + 1] ?? 0,
  }))
  return {
    tree: { ...file.about, files },
    words: {
      tokens: new WordLists(sections, 'tokens.'),
      parts: new WordLists(sections, 'parts.'),
      lengths: numbersOf(sections.lengths),
    },
  }
}

function push(lists: Map<string, number[]>, key: string, ...values: number[]): void {
  const list = lists.get(key)
  if (list) list.push(...values)
  else lists.set(key, values)
}
