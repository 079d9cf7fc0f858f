/** Which segments hold a tree, where each of its files stands in them, and the words of its paths. */
import { identifiersOf, stemsOf, termsOf } from '../../lexical/terms.ts'
import { bytesOfWords, wordsOfBytes } from '../segment/byte-writer.ts'
import { encodeSections, readSectionFile, type SectionKind } from '../segment/section-file.ts'
import { encodeStringLists, type StringListSections, StringLists } from '../segment/string-lists.ts'

export const treeKind: SectionKind = { magic: 'SLtr', version: 1 }

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
  tokens: StringLists
  /** Stems of words of names: 2 × file, plus 1 when it stands in the file's own name and not only in a folder's. */
  parts: StringLists
  /** How many words each path has. */
  lengths: Uint32Array
}

const sections = { head: 0, paths: 1, places: 2, lengths: 3, tokens: 4, parts: 7 } as const

type Head = Pick<TreeFiles, 'segments' | 'limits' | 'absent'>

export function encodeTree({ segments, files, limits, absent }: TreeFiles): Uint8Array {
  const head: Head = { segments, limits, absent }
  const tokens = new Map<string, number[]>()
  const parts = new Map<string, number[]>()
  const lengths = new Uint32Array(files.length)
  for (const [at, { path }] of files.entries()) {
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
  return encodeSections(treeKind, [
    Buffer.from(JSON.stringify(head)),
    Buffer.from(files.map(({ path }) => path).join('\0')),
    bytesOfWords(Uint32Array.from(files.flatMap(({ segment, blob }) => [segment, blob]))),
    bytesOfWords(lengths),
    ...encodeStringLists(tokens),
    ...encodeStringLists(parts),
  ])
}

/** Null for a file that is absent, damaged or of another version. */
export function readTree(path: string): { tree: TreeFiles; words: PathWords } | null {
  return readSectionFile(treeKind, path, treeOf)
}

export function treeOf(
  read: (section: number) => Uint8Array | null,
): { tree: TreeFiles; words: PathWords } | null {
  const all = Array.from({ length: sections.parts + 3 }, (_, number) => read(number))
  if (all.includes(null)) return null
  const at = (number: number): Uint8Array => all[number] ?? new Uint8Array()
  const lists = (first: number): StringListSections => [at(first), at(first + 1), at(first + 2)]
  const { segments, limits, absent }: Head = JSON.parse(Buffer.from(at(sections.head)).toString())
  const text = Buffer.from(at(sections.paths)).toString()
  const places = wordsOfBytes(at(sections.places))
  const paths = places.length === 0 ? [] : text.split('\0')
  return {
    tree: {
      segments,
      limits,
      absent,
      files: paths.map((path, file) => ({
        path,
        segment: places[file * 2] ?? 0,
        blob: places[file * 2 + 1] ?? 0,
      })),
    },
    words: {
      tokens: new StringLists(lists(sections.tokens)),
      parts: new StringLists(lists(sections.parts)),
      lengths: wordsOfBytes(at(sections.lengths)),
    },
  }
}

function push(lists: Map<string, number[]>, key: string, ...values: number[]): void {
  const list = lists.get(key)
  if (list) list.push(...values)
  else lists.set(key, values)
}
