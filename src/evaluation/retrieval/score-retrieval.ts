/** Scores what an evaluation of retrieval recorded, as a sheet like those of reviews. */
import type { EvalCase } from '../cases/eval-case.ts'
import type { RunFolder } from '../run/run-folder.ts'
import type { CaseScore, ScoreSheet } from '../scores/case-score.ts'
import type { RecordedRetrieval } from './recorded-retrieval.ts'

/** Cases that were not measured yet are left out. */
export function scoreRetrieval(run: RunFolder): ScoreSheet {
  const scores = run.cases.flatMap((one) => {
    const record = run.retrieval.find(one.id)
    return record ? [scoreCase(one, record)] : []
  })
  const { set, cases, settings } = run.head
  const about = `retrieval, ${settings.history === 0 ? 'all' : settings.history} commits of history`
  return { format: 1, set, cases, about, tolerance: 0, scores }
}

function scoreCase(one: EvalCase, { failure, units, bundles }: RecordedRetrieval): CaseScore {
  const { id, kind, source, language } = one
  const held = bundles.map(({ name, held }) => [name, held.map((some) => some.length)] as const)
  return {
    id,
    kind,
    source,
    language,
    reviewed: failure === null,
    complete: failure === null,
    faults: [],
    findings: [],
    usd: 0,
    unpricedCalls: 0,
    tokens: 0,
    calls: 0,
    seconds: 0,
    retrieval: { needed: units.length, held: Object.fromEntries(held) },
  }
}
