/**
 * Which files of the head are looked into for a change: those nearest to it, by rules that depend on the trees alone. What
 * is at hand of an index makes it faster and never chooses; the budgets count files and bytes, never time.
 */
import { folderOf } from '../../../base/file-paths.ts'
import { languageOf } from '../../../code-index/language-of.ts'
import { moduleWordOf, wordsToFind } from '../../../code-index/query/target-names.ts'
import type { Definition } from '../../../code-index/resolve/contract.ts'
import type { RepoSnapshot, TreeEntry } from '../../../domain/snapshot.ts'

/** Files that may use what changed: of one definition, and of all together. */
const mostForSeed = 60
const mostUsers = 240
const bytesOfUsers = 2 * 2 ** 20
/** Files that are compared with the changed lines by their words. */
const mostAlike = 60
const bytesAlike = 512 * 1024
/** Beside a changed file in its folder, whatever words it holds. */
const mostBeside = 12
/** A larger file says little for what it costs. */
export const largestFile = 256 * 1024

export type NearFiles = {
  /** Where uses of what changed are looked for, changed files first. */
  users: readonly string[]
  /** Where similar code is looked for, changed files first. */
  alike: readonly string[]
  /** Whether `users` has every file of the tree that mentions the word; false for a word that was not asked about. */
  isWhole: (word: string) => boolean
  /** The same, of files in languages that are parsed: a document that mentions a word does not use it. */
  hasAllCode: (word: string) => boolean
}

export type NearQuestion = {
  head: RepoSnapshot
  /** Changed files of the head, in the order of the change. */
  changed: readonly string[]
  seeds: readonly Definition[]
  /** Identifiers on changed lines, the most telling first. */
  words: readonly string[]
}

/** Reads no file itself; the head is asked once for all words. */
export async function findNearFiles({ head, changed, seeds, words }: NearQuestion): Promise<NearFiles> {
  const texts = sizesOf(await head.list())
  const sizes = new Map([...texts].filter(([path]) => languageOf(path) !== null))
  const wanted = seeds.map((seed) => ({ seed, own: wordsToFind(seed), place: wordsOfPlace(seed.path) }))
  const asked = new Set([...wanted.flatMap(({ own, place }) => [...own, ...place]), ...words])
  asked.delete('')
  const mentions = await head.filesWithWords([...asked])
  const holders = (word: string) => (mentions.get(word) ?? []).filter((path) => sizes.has(path))

  const candidates = wanted.map(({ seed, own, place }) => {
    const told = place.filter((word) => !own.includes(word)).map((word) => new Set(mentions.get(word)))
    const ties = (path: string) => told.filter((paths) => paths.has(path)).length
    return byNearness(seed.path, new Set(own.flatMap(holders)), ties).slice(0, mostForSeed)
  })
  const users = takeWithin(inTurns(candidates), sizes, { files: mostUsers, bytes: bytesOfUsers })
  const chosen = new Set([...changed, ...users])

  const scores = scoreByWords(words, mentions, texts)
  const alike = [...scores]
    .sort(
      (a, b) => b[1] - a[1] || nearness(b[0], changed) - nearness(a[0], changed) || (a[0] < b[0] ? -1 : 1),
    )
    .map(([path]) => path)
  const beside = besideOf(changed, [...sizes.keys()])
  const compared = takeWithin([...changed.filter((path) => texts.has(path)), ...beside, ...alike], texts, {
    files: mostAlike,
    bytes: bytesAlike,
  })
  return {
    users: [...chosen],
    alike: compared,
    isWhole: (word) => asked.has(word) && (mentions.get(word) ?? []).every((path) => chosen.has(path)),
    hasAllCode: (word) =>
      asked.has(word) &&
      (mentions.get(word) ?? []).every((path) => chosen.has(path) || languageOf(path) === null),
  }
}

/** Files that are here and not too large, in path order. */
function sizesOf(entries: readonly TreeEntry[]): ReadonlyMap<string, number> {
  return new Map(
    entries.flatMap(({ path, mode, size }) =>
      mode.startsWith('100') && size !== null && size <= largestFile ? [[path, size] as const] : [],
    ),
  )
}

/** Folders whose names an import of a file usually tells. */
const foldersTold = 2

/** Words that an import of the file from elsewhere is likely to hold: of its name, and of the folders around it. */
export function wordsOfPlace(path: string): string[] {
  const folders = folderOf(path).split('/').slice(-foldersTold)
  return [...new Set([moduleWordOf(path), ...folders.map(moduleWordOf)])].filter((word) => word !== '')
}

/** What lies beside the file or holds most words of its place comes first; then by common folders and by path. */
function byNearness(from: string, paths: ReadonlySet<string>, ties: (path: string) => number): string[] {
  const folder = folderOf(from)
  return [...paths]
    .map((path) => ({
      path,
      ties: folderOf(path) === folder ? foldersTold + 1 : ties(path),
      common: commonFolders(path, from),
    }))
    .sort((a, b) => b.ties - a.ties || b.common - a.common || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path)
}

/** The first of each list, then the second of each, and so on; each once. */
export function inTurns(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const found = new Set<string>()
  for (let turn = 0; turn < longest; turn++)
    for (const list of lists) {
      const path = list[turn]
      if (path !== undefined) found.add(path)
    }
  return [...found]
}

/** What does not fit is passed over; what comes after it may. */
function takeWithin(
  paths: Iterable<string>,
  sizes: ReadonlyMap<string, number>,
  most: { files: number; bytes: number },
): string[] {
  const taken = new Set<string>()
  let bytes = 0
  for (const path of paths) {
    if (taken.size >= most.files) break
    const size = sizes.get(path) ?? 0
    if (taken.has(path) || bytes + size > most.bytes) continue
    bytes += size
    taken.add(path)
  }
  return [...taken]
}

/** How much the words that a file holds tell together: those of few files more. */
function scoreByWords(
  words: readonly string[],
  mentions: ReadonlyMap<string, readonly string[]>,
  sizes: ReadonlyMap<string, number>,
): Map<string, number> {
  const scores = new Map<string, number>()
  for (const word of words) {
    const paths = mentions.get(word) ?? []
    const worth = Math.log(1 + (sizes.size + 0.5) / (paths.length + 0.5))
    for (const path of paths) {
      const size = sizes.get(path)
      if (size === undefined) continue
      // Of two files with the same words the shorter one is about them.
      scores.set(path, (scores.get(path) ?? 0) + worth / (1 + size / longFile))
    }
  }
  return scores
}

/** Bytes from which on length counts against a file. */
const longFile = 64 * 1024

function besideOf(changed: readonly string[], paths: readonly string[]): string[] {
  const folders = new Set(changed.map(folderOf))
  const byFolder = Map.groupBy(
    paths.filter((path) => folders.has(folderOf(path))),
    folderOf,
  )
  return inTurns([...folders].map((folder) => (byFolder.get(folder) ?? []).slice(0, mostBeside)))
    .filter((path) => !changed.includes(path))
    .slice(0, mostBeside)
}

function nearness(path: string, changed: readonly string[]): number {
  return Math.max(0, ...changed.map((one) => commonFolders(path, one)))
}

export function commonFolders(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')]
  const first = one.findIndex((part, at) => part !== other[at])
  return first < 0 ? one.length : first
}
