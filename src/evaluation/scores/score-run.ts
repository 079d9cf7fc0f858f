/** Scores what an evaluation recorded: no model, no repository and no clock, so that the same folder gives the same sheet. */
import { readJudgements } from '../judge/judgements.ts'
import { scoreRetrieval } from '../retrieval/score-retrieval.ts'
import type { RunFolder } from '../run/run-folder.ts'
import type { EvalSettings } from '../run/settings.ts'
import type { ScoreSheet } from './case-score.ts'
import { scoreCase } from './score-case.ts'

export const usualTolerance = 3

/** Cases that were not reviewed yet are left out; those whose review failed count as reviews that found nothing. */
export function scoreRun(run: RunFolder, tolerance: number = usualTolerance): ScoreSheet {
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
