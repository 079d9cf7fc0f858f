/**
 * Git LFS keeps a pointer in the repository and the content in the work tree. Its filter is a program and is
 * not run; what it computes is simple enough to compute here:
 * https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
import { createHash } from 'node:crypto'
import { constants, mkdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkTreePlace } from './work-tree-place.ts'

const version = 'version https://git-lfs.github.com/spec/v1\n'
/** A pointer is always shorter than this, says the specification. */
const maxPointerBytes = 1024

/**
 * Writes the pointers of `paths` into the shadow. `info` has their index entries; `asIs` are the files that
 * already are pointers, are empty, or are no regular files, and need no conversion.
 */
export async function writeLfsPointers(
  place: WorkTreePlace,
  paths: readonly string[],
): Promise<{ info: string[]; asIs: string[] }> {
  const { shadow } = place
  const folder = join(shadow.root, 'lfs')
  mkdirSync(folder, { recursive: true })
  const asIs: string[] = []
  const written: { path: string; mode: string; file: string }[] = []
  for (const [index, path] of paths.entries()) {
    shadow.signal?.throwIfAborted()
    const pointer = await pointerOf(join(place.folder, path)).catch(() => null)
    if (!pointer) asIs.push(path)
    else {
      const file = join(folder, String(index))
      writeFileSync(file, pointer.text)
      written.push({ path, mode: pointer.executable ? '100755' : '100644', file })
    }
  }
  if (written.length === 0) return { info: [], asIs }
  const input = written.map(({ file }) => `${file}\n`).join('')
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
  const ids = (await shadow.run(args, { input })).toString('latin1').split('\n')
  return { info: written.map(({ path, mode }, index) => `${mode} ${ids[index]}\t${path}\0`), asIs }
}

/** The pointer text for a file, or null when the file needs none. */
async function pointerOf(path: string): Promise<{ text: string; executable: boolean } | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const stat = await handle.stat()
    if (!stat.isFile() || stat.size === 0) return null
    const begin = Buffer.alloc(version.length)
    await handle.read(begin, 0, begin.length, 0)
    if (stat.size < maxPointerBytes && begin.toString('latin1') === version) return null
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
      hash.update(chunk)
      size += chunk.length
    }
    const text = `${version}oid sha256:${hash.digest('hex')}\nsize ${size}\n`
    return { text, executable: (stat.mode & 0o100) !== 0 }
  } finally {
    await handle.close()
  }
}
