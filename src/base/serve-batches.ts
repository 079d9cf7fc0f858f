/** The other end of a `ChildWorker`: runs in the child, takes batches, and ends with its parent. */

import { flushCompileCache } from 'node:module'

/** With which a child says that it ran out of memory: what a process ended by SIGABRT gives to the sandbox around it. */
export const outOfMemory = 128 + 6

/** `work` answers one batch through `send`; when it throws, the child dies. */
export function serveBatches<Batch, Reply extends object>(
  work: (batch: Batch, send: (reply: Reply) => Promise<void>) => Promise<void>,
): void {
  if (!process.send) {
    // Nobody to answer: started to fill the folder of compiled code (see `confineNode`). All of it is loaded by now.
    flushCompileCache()
    return
  }
  process.on('disconnect', () => process.exit(0))
  process.on('message', (batch: Batch) => {
    work(batch, send).catch(() => process.exit(1))
  })
}

/** Waits until the message is handed over: the next item may keep this process busy for long. */
function send(reply: object): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(reply, undefined, undefined, () => resolve())
  })
}
