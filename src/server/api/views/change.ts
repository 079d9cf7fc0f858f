/** One change request as the dashboard shows it: what the catalog has of its runs, and the ledger of its findings. */
import { compareText } from '../../../base/compare-text.ts'
import type { LedgerEvent, LedgerRead } from '../../../ledger/contract.ts'
import { countStates, statesIn } from '../../../ledger/counts.ts'
import { foldLedger, isOpen } from '../../../ledger/fold.ts'
import type { RunRow } from '../../../storage/catalog/contract.ts'
import type { ChangeDetail, ChangeFinding, FindingMove } from '../contract/changes.ts'

/** `runs`: all that are about it, the newest first. */
export function changeOf(
  { repository, change }: { repository: string; change: number },
  runs: readonly RunRow[],
  { events, damage }: LedgerRead,
): ChangeDetail {
  const states = statesIn(foldLedger(events), events, String(change))
  const own = Map.groupBy(
    events.filter((event) => event.change === String(change)).flatMap(moveIn),
    ({ finding }) => finding,
  )
  const findings = [...states]
    .map(([finding, counted]): ChangeFinding => {
      const { id, record, facts } = finding
      const { title, path, line } = record
      return {
        ...{ id, title, path, line, severity: facts.severity },
        state: counted === 'dismissed' ? counted : finding.state,
        aside: finding.aside === 'dismissed' ? null : finding.aside,
        moves: (own.get(id) ?? []).map(({ move }) => move),
      }
    })
    .sort(
      (a, b) =>
        Number(isOpen(b)) - Number(isOpen(a)) || compareText(a.moves[0]?.at ?? '', b.moves[0]?.at ?? ''),
    )
  const named = runs.find(({ title }) => title !== '')
  return {
    ...{ repository, change, runs: [...runs], findings, damage },
    url: runs.find(({ url }) => url !== null)?.url ?? null,
    title: named?.title ?? '',
    counts: countStates(states.values()),
    usd: runs.reduce((sum, run) => sum + run.usd, 0),
    unpricedCalls: runs.reduce((sum, run) => sum + run.unpricedCalls, 0),
  }
}

function moveIn(
  event: LedgerEvent,
  at: number,
  all: readonly LedgerEvent[],
): { finding: string; move: FindingMove }[] {
  const empty = { at: event.at, by: null, why: null, head: null, run: null }
  switch (event.type) {
    case 'seen': {
      const isFirst = !all.slice(0, at).some((one) => one.type === 'seen' && one.finding === event.finding)
      const what = isFirst ? 'found' : 'changed'
      return [{ finding: event.finding, move: { ...empty, what, head: event.head, run: event.run } }]
    }
    case 'fixed':
    case 'outdated':
    case 'reopened':
      return [
        { finding: event.finding, move: { ...empty, what: event.type, why: event.why, head: event.head } },
      ]
    case 'dismissed':
    case 'restored':
      return [
        {
          finding: event.finding,
          move: { ...empty, what: event.type, by: event.by.name, why: event.because },
        },
      ]
    case 'reacted':
      return [
        {
          finding: event.finding,
          move: { ...empty, what: 'reacted', by: event.by.name, why: event.reaction },
        },
      ]
    default:
      return []
  }
}
