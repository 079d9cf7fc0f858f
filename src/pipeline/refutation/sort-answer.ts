/** Which finding each part of a judge's answer is about. Nothing is guessed: what names no finding of the question counts for none. */
import { visibleLine } from '../../base/visible-text.ts'
import { bareId } from '../../domain/line-tag.ts'
import type { LookUp } from './look-up.ts'
import { type JudgeAnswer, type Judgement, labelOf } from './question.ts'

/** What an answer says of one finding. `contradictory`: it judges it twice, and differently. */
export type Said = {
  judgement: Judgement | 'contradictory' | null
  /** The first that it asked for. */
  lookUp: LookUp | null
}

/** By the position of the finding in the question, and the numbers that no finding has. */
export function sortAnswer(answer: JudgeAnswer, findings: number): { said: Said[]; strange: string[] } {
  const labels = Array.from({ length: findings }, (_, at) => labelOf(at))
  const named = [...answer.judgements, ...answer.look_ups].map(({ finding }) => finding)
  return {
    said: labels.map((label) => ({
      judgement: only(answer.judgements.filter(({ finding }) => bare(finding) === label)),
      lookUp: answer.look_ups.find(({ finding }) => bare(finding) === label) ?? null,
    })),
    strange: [...new Set(named.filter((name) => !labels.includes(bare(name))))].map((name) =>
      visibleLine(name).slice(0, 40),
    ),
  }
}

function only([first, ...others]: readonly Judgement[]): Said['judgement'] {
  if (!first) return null
  return others.every(({ judgement }) => judgement === first.judgement) ? first : 'contradictory'
}

/** `[F1]` and `f1` as `F1`. */
function bare(name: string): string {
  return bareId(name).toUpperCase()
}
