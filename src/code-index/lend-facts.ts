/** One store of facts for several readers, its parsers kept warm between them. */
import type { FactStore, ParseFailure } from './contract.ts'

/** Tells of the failures that this reader met, and of no other's; closing it leaves the store open. */
export function lendFacts(store: FactStore): FactStore {
  const failed = new Map<string, ParseFailure>()
  return {
    async facts(files) {
      const found = await store.facts(files)
      const known = new Map(store.failures.map((failure) => [failure.path, failure]))
      for (const { path } of files) {
        const failure = found.has(path) ? undefined : known.get(path)
        if (failure) failed.set(path, failure)
      }
      return found
    },
    get failures() {
      return [...failed.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    get notKept() {
      return store.notKept ?? null
    },
    close: async () => {},
  }
}
