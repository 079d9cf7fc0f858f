/** What the events of a ledger mean together: the state of every finding, and what is dismissed how far. Pure. */
import type { EventOf, FindingFacts, LedgerEvent, Reach } from './contract.ts'
import type { FindingRecord } from './record.ts'

export type FindingState = 'open' | 'fixed' | 'dismissed' | 'outdated' | 'reopened'

export type LedgerFinding = {
  id: string
  /** As it was last seen. */
  record: FindingRecord
  facts: FindingFacts
  /** The line of work in which it was last seen. */
  change: string
  /** Every id that its records had: people may know it by any of them. */
  names: ReadonlySet<string>
  state: FindingState
  /** The move that led to the state. */
  last: LedgerEvent
  firstSeen: string
  /** Null unless it is dismissed. Outlives the code: what was dismissed and is fixed does not come back open. */
  dismissal: Dismissal | null
  /** As when it was last seen; null for one that counts. */
  aside: NonNullable<EventOf<'seen'>['aside']> | null
  /** A review counted it among the open ones. */
  wasCounted: boolean
}

export type Dismissal = EventOf<'dismissed'> & {
  /** What the finding was like when it was dismissed. */
  record: FindingRecord
}

export type Ledger = {
  findings: ReadonlyMap<string, LedgerFinding>
  /** Those that reach beyond their finding and were not taken back, the oldest first. */
  wide: readonly (Dismissal & { reach: Exclude<Reach, { kind: 'here' }> })[]
  /** Of each line of work the last review in which models read something. */
  reviewed: ReadonlyMap<string, EventOf<'reviewed'>>
  /** Of each line of work the head that was reviewed last, with or without models. */
  heads: ReadonlyMap<string, string>
  /** Lines of work whose new pushes are not reviewed. */
  paused: ReadonlySet<string>
  /** Of people. */
  reactions: readonly EventOf<'reacted'>[]
  /** Findings whose comment people had resolved or deleted when a review of the change was last posted. */
  settled: ReadonlySet<string>
}

/**
 * Moves that two processes made at one time may contradict each other; then what a person decided wins: a review that
 * began before a dismissal does not reopen what was dismissed, unless it says that the code changed.
 */
export function foldLedger(events: readonly LedgerEvent[]): Ledger {
  const findings = new Map<string, LedgerFinding>()
  const wide = new Map<string, Ledger['wide'][number]>()
  const reviewed = new Map<string, EventOf<'reviewed'>>()
  const heads = new Map<string, string>()
  const paused = new Set<string>()
  const reactions: EventOf<'reacted'>[] = []
  const settled = new Set<string>()
  for (const event of events) {
    switch (event.type) {
      case 'reviewed':
        heads.set(event.change, event.head)
        if (event.basis !== '') reviewed.set(event.change, event)
        break
      case 'paused':
        paused.add(event.change)
        break
      case 'resumed':
        paused.delete(event.change)
        break
      case 'seen':
        findings.set(event.finding, seen(findings.get(event.finding), event))
        break
      default: {
        const known = findings.get(event.finding)
        if (!known) break
        if (event.type === 'reacted') {
          if (event.by.kind !== 'sightline') reactions.push(event)
          else if (event.reaction === 'resolved') settled.add(event.finding)
          else settled.delete(event.finding)
        } else findings.set(event.finding, moved(known, event))
        if (event.type === 'restored') wide.delete(event.finding)
        if (event.type === 'dismissed' && event.reach.kind !== 'here')
          wide.set(event.finding, { ...event, reach: event.reach, record: known.record })
      }
    }
  }
  return { findings, wide: [...wide.values()], reviewed, heads, paused, reactions, settled }
}

function seen(known: LedgerFinding | undefined, event: EventOf<'seen'>): LedgerFinding {
  const { finding: id, record, facts, change, at, aside = null } = event
  const last = { record, facts, change, aside, wasCounted: aside === null || (known?.wasCounted ?? false) }
  return known
    ? { ...known, ...last, names: new Set([...known.names, record.id]) }
    : {
        ...{ id, ...last, names: new Set([id, record.id]), state: 'open', last: event },
        ...{ firstSeen: at, dismissal: null },
      }
}

type Move = Exclude<LedgerEvent, { type: 'seen' | 'reviewed' | 'paused' | 'resumed' | 'reacted' }>

function moved(known: LedgerFinding, event: Move): LedgerFinding {
  switch (event.type) {
    case 'dismissed':
      return { ...known, state: 'dismissed', last: event, dismissal: { ...event, record: known.record } }
    case 'restored':
      if (known.dismissal === null) return known
      return known.state === 'dismissed'
        ? { ...known, state: 'reopened', last: event, dismissal: null }
        : { ...known, dismissal: null }
    case 'fixed':
    case 'outdated':
      return { ...known, state: event.type, last: event }
    case 'reopened':
      if (known.dismissal !== null && event.cause === 'found-again')
        return { ...known, state: 'dismissed', last: event }
      return { ...known, state: 'reopened', last: event, dismissal: null }
  }
}

export function isOpen({ state }: Pick<LedgerFinding, 'state'>): boolean {
  return state === 'open' || state === 'reopened'
}

/** By its id, or the beginning of any name it had. All that fit: one, when the id is long enough. */
export function findByName({ findings }: Pick<Ledger, 'findings'>, typed: string): LedgerFinding[] {
  const name = typed.trim().toLowerCase().replace(/^sl-/, '')
  const all = [...findings.values()]
  const exact = all.filter(({ names }) => names.has(name))
  if (exact.length > 0) return exact
  return name.length < 4 ? [] : all.filter(({ names }) => [...names].some((one) => one.startsWith(name)))
}
