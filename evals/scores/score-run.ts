/** Scores what an evaluation recorded: no model, no repository and no clock, so that the same folder gives the same sheet. */
import type { EvalCase } from '../cases/eval-case.ts'
import { readJudgements } from '../judge/judgements.ts'
import type { RecordedRetrieval } from '../retrieval/recorded-retrieval.ts'
import type { RunFolder } from '../run/run-folder.ts'
import type { EvalSettings } from '../run/settings.ts'
import type { CaseScore, ScoreSheet } from './case-score.ts'
import { scoreCase } from './score-case.ts'

export const defaultTolerance = 3

/** Cases that were not reviewed yet are left out; those whose review failed count as reviews that found nothing. */
export function scoreRun(run: RunFolder, tolerance: number = defaultTolerance): ScoreSheet {
  if (run.head.settings.measure === 'retrieval') return scoreRetrieval(run)
  const judgements = readJudgements(run.folder)
  const scores = run.cases.flatMap((one) => {
    const record = run.find(one.id)
    return record ? [scoreCase(one, record, judgements.of(one, record), tolerance)] : []
  })
  const { set, cases, settings } = run.head
  return { format: 1, set, cases, about: aboutOf(settings, judgements.judge), tolerance, scores }
}

function aboutOf({ depth, roles, skipPlanes, onlyPlanes }: EvalSettings, judge: string | null): string {
  const models = Object.entries(roles ?? {}).map(([role, names]) => `${role} ${names.join(', ')}`)
  return [
    `depth ${depth}`,
    ...models,
    ...(skipPlanes.length > 0 ? [`without ${skipPlanes.join(', ')}`] : []),
    ...(onlyPlanes.length > 0 ? [`only ${onlyPlanes.join(', ')}`] : []),
    ...(judge ? [`judged with ${judge}`] : []),
  ].join('; ')
}

/** Cases that were not measured yet are left out. */
function scoreRetrieval(run: RunFolder): ScoreSheet {
  const scores = run.cases.flatMap((one) => {
    const record = run.retrieval.find(one.id)
    return record ? [scoreMeasured(one, record)] : []
  })
  const { set, cases, settings } = run.head
  const about = `retrieval, ${settings.history === 0 ? 'all' : settings.history} commits of history`
  return { format: 1, set, cases, about, tolerance: 0, scores }
}

function scoreMeasured(one: EvalCase, { failure, units, bundles }: RecordedRetrieval): CaseScore {
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
