/** Waits for changes in folders of a work tree, until they have been quiet for a moment. */
import { type FSWatcher, watch } from 'node:fs'

/** An editor writes several files; a review of half of them would be wrong. */
const quietMs = 250
const pollMs = 2_000

/**
 * One watch for each folder: that of a whole tree would also watch what git ignores, which is most of the files. `report` hears, in
 * words, that the system does not watch.
 */
export function watchFolders(report: (words: string) => void) {
  const watched = new Map<string, FSWatcher>()
  let poll: NodeJS.Timeout | null = null
  let changed: () => void = () => {}
  let isChanged = false
  const note = () => {
    isChanged = true
    changed()
  }
  const pollInstead = (error: unknown) => {
    if (poll) return
    report(
      `files cannot be watched (${(error as Error).message}); they are checked every ${pollMs / 1000} seconds`,
    )
    poll = setInterval(note, pollMs)
  }
  return {
    /** Watches these and no others. True when one of them was not watched before. */
    cover(folders: readonly string[]): boolean {
      const wanted = new Set(folders)
      for (const folder of watched.keys()) if (!wanted.has(folder)) forget(folder)
      const fresh = [...wanted].filter((folder) => !watched.has(folder) && !poll)
      for (const folder of fresh) {
        try {
          watched.set(
            folder,
            watch(folder, note).on('error', () => forget(folder)),
          )
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') pollInstead(error)
        }
      }
      return fresh.some((folder) => watched.has(folder))
    },
    /** Resolves when something changed and nothing has since for a moment, or after an abort. */
    async next(signal: AbortSignal): Promise<void> {
      if (!isChanged)
        await new Promise<void>((resolve) => {
          changed = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      while (isChanged && !signal.aborted) {
        isChanged = false
        await new Promise((resolve) => setTimeout(resolve, quietMs))
      }
    },
    close(): void {
      for (const one of watched.values()) one.close()
      if (poll) clearInterval(poll)
    },
  }

  function forget(folder: string): void {
    watched.get(folder)?.close()
    watched.delete(folder)
  }
}
