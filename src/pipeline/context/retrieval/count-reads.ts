/** How much source a search has read, so that its limits need not be of time. */
import type { FactStore, IndexStore } from '../../../code-index/contract.ts'

/**
 * A world asks for the facts of each file once, so what is given out is what is read. What is kept counts alike; since the
 * result is on record, no replay needs the texts.
 */
export function countReads(
  facts: IndexStore,
  sizeOf: (path: string) => number,
): FactStore & { bytesRead(): number } {
  let bytes = 0
  return {
    facts(files) {
      for (const { path } of files) bytes += sizeOf(path)
      return facts.facts(files)
    },
    kept(files) {
      const found = facts.keptFacts(files)
      for (const { path } of files) if (found.has(path)) bytes += sizeOf(path)
      return found
    },
    get failures() {
      return facts.failures
    },
    close: async () => {},
    bytesRead: () => bytes,
  }
}
