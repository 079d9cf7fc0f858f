/** Lists a tree with `git ls-tree`, as a stream with a cap: a git bomb names 10^8 paths with ten objects. */
import { UserError } from '../errors.ts'
import { gitFailure } from './run.ts'
import type { Shadow } from './shadow.ts'
import { ZeroSplitter } from './zero-splitter.ts'

export type ListedEntry = {
  path: string
  mode: string
  type: string
  id: string
  /** Bytes of a blob; null when it is not here or is no blob. */
  size: number | null
}

/** Bytes of output after which a tree is too large whatever its number of entries: paths can be long. */
const maxListBytes = 512 * 1024 * 1024

/**
 * All entries of `tree` that are not trees, in git's order (bytes of the path).
 * Throws `tree-too-large` past `maxEntries`, `object-missing` when a tree inside it is not here.
 */
export async function listTree(shadow: Shadow, tree: string, maxEntries: number): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = []
  let bytes = 0
  const splitter = new ZeroSplitter((item) => {
    const entry = parseEntry(item)
    if (entry) entries.push(entry)
    return true
  })
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', tree]
  const { code, stderr, stopped } = await shadow.stream(args, (chunk) => {
    splitter.push(chunk)
    bytes += chunk.length
    return entries.length <= maxEntries && bytes <= maxListBytes
  })
  if (stopped || entries.length > maxEntries)
    throw new UserError('tree-too-large', `more than ${Math.min(maxEntries, entries.length)} entries`)
  if (code !== 0 && /not a tree object|unable to read|missing|could not/i.test(stderr))
    throw new UserError('object-missing', stderr)
  if (code !== 0) throw gitFailure(args, stderr, code)
  return entries
}

/** `100644 blob ID    123<TAB>path`; the size is `-` for submodules and `BAD` for a missing blob. */
function parseEntry(item: Buffer): ListedEntry | null {
  const tab = item.indexOf(0x09)
  const [mode = '', type = '', id = '', size = ''] = item.toString('latin1', 0, tab).split(/ +/)
  if (tab < 0 || type === 'tree') return null
  return {
    path: item.toString('utf8', tab + 1),
    mode,
    type,
    id,
    size: /^\d+$/.test(size) ? Number(size) : null,
  }
}
