/**
 * What people showed on the host of findings that are in the ledger. Reactions have no reason with them, so they decide
 * nothing: they are outcomes, which count in `sightline stats` and in the calibration. Pure: read again, the same reactions
 * give no further event.
 */
import { sha256 } from '../base/canonical-json.ts'
import type { Actor } from '../domain/review-request.ts'
import type { HostReaction, LedgerEvent } from './contract.ts'
import { isOpen, type Ledger, type LedgerFinding } from './fold.ts'

/** A thread of ours whose reactions were read, by the record that its comment has. */
export type ReadThread = {
  record: string
  reactions: readonly {
    says: 'up' | 'down' | 'confused'
    by: Pick<Actor, 'id' | 'login' | 'isBot' | 'trust'>
  }[]
  /** A person resolved it, or removed its comment. */
  isResolved: boolean
}

export type ReactionScope = {
  change: string
  /** Of the change request. */
  author: Pick<Actor, 'id' | 'trust'>
  /** The head of the change request now. */
  head: string
  at: Date
}

/** Whoever resolved a thread: not every host says who. */
const resolver = 'resolved on the host'

export function reactionEvents(
  ledger: Ledger,
  threads: readonly ReadThread[],
  { change, author, head, at }: ReactionScope,
): LedgerEvent[] {
  const byName = new Map(
    [...ledger.findings.values()].flatMap((one) => [...one.names].map((id) => [id, one])),
  )
  // A thread that is resolved before its fix is reviewed says that it is fixed. And an author may resolve threads anywhere,
  // so one who may not write could have findings shown as minor by it.
  const mayJudge = ledger.heads.get(change) === head && mayWrite(author)
  return threads.flatMap(({ record, reactions, isResolved }): LedgerEvent[] => {
    const finding = byName.get(record)
    if (!finding || finding.change !== change) return []
    const now = new Map<string, HostReaction>()
    for (const { says, by } of reactions) if (counts(says, by, author)) now.set(by.login.slice(0, 200), says)
    const before = lastWords(ledger, finding)
    if (isResolved && isOpen(finding) && (mayJudge || before.get(resolver) === 'resolved'))
      now.set(resolver, 'resolved')
    for (const [name, said] of before) if (said !== 'none' && !now.has(name)) now.set(name, 'none')
    return [...now].flatMap(([name, reaction]): LedgerEvent[] =>
      before.get(name) === reaction
        ? []
        : [
            {
              id: `reacted ${sha256(JSON.stringify([finding.id, name, reaction, countOf(ledger, finding, name)])).slice(0, 32)}`,
              ...{ at: at.toISOString(), change, finding: finding.id },
              ...{ type: 'reacted', by: { kind: 'person', name }, reaction },
            },
          ],
    )
  })
}

/** Whoever resolved or deleted the comment. By Sightline's own word it is no outcome. */
const publication = 'Sightline, when it posted a review'

/** What the host showed as settled by people when a review was posted, so that its counts can be given again. */
export function settledEvents(
  ledger: Ledger,
  settled: ReadonlySet<string>,
  { change, at }: Pick<ReactionScope, 'change' | 'at'>,
): LedgerEvent[] {
  return [...ledger.findings.values()].flatMap((finding): LedgerEvent[] => {
    const isNow = [...finding.names].some((name) => settled.has(name))
    if (finding.change !== change || isNow === ledger.settled.has(finding.id)) return []
    const reaction = isNow ? 'resolved' : 'none'
    return [
      {
        id: `reacted ${sha256(JSON.stringify([finding.id, publication, reaction, at.toISOString()])).slice(0, 32)}`,
        ...{ at: at.toISOString(), change, finding: finding.id },
        ...{ type: 'reacted', by: { kind: 'sightline', name: publication }, reaction },
      },
    ]
  })
}

/**
 * Whoever may dismiss findings: people who may write to the repository. The author of a change may also agree, who gains
 * nothing by it; that others dislike a finding of their own change says little. Bots never.
 */
function counts(
  says: HostReaction,
  by: ReadThread['reactions'][number]['by'],
  author: ReactionScope['author'],
): boolean {
  if (by.isBot) return false
  return mayWrite(by) || (says === 'up' && by.id === author.id)
}

function mayWrite({ trust }: Pick<Actor, 'trust'>): boolean {
  return trust === 'owner' || trust === 'member'
}

function lastWords({ reactions }: Ledger, { id }: LedgerFinding): Map<string, HostReaction> {
  const own = reactions.filter(({ finding }) => finding === id)
  return new Map(own.map(({ by, reaction }) => [by.name, reaction]))
}

/** How often this person spoke of it: the same word after another one is a new event. */
function countOf({ reactions }: Ledger, { id }: LedgerFinding, name: string): number {
  return reactions.filter(({ finding, by }) => finding === id && by.name === name).length
}
