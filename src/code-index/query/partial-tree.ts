/**
 * A tree of which only some files are searched, each read once. What its imports lead to is read wherever it is, so what
 * a name means does not depend on the choice; who uses it is known among the chosen files only.
 */
import { hashOfWord, holdsWord, type WordHashes, WordReader } from '../../base/word-hashes.ts'
import type { FactStore } from '../contract.ts'
import type { World } from '../resolve/contract.ts'
import type { CodeTree } from './contract.ts'

/**
 * `paths`: the chosen files. `isWhole` says of a word whether all files that mention it are among them.
 */
export function openPartialTree(
  world: World,
  store: Pick<FactStore, 'failures'>,
  paths: readonly string[],
  isWhole: (word: string) => boolean,
): CodeTree {
  const chosen = [...new Set(paths)].sort()
  let hashes: Promise<ReadonlyMap<string, WordHashes>> | null = null
  const mentioning = async (word: string): Promise<readonly string[]> => {
    hashes ??= readHashes(world, chosen)
    const known = await hashes
    const hash = hashOfWord(word)
    return chosen.filter((path) => {
      const own = known.get(path)
      return own !== undefined && holdsWord(own, hash)
    })
  }
  return {
    world,
    async mentions(words) {
      const found = new Map<string, readonly string[]>()
      for (const word of words) {
        const holders = await mentioning(word)
        if (holders.length > 0) found.set(word, holders)
      }
      return found
    },
    definers: mentioning,
    users: mentioning,
    seesAll: isWhole,
    get failures() {
      return store.failures
    },
  }
}

/** Bytes counted between two turns of the event loop. */
const bytesAtOnce = 512 * 1024

async function readHashes(world: World, paths: readonly string[]): Promise<ReadonlyMap<string, WordHashes>> {
  const reader = new WordReader()
  const hashes = new Map<string, WordHashes>()
  let bytes = 0
  for (const [path, text] of await world.texts(paths)) {
    const content = Buffer.from(text)
    hashes.set(path, reader.hashesOf(content))
    bytes += content.length
    if (bytes < bytesAtOnce) continue
    bytes = 0
    await new Promise(setImmediate)
  }
  return hashes
}
