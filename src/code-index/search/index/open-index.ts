/** The index of one tree: read from disk where it is there, and only what is missing is read. */
import { join } from 'node:path'
import { count } from '../../../base/count.ts'
import { nextTurn, turnClock } from '../../../base/time-budget.ts'
import type { RepoSnapshot, TreeEntry } from '../../../domain/snapshot.ts'
import { factsVersion } from '../../cache/facts-version.ts'
import type { IndexStore } from '../../contract.ts'
import { IndexFolder, removeOldVersions } from '../../index-files/index-folder.ts'
import { languageOf } from '../../language-of.ts'
import { blobKey } from '../../languages/registry.ts'
import { largestText } from '../../segments/blob-words.ts'
import { segmentKey } from '../../segments/build-chunks.ts'
import { ChunkSegment } from '../../segments/chunk-segment.ts'
import { ChunkIndex } from './chunk-index.ts'
import { findKept, type Kept, mergeSmall, openKept, readMissing, segmentEnding } from './kept-segments.ts'
import { decodeTree, encodeTree, readTree, type TreeFiles } from './tree-file.ts'

export type IndexOptions = {
  /** The user's cache folder; null keeps all in memory. */
  cacheFolder: string | null
}

/** Raise it whenever words, chunks or the meaning of a section change. */
const indexVersion = 5

/** How often a build may find that a segment on disk was damaged or removed. */
const mostAttempts = 3

/** So many absent files are looked for again. */
const mostAbsent = 20

const unkept = 'the search index could not be saved to disk, so every search rebuilds it'

const folderName = `search-${indexVersion}-${factsVersion}`
const treeEnding = '.tree'

/** Throws `tree-too-large`; for anything wrong with the cache it works in memory and says so in `limits`. */
export async function openChunkIndex(
  snapshot: RepoSnapshot,
  store: IndexStore,
  { cacheFolder }: IndexOptions,
  attempt = 1,
): Promise<ChunkIndex> {
  const folders = cacheFolder === null ? null : foldersIn(cacheFolder)
  const known = folders && (await openKnown(folders, snapshot))
  if (known) return known
  const { tree, parts, bytes } = await build(snapshot, store, folders)
  const decoded = decodeTree(bytes)
  if (!decoded) throw new Error('the index of a tree cannot be read back')
  const segments = parts.flatMap((part) => part.open() ?? [])
  if (segments.length === parts.length) return new ChunkIndex(tree, decoded.words, segments)
  if (attempt >= mostAttempts) throw new Error('segments of the search index keep being removed')
  // What was damaged is removed now, and built again.
  return await openChunkIndex(snapshot, store, { cacheFolder }, attempt + 1)
}

export type BuiltChunks = {
  chunks: number
  /** Of its segments and the list of its files. */
  diskBytes: number
  /** Null when it is on disk; else why not. */
  notKept: string | null
}

/** Builds what `openChunkIndex` then finds, without holding all of it. Throws `tree-too-large`. */
export async function buildChunkIndex(
  snapshot: RepoSnapshot,
  store: IndexStore,
  { cacheFolder }: IndexOptions,
): Promise<BuiltChunks> {
  const folders = cacheFolder === null ? null : foldersIn(cacheFolder)
  const known = folders && (await knownChunks(folders, snapshot))
  if (known) return known
  const { parts, bytes, isKept } = await build(snapshot, store, folders)
  const sizes = parts.map(({ name }) => (name === null ? 0 : (folders?.segments.stat(name)?.bytes ?? 0)))
  return {
    chunks: parts.reduce((sum, { chunks }) => sum + chunks, 0),
    diskBytes: sizes.reduce((sum, size) => sum + size, bytes.length),
    notKept: isKept ? null : folders ? unkept : 'no folder was given for it',
  }
}

/** As `buildChunkIndex`, when all of it is on disk already; else null. */
async function knownChunks(
  { segments, trees }: Folders,
  snapshot: RepoSnapshot,
): Promise<BuiltChunks | null> {
  const name = `${snapshot.tree}${treeEnding}`
  const found = readTree(trees.pathOf(name))
  if (!found || (await hasArrived(found.tree, snapshot))) return null
  let [chunks, diskBytes] = [0, trees.stat(name)?.bytes ?? 0]
  for (const segment of found.tree.segments) {
    const contents = ChunkSegment.contentsOf(segments.pathOf(segment))
    if (!contents) return null
    chunks += contents.chunks
    diskBytes += segments.stat(segment)?.bytes ?? 0
    segments.touch(segment)
  }
  trees.touch(name)
  return { chunks, diskBytes, notKept: null }
}

/** Whether the next search of this tree has to build nothing. */
export function hasChunkIndex(tree: string, { cacheFolder }: IndexOptions): boolean {
  return cacheFolder !== null && foldersIn(cacheFolder).trees.stat(`${tree}${treeEnding}`) !== null
}

type Folders = { segments: IndexFolder; trees: IndexFolder; cacheFolder: string }

function foldersIn(cacheFolder: string): Folders {
  const folder = join(cacheFolder, folderName)
  return {
    cacheFolder,
    segments: new IndexFolder(join(folder, 'segments')),
    trees: new IndexFolder(join(folder, 'trees')),
  }
}

/** Null when the tree is new, when a part of it is missing or damaged, or when files have arrived that were absent. */
async function openKnown({ segments, trees }: Folders, snapshot: RepoSnapshot): Promise<ChunkIndex | null> {
  const name = `${snapshot.tree}${treeEnding}`
  const found = readTree(trees.pathOf(name))
  if (!found) return null
  if (await hasArrived(found.tree, snapshot)) return null
  const opened = found.tree.segments.flatMap((segment) => openKept(segments, segment) ?? [])
  if (opened.length < found.tree.segments.length) return null
  trees.touch(name)
  for (const segment of found.tree.segments) segments.touch(segment)
  return new ChunkIndex(found.tree, found.words, opened)
}

async function hasArrived({ absent }: TreeFiles, snapshot: RepoSnapshot): Promise<boolean> {
  for (const path of absent) if ((await snapshot.entry(path))?.size !== null) return true
  return false
}

type Wanted = Pick<TreeEntry, 'path' | 'blob' | 'size'> & { key: string }

async function build(
  snapshot: RepoSnapshot,
  store: IndexStore,
  folders: Folders | null,
): Promise<{ tree: TreeFiles; parts: readonly Kept[]; bytes: Buffer; isKept: boolean }> {
  const all = (await snapshot.list()).filter(({ mode }) => mode.startsWith('100'))
  const wanted: Wanted[] = []
  const isLong = turnClock()
  for (const { path, blob, size } of all) {
    if (languageOf(path) !== null || (size ?? 0) <= largestText)
      wanted.push({ path, blob, size, key: segmentKey(blobKey({ path, blob })) })
    if (isLong()) await nextTurn()
  }
  const folder = folders?.segments ?? null
  const found = folder ? findKept(folder, new Set(wanted.map(({ key }) => key))) : []
  const has = new Set(found.flatMap(({ places }) => [...places.keys()]))
  const missing = wanted.filter(({ key }) => !has.has(key))
  const { segments, isPassing } = await readMissing(snapshot, store, missing, folder)
  const parts = folder ? await mergeSmall([...found, ...segments], folder, store) : segments
  const absent = wanted.flatMap(({ path, size }) => (size === null ? [path] : [])).slice(0, mostAbsent)
  const tree = { ...treeFiles(wanted, parts, all.length - wanted.length), absent }
  const bytes = await encodeTree(tree)
  // What failed under load is tried again the next time.
  const isKept = folders === null || isPassing || save(folders, `${snapshot.tree}${treeEnding}`, bytes, parts)
  const limits = isKept ? tree.limits : [...tree.limits, unkept]
  return { tree: { ...tree, limits }, parts, bytes, isKept }
}

function treeFiles(
  wanted: readonly { path: string; key: string }[],
  parts: readonly Kept[],
  large: number,
): Omit<TreeFiles, 'absent'> {
  const where = new Map<string, { segment: number; blob: number }>()
  for (const [segment, { places }] of parts.entries())
    for (const [key, blob] of places) where.set(key, { segment, blob })
  const files = wanted.flatMap(({ path, key }) => {
    const place = where.get(key)
    return place ? [{ path, ...place }] : []
  })
  const unread = wanted.length - files.length
  return {
    segments: parts.map(({ name }) => name ?? ''),
    files,
    limits: [
      ...(large > 0
        ? [`${count(large, 'large file of data was', 'large files of data were')} not searched`]
        : []),
      ...(unread > 0 ? [`${count(unread, 'file is', 'files are')} binary or could not be read`] : []),
    ],
  }
}

/** False when any part of it could not be written. */
function save(
  { segments, trees, cacheFolder }: Folders,
  name: string,
  bytes: Uint8Array,
  parts: readonly Kept[],
): boolean {
  if (parts.some((part) => part.name === null) || trees.write(name, bytes) !== null) return false
  segments.removeUnused(segmentEnding)
  trees.removeUnused(treeEnding)
  removeOldVersions(cacheFolder, 'search-', folderName)
  return true
}
