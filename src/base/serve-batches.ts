/** The other end of a `ChildWorker`: runs in the child, takes batches, and ends with its parent. */

import { flushCompileCache } from 'node:module'

/** `work` answers one batch through `send`; when it throws, the child dies. */
export function serveBatches<Batch, Reply extends object>(
  work: (batch: Batch, send: (reply: Reply) => Promise<void>) => Promise<void>,
): void {
  let isFirst = true
  process.on('disconnect', () => process.exit(0))
  process.on('message', (batch: Batch) => {
    work(batch, send).then(
      () => {
        // Owners kill their children, so that the end is no time to keep compiled code.
        if (isFirst) flushCompileCache()
        isFirst = false
      },
      () => process.exit(1),
    )
  })
}

/** Waits until the message is handed over: the next item may keep this process busy for long. */
function send(reply: object): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(reply, undefined, undefined, () => resolve())
  })
}
