/** Scores for Langfuse, each on the trace of its run: how sure a review is, and what became of its findings. */
import { sha256 } from '../base/canonical-json.ts'
import type { Review } from '../domain/review.ts'
import { traceIdsOf } from '../domain/trace-ids.ts'
import type { LedgerEvent } from '../ledger/contract.ts'
import { foldLedger } from '../ledger/fold.ts'
import { outcomeOf } from '../ledger/outcomes.ts'

export type Score = {
  /** The same score sent again replaces itself. */
  id: string
  traceId: string
  name: string
  value: number | string
  /** Fixed words and ids; no text of a change. */
  comment: string
}

/** The newest of a ledger; older ones were sent by earlier runs. */
const mostOutcomes = 200

export function reviewScores(run: string, { confidence, findings }: Review): Score[] {
  const { traceId } = traceIdsOf(run)
  const score = (name: string, value: number): Score => ({
    ...{ id: idOf(name, run), traceId, name, value },
    comment: '',
  })
  return [
    score('findings', findings.length),
    ...(confidence.score === null ? [] : [score('confidence', confidence.score)]),
  ]
}

/** On the run that reported the finding last. Nothing for what is undecided. */
export function outcomeScores(events: readonly LedgerEvent[]): Score[] {
  const ledger = foldLedger(events)
  const runs = new Map(
    events.flatMap((event) =>
      event.type === 'seen' && event.run ? [[event.finding, event.run] as const] : [],
    ),
  )
  return [...ledger.findings.values()].slice(-mostOutcomes).flatMap((finding) => {
    const [outcome, run] = [outcomeOf(ledger, finding), runs.get(finding.id)]
    if (!run || outcome === null || outcome === 'undecided') return []
    const { plane, rule } = finding.facts
    return [
      {
        id: idOf('outcome', finding.id),
        traceId: traceIdsOf(run).traceId,
        name: 'outcome',
        value: outcome,
        comment: `${finding.id} ${plane} ${rule}`,
      },
    ]
  })
}

/** Of an evaluation of a recorded run: a share from 0 to 1, such as `recall`. */
export function evaluationScore(run: string, name: string, value: number): Score {
  return { id: idOf(name, run), traceId: traceIdsOf(run).traceId, name, value, comment: 'evaluation' }
}

/** The body of Langfuse's ingestion. */
export function scoresBody(scores: readonly Score[], now: Date): object {
  const timestamp = now.toISOString()
  return {
    batch: scores.map(({ comment, ...score }) => ({
      id: sha256(`${score.id} ${score.value}`).slice(0, 32),
      type: 'score-create',
      timestamp,
      body: {
        ...score,
        dataType: typeof score.value === 'number' ? 'NUMERIC' : 'CATEGORICAL',
        ...(comment === '' ? {} : { comment }),
      },
    })),
  }
}

function idOf(name: string, of: string): string {
  return sha256(`sightline score ${name} ${of}`).slice(0, 32)
}
