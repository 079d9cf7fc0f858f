/** A tree of the shadow repository as the rest of the program sees it. */

import { UserError } from '../../base/errors.ts'
import { isBinaryPath } from '../../base/file-paths.ts'
import { compareTrees, type ListedEntry, listTree } from '../../base/git/list-tree.ts'
import type { ObjectContent } from '../../base/git/object-reader.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { canonicalMode, decodeName, folderMode, TreeWalker } from '../../base/git/tree-walk.ts'
import { remembered } from '../../base/remembered.ts'
import type { FileText, RepoSnapshot, TreeDifference, TreeEntry } from '../../domain/snapshot.ts'
import { decodeText, type WordScanner } from './blob-text.ts'

export type ReadLimits = { fileBytes: number; treeEntries: number }

export class TreeSnapshot implements RepoSnapshot {
  readonly tree: string
  private readonly shadow: Shadow
  private readonly limits: ReadLimits
  private readonly scanner: WordScanner
  private readonly walker: TreeWalker
  private listing: Promise<readonly TreeEntry[]> | null = null
  private places: Promise<ReadonlyMap<string, number> | null> | null = null
  private readonly near: TreeSnapshot | null

  /** `near`: a tree that is listed anyway and is much the same; this one is then listed by what differs. */
  constructor(
    shadow: Shadow,
    tree: string,
    limits: ReadLimits,
    scanner: WordScanner,
    near: TreeSnapshot | null = null,
  ) {
    this.shadow = shadow
    this.near = near
    this.tree = tree
    this.limits = limits
    this.scanner = scanner
    this.walker = new TreeWalker(shadow.objects)
  }

  list(): Promise<readonly TreeEntry[]> {
    this.listing ??= this.listed()
    return this.listing
  }

  async listBelow(folder: string): Promise<readonly TreeEntry[]> {
    const found = await this.walker.find(this.tree, folder, true)
    if (found?.mode !== folderMode) return found ? [await this.entryOf(folder, found)] : []
    const all = await listTree(this.shadow.objects, found.id, this.limits.treeEntries, `${folder}/`)
    return all.map(toEntry)
  }

  private async listed(): Promise<readonly TreeEntry[]> {
    const { objects } = this.shadow
    const all = this.near && (await this.listedFrom(this.near))
    return all ?? (await listTree(objects, this.tree, this.limits.treeEntries)).map(toEntry)
  }

  /** Null when the other tree says too little of this one. */
  private async listedFrom(near: TreeSnapshot): Promise<readonly TreeEntry[] | null> {
    const before = await near.list().catch(() => null)
    // Close to the limit, only a listing of its own can tell on which side of it this tree is.
    if (!before || before.length > this.limits.treeEntries / 2 || this.tree === this.shadow.emptyTree)
      return null
    if (near.tree === this.tree) return before
    const changes = await this.changesSince(near.tree, mostChanges)
    const places = changes && (await near.placesByPath())
    return places && withChanges(before, places, changes)
  }

  /** Of its listing; null where two paths are shown alike, so that a path does not tell which is meant. */
  private placesByPath(): Promise<ReadonlyMap<string, number> | null> {
    this.places ??= this.list().then((entries) => {
      const places = new Map(entries.map(({ path }, place) => [path, place]))
      const isClear = places.size === entries.length && !entries.some(({ path }) => path.includes('\ufffd'))
      return isClear ? places : null
    })
    return this.places
  }

  async entry(path: string): Promise<TreeEntry | null> {
    const found = await this.find(path)
    return found && (await this.entryOf(path, found))
  }

  private async entryOf(path: string, { mode, id }: { mode: string; id: string }): Promise<TreeEntry> {
    const isBlob = mode !== '160000'
    const size = isBlob ? ((await this.shadow.objects.info(id))?.size ?? null) : null
    return { path, mode, blob: id, size }
  }

  async read(path: string): Promise<FileText | null> {
    return (await this.readMany([path])).get(path) ?? null
  }

  async readMany(paths: readonly string[]): Promise<ReadonlyMap<string, FileText>> {
    const unique = [...new Set(paths)]
    const found = await Promise.all(unique.map((path) => this.find(path)))
    const texts = new Map<string, FileText>()
    const wanted = unique.flatMap((path, index) => {
      const entry = found[index]
      return entry && entry.mode !== '160000' ? [{ path, id: entry.id }] : []
    })
    const ids = wanted.map(({ id }) => id)
    await this.shadow.objects.readEach(ids, this.limits.fileBytes, (content, index) => {
      const text = toText(content)
      const path = wanted[index]?.path
      if (text && path !== undefined) texts.set(path, text)
    })
    return texts
  }

  async filesWithWords(words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.holdersOf(words, await this.list())
  }

  async filesWithWordsAmong(
    words: readonly string[],
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const entries = await Promise.all(paths.map((path) => this.entry(path)))
    return this.holdersOf(
      words,
      entries.flatMap((entry) => entry ?? []),
    )
  }

  async largeFilesWithWords(words: readonly string[]): Promise<readonly string[]> {
    const { fileBytes } = this.limits
    const large = (await this.list()).filter(
      ({ path, mode, size }) =>
        mode.startsWith('100') && (size === null || size > fileBytes) && !isBinaryPath(path),
    )
    const searched = new Set<string>()
    let left = mostSearched
    for (const { blob, size } of large.toSorted((a, b) => (a.size ?? 0) - (b.size ?? 0))) {
      left -= size ?? 0
      if (size !== null && left >= 0) searched.add(blob)
    }
    const hits = await this.scanner.find(words, [...searched], mostSearched)
    return large.flatMap(({ path, blob }) =>
      !searched.has(blob) || words.some((word) => hits.get(word)?.has(blob)) ? [path] : [],
    )
  }

  async changesSince(tree: string, most: number): Promise<readonly TreeDifference[] | null> {
    const { objects } = this.shadow
    if ((await objects.info(tree))?.type !== 'tree') return null
    try {
      const changes = await compareTrees(objects, tree, this.tree, most)
      const named = changes.map((change) => ({ ...change, path: decodeName(change.name) }))
      // Shown alike, two such names may be two files.
      if (named.some(({ path }) => path.includes('\ufffd'))) return null
      const blobs = named.flatMap(({ after }) => (after && after.mode !== '160000' ? [after.id] : []))
      const headers = await objects.infoMany(blobs)
      const sizeOf = (id: string) => {
        const header = headers.get(id)
        return header?.type === 'blob' ? header.size : null
      }
      return named.map(({ path, before, after }) => ({
        path,
        before: before && toEntry({ path, ...before, size: null }),
        after: after && toEntry({ path, ...after, size: sizeOf(after.id) }),
      }))
    } catch (error) {
      if (error instanceof UserError && ['tree-too-large', 'object-missing'].includes(error.code)) return null
      throw error
    }
  }

  /** By word, in the order of the entries. */
  private async holdersOf(
    words: readonly string[],
    entries: readonly TreeEntry[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const files = entries.filter(({ mode }) => mode.startsWith('100'))
    const places = new Map<string, number[]>()
    for (const [index, { blob, size }] of files.entries()) {
      if (size === null || size > this.limits.fileBytes) continue
      remembered(places, blob, (): number[] => []).push(index)
    }
    const hits = await this.scanner.find(words, [...places.keys()])
    return new Map(
      [...hits].map(([word, blobs]) => {
        const at = [...blobs].flatMap((blob) => places.get(blob) ?? []).sort((a, b) => a - b)
        return [word, at.map((index) => files[index]?.path ?? '')]
      }),
    )
  }

  /** The blob or submodule at a path; folders are none. */
  private async find(path: string): Promise<{ mode: string; id: string } | null> {
    const found = await this.walker.find(this.tree, path)
    return found && found.mode !== folderMode ? found : null
  }
}

/** Bytes of all files together that are searched although they are too large to be read. */
const mostSearched = 64 * 2 ** 20

/** Of a tree against one near it: with more changes a listing of its own costs no more. */
const mostChanges = 5_000

/** In path order, as `before` is, each path at its place. */
function withChanges(
  before: readonly TreeEntry[],
  places: ReadonlyMap<string, number>,
  changes: readonly TreeDifference[],
): readonly TreeEntry[] {
  const entries: (TreeEntry | null)[] = [...before]
  const added: TreeEntry[] = []
  for (const { path, after } of changes) {
    const place = places.get(path)
    if (place !== undefined) entries[place] = after
    else if (after) added.push(after)
  }
  return merged(
    entries.filter((entry) => entry !== null),
    added,
  )
}

/** `entries` are in the order of the bytes of their paths, as trees of git are; so is the result. */
function merged(entries: readonly TreeEntry[], added: readonly TreeEntry[]): readonly TreeEntry[] {
  if (added.length === 0) return entries
  const all: TreeEntry[] = []
  let taken = 0
  for (const entry of added.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))) {
    const place = placeOf(entry.path, entries, taken)
    all.push(...entries.slice(taken, place), entry)
    taken = place
  }
  return [...all, ...entries.slice(taken)]
}

function placeOf(path: string, entries: readonly TreeEntry[], from: number): number {
  const bytes = Buffer.from(path)
  let [low, high] = [from, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (Buffer.compare(Buffer.from(entries[middle]?.path ?? ''), bytes) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** In the order in which a record keeps the keys. */
function toEntry({ path, mode, id, size }: ListedEntry): TreeEntry {
  return { blob: id, mode: canonicalMode(mode), path, size }
}

function toText(content: ObjectContent | null): FileText | null {
  if (content?.type !== 'blob' || !content.bytes) return null
  const decoded = decodeText(content.bytes)
  return decoded && { text: decoded.text, lossy: decoded.lossy, blob: content.id }
}
