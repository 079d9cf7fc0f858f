/**
 * The fence of a run, whose token nobody who wrote the change can know: it is drawn at random, not computed from the
 * bundle, which its author could compute as well. It is kept in the journal under the bundle's hash like every other
 * thing that is not determined by the input, so that a replay and a resumed run write the same prompts, byte for byte,
 * also on another machine, and no secret of this machine has to travel with them.
 */
import { randomBytes } from 'node:crypto'
import { canonicalJson } from '../base/canonical-json.ts'
import { createFence, type Fence } from '../base/untrusted/untrusted.ts'
import type { Journal, JournalRequest } from '../domain/journal.ts'

/** `journal` null: nothing is kept, and the token is new each time. */
export async function openFence(bundle: string, journal: Journal | null): Promise<Fence> {
  const request: JournalRequest = { kind: 'random', address: 'fence', purpose: 'fence', input: { bundle } }
  const kept = (await journal?.find(request, { patienceMs: 10_000 }))?.body
  const known = kept === undefined ? null : /^\{"token":"([0-9a-f]{16})"\}$/.exec(kept)?.[1]
  const token = known ?? randomBytes(8).toString('hex')
  if (journal && !known)
    await journal.record(request, {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: canonicalJson({ token }),
      durationMs: 0,
    })
  return createFence(token)
}
