/** One parsing process: `worker.ts` in a child that can be killed at any time. */
import { fileURLToPath } from 'node:url'
import { ChildWorker } from '../../base/child-worker.ts'
import { type Batch, carefully, type Reply } from './protocol.ts'

export type ParseChild = ChildWorker<Batch, Reply>

/** Beside this file, with its ending: sources in a checkout, JavaScript when built. */
const worker = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url),
)

/** Small new spaces: facts are short-lived, and what is collected late is resident all the while. */
const flags = ['--max-semi-space-size=4']

export function startParseChild(isCareful: boolean): ParseChild {
  return new ChildWorker(worker, { flags, words: isCareful ? [carefully] : [] })
}
