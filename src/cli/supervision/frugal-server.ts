/** A server that gives back what it no longer uses: it runs for months, and is idle for most of them. */
import { ownNode } from '../../base/own-node.ts'

/**
 * The allocator of glibc reads this once, when a process starts. Once it is set, blocks from 128 KiB on are mapped, and
 * are given back when they are freed. Without it, an idle server was 318 to 340 MB in memory (Node 24, embedded database); with it 216 to 220.
 */
const trimming = 'MALLOC_TRIM_THRESHOLD_'

/** As for the processes of reviews (`supervise.ts`). */
const smallNewSpaces = '--max-semi-space-size=4'

/**
 * Replaces this process by one with the same number, arguments and standard streams that gives memory back. Returns only
 * where there is nothing to do: it is one already, the operator chose a threshold, or the system cannot replace a process.
 */
export function becomeFrugal(entry: string, argv: readonly string[]): void {
  if (process.platform !== 'linux' || process.env[trimming] !== undefined) return
  const [program, ...words] = ownNode([smallNewSpaces, ...process.execArgv])
  process.execve?.(program, [program, ...words, entry, ...argv], { ...process.env, [trimming]: '131072' })
}
