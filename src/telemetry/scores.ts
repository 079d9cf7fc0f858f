/** Scores for Langfuse, each on the trace of its run: how sure a review is, and what became of its findings. */
import { sha256 } from '../base/canonical-json.ts'
import type { Review } from '../domain/review.ts'
import { traceIdsOf } from '../domain/trace-ids.ts'
import type { LedgerEvent } from '../ledger/contract.ts'
import { foldLedger } from '../ledger/fold.ts'
import { outcomeOf } from '../ledger/outcomes.ts'
import { clean } from './spans.ts'

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

export type Evaluation = {
  /** Which cases: `worlds`. */
  set: string
  /** Depth, planes, models. */
  about: string
  /** By name, such as `recall`. */
  scores: Readonly<Record<string, number>>
}

/** An evaluation is many runs; its scores share one trace, the same whenever the same thing is evaluated. */
export function evaluationScores({ set, about, scores }: Evaluation): Score[] {
  const name = `evaluation of ${set}: ${about}`
  const { traceId } = traceIdsOf(name)
  return Object.entries(scores).map(([metric, value]) => ({
    ...{ id: idOf(metric, name), traceId, name: metric, value },
    comment: clean(name),
  }))
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
