/**
 * How much a sandbox may write in all, wherever it may write. Its own file system is in memory and has a size, which the system
 * holds. What it may write to on the host's disk, and its files, are counted a few times a second: the host knows no sandboxes.
 */
import { lstatSync, readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { descendants } from '../process-tree.ts'

export type Use = { bytes: number; files: number }

/** What a run may add to what is there when it begins. */
export const writeQuota: Use = { bytes: 256 * 1024 * 1024, files: 100_000 }

/** What a sandbox has as its root: its size tells it from the host's, which is seen until the sandbox is made. */
export type OwnRoot = { bytes: number; copied: Use }

export type Written = { pid: number | undefined; root?: OwnRoot | undefined; paths: readonly string[] }

const leastEveryMs = 50
/** So much longer than one look took is waited until the next. */
const restFactor = 2

/** Calls back once, when more than the quota was added. Returns how to end the watch. */
export function watchWrites({ pid, root, paths }: Written, quota: Use, onOver: () => void): () => void {
  const before = useOf(paths)
  const most = { bytes: before.bytes + quota.bytes, files: before.files + quota.files }
  let timer: NodeJS.Timeout | null = null
  const look = (): void => {
    const startedAt = performance.now()
    const own = root ? useOfRoot(pid, root) : { bytes: 0, files: 0 }
    const { bytes, files } = useOf(paths, most)
    if (own.bytes + bytes > most.bytes || own.files + files > most.files) onOver()
    else timer = setTimeout(look, Math.max(leastEveryMs, restFactor * (performance.now() - startedAt)))
  }
  if (root || paths.length > 0) timer = setTimeout(look, leastEveryMs)
  return () => {
    if (timer) clearTimeout(timer)
  }
}

/** Without what was copied into it; nothing as long as it is not there. */
function useOfRoot(pid: number | undefined, { bytes, copied }: OwnRoot): Use {
  const [inside] = pid === undefined ? [] : descendants(pid, 1)
  try {
    const found = statfsSync(`/proc/${inside}/root`)
    if (found.blocks * found.bsize !== bytes) return { bytes: 0, files: 0 }
    return {
      bytes: Math.max(0, (found.blocks - found.bfree) * found.bsize - copied.bytes),
      files: Math.max(0, found.files - found.ffree - copied.files),
    }
  } catch {
    return { bytes: 0, files: 0 }
  }
}

/** Of allocated blocks, so that a hole costs nothing and a name costs a file. Stops early beyond `most`. */
export function useOf(paths: readonly string[], most: Use = { bytes: Infinity, files: Infinity }): Use {
  const use = { bytes: 0, files: 0 }
  const waiting = paths.flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isFile()) use.bytes += found.blocks * 512
    return found?.isDirectory() ? [path] : []
  })
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (!found) continue
      use.bytes += found.blocks * 512
      use.files++
      if (use.bytes > most.bytes || use.files > most.files) return use
      if (found.isDirectory()) waiting.push(path)
    }
  }
  return use
}

/** None of one that went away meanwhile, or that it closed to us; what is inside can only be counted by its own. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
