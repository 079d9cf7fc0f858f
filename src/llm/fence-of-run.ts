/** The fence around foreign text in the prompts of one run: unpredictable for the author, and the same in a replay. */
import { randomBytes } from 'node:crypto'
import { canonicalJson } from '../base/canonical-json.ts'
import { createFence, type Fence } from '../base/untrusted/untrusted.ts'
import type { Journal, JournalRequest } from '../domain/journal.ts'
import type { ReviewContext } from '../domain/review-context.ts'

/** The same for all heads of one change request; null for a change that has none. */
export function changeRequestOf({ request: { repository, changeRequest } }: ReviewContext): string | null {
  return repository && changeRequest ? `${repository.host} ${repository.id} ${changeRequest.number}` : null
}

/**
 * The fence of a run. Its token is random, so the author of a change cannot predict it; a token computed from the bundle
 * could be computed by the author as well. The journal records it under the bundle's hash, so that a replayed or resumed
 * run writes the same prompts byte for byte on any machine. It also records it under the change request, whose next head
 * then leads to the same prompts where nothing else changed, and those are paid for once. A token that became known does no
 * harm: the fence removes it from foreign text. `journal` null: the token is new each time.
 */
export async function openFence(
  bundle: string,
  journal: Journal | null,
  changeRequest: string | null = null,
): Promise<Fence> {
  const ofBundle = fenceRequest({ bundle })
  const kept = await keptToken(journal, ofBundle)
  if (kept !== null) return createFence(kept)
  const ofChange = changeRequest === null ? null : fenceRequest({ changeRequest })
  const earlier = ofChange && (await keptToken(journal, ofChange))
  const token = earlier ?? randomBytes(8).toString('hex')
  for (const request of earlier === null && ofChange ? [ofBundle, ofChange] : [ofBundle])
    await journal?.record(request, {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: canonicalJson({ token }),
      durationMs: 0,
    })
  return createFence(token)
}

function fenceRequest(input: Record<string, string>): JournalRequest {
  return { kind: 'random', address: 'fence', purpose: 'fence', input }
}

async function keptToken(journal: Journal | null, request: JournalRequest): Promise<string | null> {
  const kept = (await journal?.find(request, { patienceMs: 10_000 }))?.body
  return (kept === undefined ? null : /^\{"token":"([0-9a-f]{16})"\}$/.exec(kept)?.[1]) ?? null
}
