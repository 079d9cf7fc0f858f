/** What everybody on the machine can see of the processes of roles. */
import { readFileSync } from 'node:fs'
import { descendants } from '../../../src/base/process-tree.ts'

/** Environments and command lines of all below the process `of`, by role, for as long as `work` runs. */
export async function watchRoles<T>(
  of: number,
  work: Promise<T>,
): Promise<{ end: T; seen: Map<string, string> }> {
  const seen = new Map<string, Set<string>>()
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    for (const pid of descendants(of)) {
      try {
        const environ = readFileSync(`/proc/${pid}/environ`, 'latin1')
        const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
        const role = /jobs\/[^/]+\/[0-9a-f]+\/(collector|analyzer|publisher)/.exec(environ)?.[1] ?? 'other'
        const texts = seen.get(role) ?? new Set()
        seen.set(role, texts.add(environ).add(words))
      } catch {
        // It ended meanwhile.
      }
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  const end = await ended
  return { end, seen: new Map([...seen].map(([role, texts]) => [role, [...texts].join('\n')])) }
}
