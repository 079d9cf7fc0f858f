/** Facts for all tests of a worker, so that its parsers stay warm. In memory: what it knows depends on texts alone. */
import type { IndexStore } from '../../src/code-index/contract.ts'
import { createFactStore, lendFacts } from '../../src/code-index/fact-store.ts'

const store = createFactStore({ cacheFolder: null })

/** It tells of the failures that this reader met; closing it leaves the parsers of the others alone. */
export function sharedFacts(): IndexStore {
  return lendFacts(store)
}

/** For a world of modules that nobody needs any longer. */
export function closeSharedFacts(): Promise<void> {
  return store.close()
}
