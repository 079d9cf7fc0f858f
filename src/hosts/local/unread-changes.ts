/** Changes that git is not asked to compare, because a side is not here or is too large to be read. */
import type { TreeChange } from '../../base/git/list-tree.ts'
import { hugeFileBytes, type Shadow } from '../../base/git/shadow.ts'
import { decodeName, isSafePath } from '../../base/git/tree-walk.ts'
import { writeChangedTree } from '../../base/git/write-tree.ts'
import type { RawFileDiff } from '../contract.ts'

/** Unpacked for one comparison, of all files together, and of large texts: a megabyte of objects may hold thousands. */
const mostBytes = 256 * 1024 * 1024
const mostLargeTextBytes = 32 * 1024 * 1024

/**
 * Splits into what git can compare, and what is only named, with the reason. `large`: those of `whole` with a text of more
 * than `fileBytes`; the smaller ones come first, so that no large file takes room from the others.
 */
export async function separateGaps(
  shadow: Shadow,
  changes: readonly TreeChange[],
  fileBytes: number,
): Promise<{ whole: TreeChange[]; large: ReadonlySet<TreeChange>; gaps: RawFileDiff[] }> {
  const headers = await shadow.objects.infoMany(changes.flatMap(blobsOf))
  const sizesOf = (change: TreeChange) => blobsOf(change).map((id) => headers.get(id)?.size ?? null)
  const bytesOf = (change: TreeChange) => sizesOf(change).reduce<number>((sum, size) => sum + (size ?? 0), 0)
  const reasons = new Map<TreeChange, string>()
  const bySize: TreeChange[] = []
  for (const change of changes) {
    const sizes = sizesOf(change)
    if (![change.before, change.after].every((side) => isSafePath(change.name, side?.mode)))
      reasons.set(change, 'git would not check out a path like this')
    else if (sizes.includes(null)) reasons.set(change, 'object missing (partial clone)')
    else if (sizes.some((size) => size !== null && size > hugeFileBytes))
      reasons.set(change, `larger than ${hugeFileBytes} bytes`)
    else bySize.push(change)
  }
  bySize.sort((a, b) => bytesOf(a) - bytesOf(b))
  const checked = withinBytes(bySize, bytesOf, mostBytes)
  const { forged, binary } = await shadow.objects.checkContents(checked.flatMap(blobsOf))
  for (const change of checked)
    if (blobsOf(change).some((id) => forged.has(id)))
      reasons.set(change, 'its object is forged: its content does not match its id')
  const isLarge = (change: TreeChange) =>
    blobsOf(change).some((id) => !binary.has(id) && (headers.get(id)?.size ?? 0) > fileBytes)
  const genuine = checked.filter((change) => !reasons.has(change))
  const large = new Set(withinBytes(genuine.filter(isLarge), bytesOf, mostLargeTextBytes))
  const compared = new Set(genuine.filter((change) => large.has(change) || !isLarge(change)))
  const gaps = changes
    .filter((change) => !compared.has(change))
    .map((change) =>
      unread(change, reasons.get(change) ?? 'the large files of this change are too much to be compared'),
    )
  return { whole: changes.filter((change) => compared.has(change)), large, gaps: pairMoves(gaps) }
}

/** As many of the first as fit together. */
function withinBytes(
  changes: readonly TreeChange[],
  bytesOf: (change: TreeChange) => number,
  most: number,
): readonly TreeChange[] {
  let bytes = 0
  for (const [index, change] of changes.entries()) {
    bytes += bytesOf(change)
    if (bytes > most) return changes.slice(0, index)
  }
  return changes
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
  const treeOf = (side: 'before' | 'after') =>
    writeChangedTree(shadow, shadow.emptyTree, new Map(changes.map((change) => [change.name, change[side]])))
  return [await treeOf('before'), await treeOf('after')]
}
