/** Two trees that hold nothing but the given changes, so that git compares only what it can read. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeChange } from '../../base/git/list-tree.ts'
import type { Shadow } from '../../base/git/shadow.ts'

/** Writes both trees into the shadow's own object store. No blob is read. */
export async function reducedTrees(
  shadow: Shadow,
  changes: readonly TreeChange[],
): Promise<[string, string]> {
  return [await writeTree(shadow, changes, 'before'), await writeTree(shadow, changes, 'after')]
}

async function writeTree(
  shadow: Shadow,
  changes: readonly TreeChange[],
  side: 'before' | 'after',
): Promise<string> {
  const index = join(shadow.root, 'reduced-index')
  const env = { GIT_INDEX_FILE: index }
  const lines = changes.flatMap((change) => {
    const entry = change[side]
    return entry ? [`${entry.mode} ${entry.id}\t${change.name}\0`] : []
  })
  const input = Buffer.from(lines.join(''), 'latin1')
  await shadow.run(['update-index', '-z', '--index-info'], { env, input })
  const tree = await shadow.run(['write-tree', '--missing-ok'], { env })
  rmSync(index, { force: true })
  return tree.toString('latin1').trim()
}
