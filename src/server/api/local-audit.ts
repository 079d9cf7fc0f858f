/** The audit log of one machine: what people decided about findings, and what Sightline took back, as the ledgers keep it. */
import { redactStrings } from '../../base/secrets/redact.ts'
import type { LedgerEvent, LedgerStore } from '../../ledger/contract.ts'
import type { AuditEntry, AuditPage } from './contract/operation.ts'
import { cutStrings } from './views/cut.ts'

/** Characters of a title or a reason. */
const longest = 500

/** Newest first. `cursor`: the number of the last entry that was shown, counted from the oldest. */
export async function localAudit(
  ledgers: Pick<LedgerStore, 'repositories' | 'read'>,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<AuditPage> {
  const entries: Omit<AuditEntry, 'id'>[] = []
  for (const repository of await ledgers.repositories()) {
    const titles = new Map<string, string>()
    for (const event of (await ledgers.read(repository)).events) {
      if (event.type === 'seen') titles.set(event.finding, event.record.title)
      const decided = decisionOf(event)
      if (!decided) continue
      const target = 'finding' in event ? (titles.get(event.finding) ?? event.finding) : event.change
      const { by, ...rest } = decided
      const actor = { kind: by.kind === 'sightline' ? by.kind : 'person', name: by.name } as const
      entries.push({ at: event.at, actor, target, ...rest, detail: { repository, ...rest.detail } })
    }
  }
  const all = entries
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map((entry, at) => ({ id: String(at), ...entry }))
  const end = Math.min(Number(cursor ?? all.length), all.length)
  const items = cutStrings(redactStrings(all.slice(Math.max(0, end - limit), end).reverse()), longest)
  return { items, next: end > limit ? (items.at(-1)?.id ?? null) : null }
}

/** Null for what only followed from the code. */
function decisionOf(event: LedgerEvent) {
  switch (event.type) {
    case 'dismissed': {
      const { by, kind, because, reach } = event
      const where = reach.kind === 'here' ? {} : { reach }
      return { by, action: 'finding.dismiss', detail: { as: kind, because, ...where } }
    }
    case 'restored':
      return { by: event.by, action: 'finding.restore', detail: { because: event.because } }
    case 'reacted':
      return { by: event.by, action: 'finding.react', detail: { reaction: event.reaction } }
    case 'paused':
    case 'resumed':
      return {
        by: event.by,
        action: event.type === 'paused' ? 'reviews.pause' : 'reviews.resume',
        detail: {},
      }
    default:
      return null
  }
}
