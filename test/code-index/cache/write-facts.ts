/**
 * A process that writes facts into a pack until it is done or killed. Usage: node write-facts.ts FOLDER FIRST COUNT
 * Prints what the store says of itself.
 */
import { createFactStore } from '../../../src/code-index/fact-store.ts'
import { source } from './sources.ts'

const [, , cacheFolder = '', first = '0', count = '1'] = process.argv
const store = createFactStore({ cacheFolder })
const found: number[] = []
for (let at = Number(first); at < Number(first) + Number(count); at += 5) {
  const facts = await store.facts(Array.from({ length: 5 }, (_, step) => source(at + step)))
  found.push(...[...facts.values()].map(({ symbols }) => symbols.length))
  // The owner may kill by this.
  process.stderr.write('.')
}
process.stdout.write(JSON.stringify({ found: found.length, notKept: store.notKept }))
await store.close()
