/** Language servers for the tools of a review: for a few seconds each time, and for so many in all. */
import { withinSeconds } from '../base/time-budget.ts'
import type { LanguageServers } from '../code-index/language-servers/contract.ts'
import type { Side } from '../domain/change-set.ts'
import type { ToolServers } from '../tools/contract.ts'

/** Less than a tool gets, so that the index can still answer. */
const longestSeconds = 6

/** `open` is called at the first question. `seconds`: for all questions together. */
export function openToolServers(open: () => LanguageServers, seconds: number): ToolServers {
  let leftMs = seconds * 1000
  return {
    async ask(work, signal) {
      if (leftMs <= 0) return null
      const startedAt = performance.now()
      try {
        return await withinSeconds(Math.min(longestSeconds, leftMs / 1000), signal, () => work(open()))
      } catch {
        // A fault in reading a server's answer must not take the tool with it: the index answers too.
        signal.throwIfAborted()
        return null
      } finally {
        leftMs -= performance.now() - startedAt
      }
    },
  }
}

export type SharedServers = {
  open(side: Side): LanguageServers
  close(): Promise<void>
}

/** One set of servers a side, whoever asks. */
export function shareServers(open: (side: Side) => LanguageServers): SharedServers {
  const opened = new Map<Side, LanguageServers>()
  return {
    open(side) {
      const servers = opened.get(side) ?? open(side)
      opened.set(side, servers)
      return servers
    },
    async close() {
      await Promise.all([...opened.values()].map((servers) => servers.close()))
    },
  }
}
