/**
 * What became of the earlier changes by the author of a change, in the folders that it touches: from the history and the
 * outcomes of findings. It is evidence for one review. Nothing is stored by person, and no name leaves this file. Pure.
 */
import { folderWithSlash } from '../base/file-paths.ts'
import type { EarlierChange } from '../domain/memory.ts'
import type { HistoryCommit } from '../domain/snapshot.ts'
import { isProgram, knowPeople } from '../graph/people.ts'
import { whatFollowed } from '../graph/related.ts'
import type { LedgerEvent } from '../ledger/contract.ts'
import { foldLedger, type LedgerFinding } from '../ledger/fold.ts'
import { outcomeOf } from '../ledger/outcomes.ts'

const mostChanges = 20
const mostFindings = 10
const mostPaths = 3
const longestSubject = 120

export type EarlierChangesQuestion = {
  /** As the request names the author: `Ada Lovelace <ada@example.com>`, or a display name. */
  author: string
  /** Newest first. */
  commits: readonly HistoryCommit[]
  events: readonly LedgerEvent[]
  /** Paths of the change. */
  paths: readonly string[]
  /** The line of work of the change itself, which is not counted. */
  change: string
}

/** The newest first; empty for a program, and where the ledger has nothing that was decided and nothing was reverted. */
export function earlierChangesBy({
  author,
  commits,
  events,
  paths,
  change,
}: EarlierChangesQuestion): EarlierChange[] {
  const self = authorIn(author)
  if (isProgram(self)) return []
  const nameOf = knowPeople([...commits, self])
  const own = nameOf(self)
  const folders = new Set(paths.map(folderWithSlash))
  const here = commits.filter(
    (commit) =>
      !isProgram(commit) &&
      nameOf(commit) === own &&
      commit.paths.some((path) => folders.has(folderWithSlash(path))),
  )
  const ledger = foldLedger(events)
  const heads = readHeads(events)
  const earlier = [...Map.groupBy(here, (commit) => requestOf(commit, heads) ?? commit.commit)]
    .filter(([name]) => name !== change)
    .slice(0, mostChanges)
    .map(([name, group]) => describe(name, group))
  return earlier.some(({ wasReviewed, isReverted }) => wasReviewed || isReverted) ? earlier : []

  function describe(name: string, group: readonly HistoryCommit[]): EarlierChange {
    const [newest] = group
    const touched = [...new Set(group.flatMap((commit) => commit.paths))].filter((path) =>
      folders.has(folderWithSlash(path)),
    )
    const { revertedBy, fixesAfter } = whatFollowed(group, touched, commits)
    const findings = [...ledger.findings.values()].filter((finding) => finding.change === name)
    return {
      name: /^\d+$/.test(name) ? `#${name}` : name.slice(0, 12),
      day: new Date((newest?.time ?? 0) * 1000).toISOString().slice(0, 10),
      subject: (newest?.subject ?? '').slice(0, longestSubject),
      paths: touched.slice(0, mostPaths),
      isReverted: revertedBy !== null,
      fixesAfter,
      findings: findings.flatMap(decided).slice(0, mostFindings),
      wasReviewed: heads.changes.has(name),
    }
  }

  function decided(finding: LedgerFinding): EarlierChange['findings'] {
    const outcome = outcomeOf(ledger, finding)
    if (outcome === null || outcome === 'undecided') return []
    const { rule, path, title } = finding.record
    return [{ rule, path, title, outcome }]
  }
}

type Heads = {
  /** Lines of work that were reviewed. */
  changes: ReadonlySet<string>
  /** Of reviewed heads. */
  changeOf: ReadonlyMap<string, string>
}

function readHeads(events: readonly LedgerEvent[]): Heads {
  const changes = new Set<string>()
  const changeOf = new Map<string, string>()
  for (const event of events) {
    if (event.type !== 'seen' && event.type !== 'reviewed') continue
    changes.add(event.change)
    changeOf.set(event.head, event.change)
  }
  return { changes, changeOf }
}

/** The line of work that a commit came with: its head was reviewed, or the host named it when it squashed the commits. */
function requestOf({ commit, subject }: HistoryCommit, { changes, changeOf }: Heads): string | null {
  const reviewed = changeOf.get(commit)
  if (reviewed !== undefined) return reviewed
  const named = /\([#!](\d{1,9})\)$/.exec(subject.trimEnd())?.[1]
  return named !== undefined && changes.has(named) ? named : null
}

function authorIn(author: string): { authorName: string; authorEmail: string } {
  const parts = /^([^<]*)<([^<>]*)>/.exec(author)
  return { authorName: (parts?.[1] ?? author).trim(), authorEmail: (parts?.[2] ?? '').trim() }
}

/** Whether somebody asked to be left out: by the address or the name. */
export function isLeftOut(author: string, people: readonly string[]): boolean {
  const { authorName, authorEmail } = authorIn(author)
  const known = new Set([authorName, authorEmail].map((one) => one.toLowerCase()).filter((one) => one !== ''))
  return people.some((one) => known.has(one.trim().toLowerCase()))
}
