/** One measured process: REPOSITORY COMMIT CACHE. Opens the tree for searches, asks, and prints what it took as JSON. */
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { openCodeSearch } from '../../src/code-index/search/search.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { at } from '../figures.ts'

type Taken = { wallMs: number; cpuMs: number }

export type SpeedReport = {
  chunks: number
  sourceBytes: number
  open: Taken
  first: Taken
  live: { p50: number; p95: number }
  /** From the start of the process to the first answer, its imports included. */
  whole: Taken
}

const queries = [
  'parse config file',
  'applyDiscount',
  'read header value from request',
  'handle error response',
  'close the server in tests',
  'getValue',
  'write buffer to stream',
  'http client timeout retry',
  'README install',
  'encode json',
]

const [folder = '', commit = '', cacheFolder = ''] = process.argv.slice(2)
const change = await collectLocal({
  folder,
  selector: { kind: 'commit', commit },
  limits: defaultConfig.limits,
})
const store = createFactStore({ cacheFolder })
const { value: search, taken: open } = await take(() => openCodeSearch(change.head, store, { cacheFolder }))
const { value: answer, taken: first } = await take(() => search.search('find a name in a list', 10))
const whole = { wallMs: performance.now(), cpuMs: cpu() }
const times: number[] = []
for (let round = 0; round < 5; round++)
  for (const query of queries) {
    const { taken } = await take(() => search.search(query, 10))
    // The first round warms the engine up.
    if (round > 0) times.push(taken.wallMs)
  }
const entries = await change.head.list()
const report: SpeedReport = {
  chunks: answer.searched.chunks,
  sourceBytes: entries.reduce((sum, { size }) => sum + (size !== null && size < 1_048_576 ? size : 0), 0),
  open,
  first,
  live: { p50: at(times, 0.5), p95: at(times, 0.95) },
  whole,
}
process.stdout.write(JSON.stringify(report))
await Promise.all([store.close(), change.close()])

async function take<Value>(work: () => Promise<Value>): Promise<{ value: Value; taken: Taken }> {
  const [wall, used] = [performance.now(), cpu()]
  const value = await work()
  return { value, taken: { wallMs: performance.now() - wall, cpuMs: cpu() - used } }
}

function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
