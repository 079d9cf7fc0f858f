/** What people are answered who ask about a run or repeat it: the same on one machine and from an analyzer of a server. */
import type { Asked } from '../../../assembly/ask-run.ts'
import type { Compared } from '../../../assembly/replay-run.ts'
import { redactStrings } from '../../../base/secrets/redact.ts'
import type { AskedTurn } from '../../../domain/asked-turn.ts'
import type { Review } from '../../../domain/review.ts'
import { compareFindings } from '../../../ledger/compare.ts'
import type { Answer, ReplayResult } from '../contract/conversation.ts'
import { cutText } from './cut.ts'

const longestQuote = 4_000

/** `review`: the one that was asked about. */
export function answerOf(
  asked: Pick<Asked, 'turn' | 'evidence' | 'run' | 'remarks'> & { cost: { usd: number | null } },
  question: string,
  review: Review,
): Answer {
  const { turn, evidence, cost, run, remarks } = asked
  const ofReview = new Set(review.evidence.map(({ id }) => id))
  const { disputed } = turn
  return redactStrings({
    ...{ run, question, remarks },
    statements: turn.statements.map(({ text, isGuess, citations }) => ({
      ...{ text, isGuess },
      citations: citations.map(({ evidence: id, quote }) => {
        const item = evidence.get(id)
        return {
          ...{ evidence: id, quote },
          isOfReview: ofReview.has(id),
          title: item?.title ?? id,
          path: item?.path ?? null,
          side: item?.side ?? null,
          startLine: item?.startLine ?? null,
          endLine: item?.endLine ?? null,
          text: cutText(item?.text ?? quote, longestQuote),
        }
      }),
    })),
    cannot: turn.cannot,
    disputed: disputed && {
      finding: disputed.finding,
      outcome: disputed.outcome,
      reason: disputed.check.reason,
    },
    failed: turn.failed,
    usd: cost.usd,
  })
}

/** From the record: evidence that was found for an answer alone is there with what was quoted of it. */
export function recordedAnswers(turns: readonly AskedTurn[], review: Review): Answer[] {
  const evidence = new Map(review.evidence.map((item) => [item.id, item]))
  return turns.map((turn) =>
    answerOf({ turn, evidence, cost: { usd: null }, run: null, remarks: [] }, turn.question, review),
  )
}

/** `recorded`: the review that was repeated. */
export function replayResultOf(
  { review, isIdentical, served, remarks }: Compared,
  recorded: Review,
): ReplayResult {
  return redactStrings({
    ...{ isIdentical, served, remarks },
    comparison: compareFindings(recorded.findings, review.findings),
    word: review.conclusion.word,
    headline: review.conclusion.headline,
    usd: review.run.cost?.usd ?? null,
  })
}
