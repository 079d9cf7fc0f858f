/** Finds one path in a tree by reading only the tree objects on the way, so that a huge tree costs nothing. */
import type { ObjectReader } from './object-reader.ts'

export type WalkEntry = { mode: string; id: string }

/** A single folder larger than this is not read; git's own limit for what it checks out is 100 MB. */
const maxTreeBytes = 64 * 1024 * 1024

export class TreeWalker {
  private readonly objects: ObjectReader
  private readonly folders = new Map<string, Promise<ReadonlyMap<string, WalkEntry> | null>>()

  constructor(objects: ObjectReader) {
    this.objects = objects
  }

  /** The entry at `path` below `tree`, which may itself be a folder (mode 40000); null when there is none. */
  async find(tree: string, path: string): Promise<WalkEntry | null> {
    let entry: WalkEntry | null = { mode: '40000', id: tree }
    for (const name of path.split('/')) {
      if (entry.mode !== '40000') return null
      entry = (await this.folder(entry.id))?.get(name) ?? null
      if (!entry) return null
    }
    return entry
  }

  private folder(id: string): Promise<ReadonlyMap<string, WalkEntry> | null> {
    let folder = this.folders.get(id)
    if (!folder) {
      folder = this.objects.read(id, maxTreeBytes).then((content) => {
        if (content?.type !== 'tree' || !content.bytes) return null
        return parseTree(content.bytes, id.length / 2)
      })
      this.folders.set(id, folder)
    }
    return folder
  }
}

/** A tree object: `MODE NAME\0` and the raw id, again and again. Of equal names the first counts. */
export function parseTree(bytes: Buffer, idBytes: number): Map<string, WalkEntry> {
  const entries = new Map<string, WalkEntry>()
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const zero = bytes.indexOf(0, space + 1)
    if (space < 0 || zero < 0) break
    const name = bytes.toString('utf8', space + 1, zero)
    const id = bytes.toString('hex', zero + 1, zero + 1 + idBytes)
    if (!entries.has(name)) entries.set(name, { mode: bytes.toString('latin1', at, space), id })
    at = zero + 1 + idBytes
  }
  return entries
}
