/** A tree of the shadow repository as the rest of the program sees it. */
import { UserError } from '../../base/errors.ts'
import { compareTrees, type ListedEntry, listTree } from '../../base/git/list-tree.ts'
import type { ObjectContent } from '../../base/git/object-reader.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { canonicalMode, decodeName, folderMode, TreeWalker } from '../../base/git/tree-walk.ts'
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

  constructor(shadow: Shadow, tree: string, limits: ReadLimits, scanner: WordScanner) {
    this.shadow = shadow
    this.tree = tree
    this.limits = limits
    this.scanner = scanner
    this.walker = new TreeWalker(shadow.objects)
  }

  list(): Promise<readonly TreeEntry[]> {
    this.listing ??= listTree(this.shadow.objects, this.tree, this.limits.treeEntries).then((all) =>
      all.map(toEntry),
    )
    return this.listing
  }

  async entry(path: string): Promise<TreeEntry | null> {
    const found = await this.find(path)
    if (!found) return null
    const isBlob = found.mode !== '160000'
    const size = isBlob ? ((await this.shadow.objects.info(found.id))?.size ?? null) : null
    return { path, mode: found.mode, blob: found.id, size }
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
      const entry = (path: string, { mode, id }: { mode: string; id: string }, size: number | null) => ({
        path,
        mode,
        blob: id,
        size,
      })
      return named.map(({ path, before, after }) => ({
        path,
        before: before && entry(path, before, null),
        after: after && entry(path, after, headers.get(after.id)?.size ?? null),
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
      const at = places.get(blob)
      if (at) at.push(index)
      else places.set(blob, [index])
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

/** In the order in which a record keeps the keys. */
function toEntry({ path, mode, id, size }: ListedEntry): TreeEntry {
  return { blob: id, mode: canonicalMode(mode), path, size }
}

function toText(content: ObjectContent | null): FileText | null {
  if (content?.type !== 'blob' || !content.bytes) return null
  const decoded = decodeText(content.bytes)
  return decoded && { text: decoded.text, lossy: decoded.lossy, blob: content.id }
}
