/** The queue as a stream: its whole state, whenever it is another one. */
import { setTimeout as delay } from 'node:timers/promises'
import type { QueueEvent, QueueState } from './contract/operation.ts'

const everyMs = 1_000

/** Ends when `signal` is aborted, or whoever reads it has gone. */
export async function* liveQueue(
  read: () => Promise<QueueState>,
  signal: AbortSignal,
): AsyncGenerator<QueueEvent> {
  let shown = ''
  while (!signal.aborted) {
    const data = await read()
    const text = JSON.stringify(data)
    if (text !== shown) yield { event: 'queue', data }
    shown = text
    await delay(everyMs, undefined, { signal }).catch(() => {})
  }
}
