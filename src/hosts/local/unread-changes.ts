/** Changes that git is not asked to compare, because a side is not here or is too large to be read. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeChange } from '../../base/git/list-tree.ts'
import { hugeFileBytes, type Shadow } from '../../base/git/shadow.ts'
import { decodeName, isSafePath } from '../../base/git/tree-walk.ts'
import type { RawFileDiff } from '../contract.ts'

/** Splits into what git can compare, and what is only named, with the reason. */
export async function separateGaps(
  shadow: Shadow,
  changes: readonly TreeChange[],
): Promise<{ whole: TreeChange[]; gaps: RawFileDiff[] }> {
  const headers = await shadow.objects.infoMany(changes.flatMap(blobsOf))
  const small = [...headers.values()].filter(({ size }) => size <= hugeFileBytes)
  const forged = await shadow.objects.forgedAmong(small.map(({ id }) => id))
  const whole: TreeChange[] = []
  const gaps: RawFileDiff[] = []
  for (const change of changes) {
    const sizes = blobsOf(change).map((id) => headers.get(id)?.size ?? null)
    if (![change.before, change.after].every((side) => isSafePath(change.name, side?.mode)))
      gaps.push(unread(change, 'git would not check out a path like this'))
    else if (sizes.includes(null)) gaps.push(unread(change, 'object missing (partial clone)'))
    else if (blobsOf(change).some((id) => forged.has(id)))
      gaps.push(unread(change, 'its object is forged: its content does not match its id'))
    else if (sizes.some((size) => size !== null && size > hugeFileBytes))
      gaps.push(unread(change, `larger than ${hugeFileBytes} bytes`))
    else whole.push(change)
  }
  return { whole, gaps: pairMoves(gaps) }
}

/** A change by name only. */
export function unread({ name, before, after }: TreeChange, omitted: string): RawFileDiff {
  const retyped = before && after && before.mode.slice(0, 2) !== after.mode.slice(0, 2)
  return {
    path: decodeName(name),
    oldPath: null,
    status: before === null ? 'A' : after === null ? 'D' : retyped ? 'T' : 'M',
    similarity: null,
    oldMode: before?.mode ?? null,
    newMode: after?.mode ?? null,
    oldBlob: before?.id ?? null,
    newBlob: after?.id ?? null,
    added: null,
    removed: null,
    patch: null,
    omitted,
  }
}

/** The blobs of a change; the commit of a submodule is no object of this repository. */
function blobsOf({ before, after }: TreeChange): string[] {
  return [before, after].flatMap((side) => (side && side.mode !== '160000' ? [side.id] : []))
}

/** A deletion and an addition of one and the same unread blob are a rename, which needs no reading. */
function pairMoves(gaps: RawFileDiff[]): RawFileDiff[] {
  const deleted = new Map(gaps.filter(({ status }) => status === 'D').map((gap) => [gap.oldBlob, gap]))
  const gone = new Set<RawFileDiff>()
  const kept = gaps.map((gap) => {
    const from = gap.status === 'A' ? deleted.get(gap.newBlob) : undefined
    if (!from || gone.has(from)) return gap
    gone.add(from)
    const { path: oldPath, oldMode, oldBlob } = from
    return { ...gap, status: 'R', similarity: 100, oldPath, oldMode, oldBlob, added: 0, removed: 0 }
  })
  return kept.filter((gap) => !gone.has(gap))
}

/**
 * Two trees with nothing but the given changes, so that git compares only what it can read. Both are written into the
 * shadow's object store. No blob is read.
 */
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
