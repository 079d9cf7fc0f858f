/** Two trees that hold nothing but the given changes, so that git compares only what it can read. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Shadow } from '../../base/git/shadow.ts'
import type { RawChange } from './raw-list.ts'

/** Writes both trees into the shadow's own object store. No blob is read. */
export async function reducedTrees(shadow: Shadow, changes: readonly RawChange[]): Promise<[string, string]> {
  const before = changes.map(({ oldMode, oldBlob, oldPath, path }) => ({
    mode: oldMode,
    id: oldBlob,
    path: oldPath ?? path,
  }))
  const after = changes.map(({ newMode, newBlob, path }) => ({ mode: newMode, id: newBlob, path }))
  return [await writeTree(shadow, before), await writeTree(shadow, after)]
}

type Side = { mode: string | null; id: string | null; path: string }

async function writeTree(shadow: Shadow, entries: readonly Side[]): Promise<string> {
  const index = join(shadow.root, 'reduced-index')
  const env = { GIT_INDEX_FILE: index }
  const input = entries
    .flatMap(({ mode, id, path }) => (mode !== null && id !== null ? [`${mode} ${id}\t${path}\0`] : []))
    .join('')
  await shadow.run(['update-index', '-z', '--index-info'], { env, input })
  const tree = await shadow.run(['write-tree', '--missing-ok'], { env })
  rmSync(index, { force: true })
  return tree.toString('latin1').trim()
}
