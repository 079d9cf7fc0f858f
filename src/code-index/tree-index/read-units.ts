/** Reads units that no segment has yet, and has segments built of them while it goes on reading. */
import type { RepoSnapshot, TreeEntry } from '../../domain/snapshot.ts'
import type { IndexStore } from '../contract.ts'

/** A segment holds no more, so that neither a build nor a merge grows without bound. Bytes of source. */
const segmentBytes = 8 * 2 ** 20
const segmentFiles = 64_000

export type ReadOptions = {
  snapshot: RepoSnapshot
  facts: IndexStore
  /** `performance.now()` after which nothing new is begun; then the answer is null. What was read is kept. */
  deadline: number
  signal?: AbortSignal | undefined
  onProgress?: ((done: number, total: number) => void) | undefined
}

/** One entry for each unit. `add` gets the bytes of each segment, in the order of the entries. False when time ran out. */
export async function readUnits(
  wanted: readonly TreeEntry[],
  { snapshot, facts, deadline, signal, onProgress }: ReadOptions,
  add: (bytes: Buffer) => void,
): Promise<boolean> {
  const isInTime = (): boolean => performance.now() <= deadline
  let before: Promise<void> = Promise.resolve()
  let done = 0
  for (const group of inGroups(wanted)) {
    signal?.throwIfAborted()
    const read = await facts.readings(group, snapshot, {
      mayGoOn: isInTime,
      onProgress: (some) => onProgress?.(done + some, wanted.length),
    })
    await before
    if (!isInTime()) return false
    done += group.length
    onProgress?.(done, wanted.length)
    const units = group.map(({ path, blob, size }) => ({
      path,
      blob,
      bytes: size ?? 0,
      isText: read.has(path),
    }))
    before = facts.segment({ kind: 'names', units }).then((bytes) => add(Buffer.from(bytes)))
    before.catch(() => {})
  }
  await before
  return true
}

function inGroups(entries: readonly TreeEntry[]): TreeEntry[][] {
  const groups: TreeEntry[][] = []
  let [bytes, files] = [0, segmentFiles]
  for (const entry of entries) {
    bytes += entry.size ?? 0
    if (files++ >= segmentFiles || bytes > segmentBytes) {
      groups.push([])
      bytes = entry.size ?? 0
      files = 1
    }
    groups.at(-1)?.push(entry)
  }
  return groups
}

/** Regular files whose objects are here have a unit; links, submodules and absent blobs have none. */
export function hasUnit({ mode, size }: Pick<TreeEntry, 'mode' | 'size'>): boolean {
  return mode.startsWith('100') && size !== null
}
