/** Searches the last commit of a repository with an index on disk, in a process that may be killed: REPOSITORY CACHE. */
import { createFactStore } from '../../../src/code-index/fact-store.ts'
import { openCodeSearch } from '../../../src/code-index/search/search.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'

const [folder = '', cacheFolder = ''] = process.argv.slice(2)
const limits = { changedFiles: 3000, fileBytes: 1_048_576, treeEntries: 1_000_000 }
const change = await collectLocal({ folder, selector: { kind: 'commit', commit: 'HEAD' }, limits })
const store = createFactStore({ cacheFolder: null })
await (await openCodeSearch(change.head, store, { cacheFolder })).search('price', 5)
await Promise.all([store.close(), change.close()])
