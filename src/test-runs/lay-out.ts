/** A frozen tree as files in a folder, for programs that need files. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSafePath } from '../base/git/tree-walk.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'

const largestCopyBytes = 512 * 1024 * 1024
const filesAtOnce = 500

/**
 * Text files only: links are not made, and binary files are not part of a snapshot. Folders are open to everybody, since
 * nobody's rights hold inside a sandbox. Throws when the tree is too large.
 */
export async function layOutTree(tree: RepoSnapshot, folder: string): Promise<void> {
  const files = (await tree.list()).filter(({ path, mode }) => mode.startsWith('100') && isSafePath(path))
  const bytes = files.reduce((sum, { size }) => sum + (size ?? 0), 0)
  if (bytes > largestCopyBytes) throw new Error('the tree is too large to be copied for its tests')
  const modes = new Map(files.map(({ path, mode }) => [path, mode]))
  for (let from = 0; from < files.length; from += filesAtOnce) {
    const paths = files.slice(from, from + filesAtOnce).map(({ path }) => path)
    for (const [path, { text }] of await tree.readMany(paths)) {
      const place = join(folder, path)
      await mkdir(dirname(place), { recursive: true, mode: 0o777 })
      await writeFile(place, text, { flag: 'wx' })
      if (modes.get(path) === '100755') await chmod(place, 0o755)
    }
  }
}
