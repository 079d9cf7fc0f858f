/** Finds one path in a tree by reading only the tree objects on the way, so that a huge tree costs nothing. */
import { UserError } from '../errors.ts'
import { remembered } from '../remembered.ts'
import type { ObjectReader } from './object-reader.ts'

/** `name` holds the bytes of the name, one per character (latin1): not every repository uses UTF-8. */
export type FolderEntry = { name: string; mode: string; id: string }

/** A single folder larger than this is not read; git's own limit for what it checks out is 100 MB. */
const maxTreeBytes = 64 * 1024 * 1024

/** As long as a path may be on Linux. A longer name is cut, and stays too long to be a safe path. */
export const maxNameBytes = 4096

export const folderMode = '40000'

export class TreeWalker {
  private readonly objects: ObjectReader
  private readonly folders = new Map<string, Promise<ReadonlyMap<string, FolderEntry> | null>>()
  /** Entries of all folders read so far, each counted once. */
  stored = 0

  constructor(objects: ObjectReader) {
    this.objects = objects
  }

  /**
   * The entry at `path` below `tree`, which may itself be a folder; null when there is none. `isStrict`: throws
   * `object-missing` when a folder on the way is not here, in which it might be.
   */
  async find(tree: string, path: string, isStrict = false): Promise<FolderEntry | null> {
    let entry: FolderEntry | null = { name: '', mode: folderMode, id: tree }
    for (const name of path.split('/')) {
      if (entry.mode !== folderMode) return null
      const folder = await this.folder(entry.id)
      if (!folder && isStrict) throw new UserError('object-missing', `tree ${entry.id}`)
      entry = folder ? entryOf(folder, name) : null
      if (!entry) return null
    }
    return entry
  }

  /** The entries of one tree by name, folders with a slash behind it; null when it is missing or too large. */
  folder(id: string): Promise<ReadonlyMap<string, FolderEntry> | null> {
    return remembered(this.folders, id, async () => {
      const entries = await readFolder(this.objects, id)
      this.stored += entries?.size ?? 0
      return entries
    })
  }
}

/** As `TreeWalker.folder`, and nothing is kept. */
export async function readFolder(
  objects: ObjectReader,
  id: string,
): Promise<ReadonlyMap<string, FolderEntry> | null> {
  const content = await objects.read(id, maxTreeBytes)
  return content?.type === 'tree' && content.bytes ? parseTree(content.bytes, id.length / 2) : null
}

/** A tree object: `MODE NAME\0` and the raw id, again and again. Of equal names the first counts. */
export function parseTree(bytes: Buffer, idBytes: number): Map<string, FolderEntry> {
  const entries = new Map<string, FolderEntry>()
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const zero = bytes.indexOf(0, space + 1)
    if (space < 0 || zero < 0) break
    const name = bytes.toString('latin1', space + 1, Math.min(zero, space + 2 + maxNameBytes))
    const mode = canonicalMode(bytes.toString('latin1', at, space))
    const id = bytes.toString('hex', zero + 1, zero + 1 + idBytes)
    const key = mode === folderMode ? `${name}/` : name
    if (!entries.has(key)) entries.set(key, { name, mode, id })
    at = zero + 1 + idBytes
  }
  return entries
}

/** Old repositories hold modes such as 100664; git itself takes them for 100644 (`canon_mode` in cache.h). */
export function canonicalMode(mode: string): string {
  if (!mode.startsWith('100')) return mode.replace(/^0+/, '')
  return Number.parseInt(mode, 8) & 0o100 ? '100755' : '100644'
}

/** By the exact bytes; a name shown with replacement characters is compared as it is shown. */
function entryOf(folder: ReadonlyMap<string, FolderEntry>, name: string): FolderEntry | null {
  const bytes = Buffer.from(name).toString('latin1')
  const found = folder.get(bytes) ?? folder.get(`${bytes}/`)
  if (found || !name.includes('\ufffd')) return found ?? null
  for (const entry of folder.values()) if (decodeName(entry.name) === name) return entry
  return null
}

/** A name of one byte per character as UTF-8, with replacement characters where it is not valid. */
export function decodeName(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8')
}

/**
 * False for paths that git itself refuses to put into an index (`verify_path` in read-cache.c), which only a forged tree
 * has: more than 4096 characters, absolute, with an empty, `.`, `..` or `.git` part, or a `.gitmodules` that is a link.
 */
export function isSafePath(path: string, mode = ''): boolean {
  if (path.length > maxNameBytes) return false
  const parts = path.split('/')
  if (mode === '120000' && parts.at(-1)?.toLowerCase() === '.gitmodules') return false
  return parts.every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')
}
