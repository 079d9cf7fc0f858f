/**
 * The ledger: what became of every finding of a repository, as events that are only ever appended. A store keeps them for
 * one tenant; what they mean together is `foldLedger` in `fold.ts`, the same for every backend.
 */
import { z } from 'zod'
import { redactStrings } from '../base/secrets/redact.ts'
import { Citation } from '../domain/finding.ts'
import { Category, Severity } from '../domain/severity.ts'
import { FindingRecord } from './record.ts'

/** Names a finding for as long as the repository lives: what its record was called when it was first seen. */
export const FindingId = z.string().regex(/^[0-9a-f]{16}(?:-\d{1,4})?$/)

/** Who made a move: a person by the name that the host or git knows, a file of the repository, or Sightline itself. */
export const Mover = z.object({
  kind: z.enum(['person', 'team-file', 'comment', 'sightline']),
  name: z.string().max(200),
})
export type Mover = z.infer<typeof Mover>

/** How far a dismissal reaches: this finding, its rule in one file, or its rule in all paths that fit the globs. */
export const Reach = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('here') }),
  z.object({ kind: z.literal('file'), rule: z.string(), path: z.string() }),
  z.object({ kind: z.literal('rule'), rule: z.string(), paths: z.array(z.string()).min(1) }),
])
export type Reach = z.infer<typeof Reach>

/** What a dismissal says of the finding; outcomes are counted by it. */
export const DismissalKind = z.enum(['wrong', 'unimportant', 'accepted', 'baseline'])
export type DismissalKind = z.infer<typeof DismissalKind>

/** An emoji at the comment of a finding, or that its thread was resolved though nothing changed. */
export const HostReaction = z.enum(['up', 'down', 'confused', 'resolved', 'none'])
export type HostReaction = z.infer<typeof HostReaction>

/** What a count of outcomes is made by. */
export const FindingFacts = z.object({
  plane: z.string(),
  rule: z.string(),
  severity: Severity,
  category: Category,
  /** The model that reported it; null for a finding of code. */
  model: z.string().nullable(),
})
export type FindingFacts = z.infer<typeof FindingFacts>

const common = {
  /** Of this event. The same move has the same id, so that a repeated review adds nothing. */
  id: z.string().min(1).max(100),
  /** `2026-11-22T20:00:00.000Z` */
  at: z.iso.datetime(),
  /** Which line of work: the number of a change request, or `branch:feature`. */
  change: z.string().max(300),
}
const ofFinding = { ...common, finding: FindingId }
const why = z.string().max(2000)
/** The commit, or the tree of what was never committed. */
const revision = z.string().max(64)

export const LedgerEvent = z.discriminatedUnion('type', [
  /** Reported for the first time, or again with another record: after an edit, a move or a rename. */
  z.object({
    ...ofFinding,
    type: z.literal('seen'),
    record: FindingRecord,
    facts: FindingFacts,
    /** Why this review does not count it among the open ones; not of a dismissal in this ledger of the finding itself. */
    aside: z.enum(['hidden', 'pre-existing', 'dismissed']).optional(),
    head: revision,
    run: z.string().nullable(),
  }),
  /** The next review of the same change did not find it, and its code is no longer there or was reviewed again. */
  z.object({ ...ofFinding, type: z.literal('fixed'), head: revision, why }),
  /** The change no longer has the code: it was reverted, or is in the base by now. */
  z.object({ ...ofFinding, type: z.literal('outdated'), head: revision, why }),
  /** Found again after it was fixed or outdated, or its code changed in substance after it was dismissed. */
  z.object({
    ...ofFinding,
    type: z.literal('reopened'),
    cause: z.enum(['found-again', 'code-changed']),
    head: revision,
    why,
  }),
  z.object({
    ...ofFinding,
    type: z.literal('dismissed'),
    by: Mover,
    because: why,
    kind: DismissalKind,
    reach: Reach,
    /** What shows that the finding is wrong; for a concession of Sightline's own never empty. */
    evidence: z.array(Citation).optional(),
  }),
  /** A dismissal was taken back. */
  z.object({ ...ofFinding, type: z.literal('restored'), by: Mover, because: why }),
  /** What a person showed on the host; it decides no state. `none`: an earlier reaction was taken back. */
  z.object({ ...ofFinding, type: z.literal('reacted'), by: Mover, reaction: HostReaction }),
  /** A review ended: what it rests on, and what each file that models read was like. */
  z.object({
    ...common,
    type: z.literal('reviewed'),
    head: revision,
    run: z.string().nullable(),
    bundle: z.string(),
    /** Of all that a question depends on besides its files: prompts, models, configuration. Empty where no model read. */
    basis: z.string(),
    files: z.record(z.string(), z.string()),
  }),
  /** Reviews of new pushes are off, or on again. */
  z.object({ ...common, type: z.enum(['paused', 'resumed']), by: Mover }),
])
export type LedgerEvent = z.infer<typeof LedgerEvent>

/** As every backend keeps them: reasons are the words of people, who quote what they see. */
export function maskEvents(events: readonly LedgerEvent[]): readonly LedgerEvent[] {
  return redactStrings(events)
}

export type EventOf<Type extends LedgerEvent['type']> = Extract<LedgerEvent, { type: Type }>

export type LedgerRead = {
  /** In the order in which they were appended; each id once. */
  events: LedgerEvent[]
  /** What could not be read, in words; null when all of it could. */
  damage: string | null
}

/**
 * A backend for ledgers: files beside the runs, or tables of a server. A store belongs to one tenant. `repository` is a key as
 * `ledgerKeys` makes it. All methods may be called while other processes use the same backend, and reject with `UserError`
 * (`ledger-unavailable`) when the backend cannot be used.
 */
export interface LedgerStore {
  /** For people: a folder, or a database. */
  readonly address: string
  /**
   * All of them or none, in their order; they survive a power cut when it resolves. Events whose id is there already are
   * left out. Returns how many were new.
   */
  append(repository: string, events: readonly LedgerEvent[]): Promise<number>
  /** Nothing for a repository that it does not know. */
  read(repository: string): Promise<LedgerRead>
  /** Keys, in the order of code units. */
  repositories(): Promise<string[]>
  /** Everything about a repository, for good. */
  remove(repository: string): Promise<void>
}
