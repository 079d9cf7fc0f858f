/** How much a sandbox may write in all, on whatever folders it may write to: the host's disk knows no sandboxes. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export type Use = { bytes: number; files: number }

/** What a run may add to what is there when it begins. */
export const writeQuota: Use = { bytes: 256 * 1024 * 1024, files: 100_000 }

const leastEveryMs = 250
/** So much longer than one look took is waited until the next. */
const restFactor = 10

/** Calls back once, when more than the quota was added. Returns how to end the watch. */
export function watchWrites(folders: readonly string[], quota: Use, onOver: () => void): () => void {
  const before = useOf(folders)
  const most = { bytes: before.bytes + quota.bytes, files: before.files + quota.files }
  let timer: NodeJS.Timeout | null = null
  const look = (): void => {
    const startedAt = performance.now()
    const { bytes, files } = useOf(folders, most)
    if (bytes > most.bytes || files > most.files) onOver()
    else timer = setTimeout(look, Math.max(leastEveryMs, restFactor * (performance.now() - startedAt)))
  }
  if (folders.length > 0) timer = setTimeout(look, leastEveryMs)
  return () => {
    if (timer) clearTimeout(timer)
  }
}

/** Of allocated blocks, so that a hole costs nothing and a name costs a file. Stops early beyond `most`. */
export function useOf(folders: readonly string[], most: Use = { bytes: Infinity, files: Infinity }): Use {
  const use = { bytes: 0, files: 0 }
  const waiting = [...folders]
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
