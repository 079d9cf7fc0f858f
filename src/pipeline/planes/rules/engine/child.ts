/** One matching process: `worker.ts` in a child that can be killed at any time. */
import { fileURLToPath } from 'node:url'
import { ChildWorker } from '../../../../base/child-worker.ts'
import type { Batch, Reply } from './protocol.ts'

export type MatchChild = ChildWorker<Batch, Reply>

/** Beside this file, with its ending: sources in a checkout, JavaScript when built. */
const worker = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url),
)

export function startMatchChild(): MatchChild {
  return new ChildWorker(worker)
}
