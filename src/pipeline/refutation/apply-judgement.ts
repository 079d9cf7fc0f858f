/**
 * What a judgement makes of a verdict: dropped, doubted, narrowed, called older than the change, or supported. And what is called the
 * same is reported once: two readers say one thing in other words and on other lines, which code cannot see, and a judge has read both.
 */
import {
  dropVerdict,
  type Finding,
  type FindingVerdict,
  hasFinding,
  isHearsay,
  type Refutation,
  type Verdict,
} from '../../domain/finding.ts'
import { compareSupport, mergeFindings } from '../../domain/merge-findings.ts'
import { isConfirmedByCode, mainClaimWords, supportedWords, upheldWords } from '../../domain/proof.ts'
import { isLikeProblem, isSamePlace } from '../../domain/same-problem.ts'
import { isAtLeast, type Severity, severityRank } from '../../domain/severity.ts'
import { withoutSentences } from './narrow.ts'

export function applyJudgement(verdict: Verdict, refutation: Refutation | undefined): Verdict {
  const { finding } = verdict
  if (!finding || !refutation) return verdict
  const kept = { ...verdict, finding }
  const { reason } = refutation
  switch (refutation.outcome) {
    case 'refuted':
      return dropVerdict(verdict, 'refutation', `An independent check refuted it: ${reason}`)
    case 'upheld':
      return settleSeverity(support(verified(kept, upheldWords), refutation), refutation)
    case 'narrowed':
      return settleSeverity(
        narrow(support(verified(kept, mainClaimWords), refutation), refutation),
        refutation,
      )
    case 'overstated':
      return settleSeverity(support(verified(kept, upheldWords), refutation), refutation)
    case 'latent':
      return demote(
        verified(kept, upheldWords),
        `an independent check finds nothing that makes it happen today: ${reason}`,
        { severity: 'low' },
      )
    case 'pre-existing':
      return demote(
        verified(kept, upheldWords),
        `an independent check found that it existed before this change: ${reason}`,
        {
          preExisting: true,
        },
      )
    case 'undecided':
      return doubt(kept, reason)
    case 'not-asked':
      return verdict
  }
}

function support(verdict: FindingVerdict, { beyond }: Refutation): FindingVerdict {
  return beyond ? verified(verdict, supportedWords) : verdict
}

function verified(verdict: FindingVerdict, words: string): FindingVerdict {
  const finding = { ...verdict.finding, verifiedBy: [...verdict.finding.verifiedBy, words] }
  return verdict.step === 'kept'
    ? { ...verdict, finding, reason: finding.verifiedBy.join('; ') }
    : { ...verdict, finding }
}

function narrow(verdict: FindingVerdict, { cut = [], reason }: Refutation): FindingVerdict {
  const narrowed = withoutSentences(verdict.finding, cut)
  if (!narrowed) return verdict
  const { explanation, remedy } = narrowed
  return demote(verdict, `an independent check cut a side claim: ${reason}`, { explanation, remedy })
}

/**
 * A severity above medium that validation capped comes back when the check rates it above medium too, and its words for the
 * finding are beyond what the finding quotes. A check that rates a finding lower than it is lowers it, capped or not, if any of its
 * quotes are right; except where code confirmed one of its claims.
 */
function settleSeverity(verdict: FindingVerdict, refutation: Refutation): FindingVerdict {
  const { severity: rated, beyond, citations } = refutation
  const { finding } = verdict
  const { lowered } = finding
  if (lowered && beyond && rated && isAtLeast(rated, 'high'))
    return restore(verdict, milder(rated, lowered.from), lowered)
  const isMilder = rated && severityRank(rated) > severityRank(finding.severity)
  if (isMilder && citations.length > 0 && !isConfirmedByCode(finding))
    return demote(
      verdict,
      `severity ${rated} instead of ${finding.severity}: an independent check rates the consequence lower`,
      { severity: rated },
    )
  if (!lowered) return verdict
  const why =
    rated && isAtLeast(rated, 'high')
      ? 'an independent check upheld it without words beyond its own quotes'
      : `an independent check rates the consequence ${rated ?? 'no higher'}`
  return demote(verdict, why, {})
}

/** Where nothing else was taken away, the verdict is as if it had never been capped. */
function restore(
  verdict: FindingVerdict,
  severity: Severity,
  { from, why }: NonNullable<Finding['lowered']>,
): FindingVerdict {
  const { lowered: _, ...finding } = verdict.finding
  const isCapAlone = verdict.reason === why
  const restored: FindingVerdict = isCapAlone
    ? { ...verdict, outcome: 'kept', step: 'kept', finding: { ...finding, severity } }
    : { ...verdict, finding: { ...finding, severity } }
  if (severity !== from)
    return demote(restored, `severity ${severity} instead of ${from}: an independent check rates it so`, {})
  return {
    ...restored,
    reason: isCapAlone
      ? restored.finding.verifiedBy.join('; ')
      : `${restored.reason}; then restored: ${supportedWords}`,
  }
}

function milder(a: Severity, b: Severity): Severity {
  return severityRank(a) > severityRank(b) ? a : b
}

/**
 * An undecided finding is kept with confidence `possible` and a severity of at most `medium`. One that code confirmed
 * keeps its severity.
 */
function doubt(verdict: FindingVerdict, reason: string): FindingVerdict {
  const { severity } = verdict.finding
  const isCapped = isAtLeast(severity, 'high') && !isConfirmedByCode(verdict.finding)
  const words = [
    `an independent check could not decide it: ${reason}`,
    ...(isCapped ? [`severity capped at medium, from ${severity}`] : []),
  ].join('; ')
  return demote(verdict, words, { confidence: 'possible', severity: isCapped ? 'medium' : severity })
}

/** With what was taken away and why; the first loss names the step. */
export function demote(verdict: FindingVerdict, words: string, changes: Partial<Finding>): FindingVerdict {
  const isFirst = verdict.step === 'kept'
  return {
    ...verdict,
    outcome: 'demoted',
    step: isFirst ? 'refutation' : verdict.step,
    reason: isFirst ? words : `${verdict.reason}; ${words}`,
    finding: { ...verdict.finding, ...changes },
  }
}

/** Ids of two findings of one question, of which a judge says that they are one. */
export type Twins = readonly [string, string]

/** One for each that came in, in the same order. Of two that are one, the stronger stays, with the lines and the evidence of both. */
export function joinSame(verdicts: readonly Verdict[], twins: readonly Twins[]): Verdict[] {
  const standing = new Map(verdicts.filter(hasFinding).map((verdict) => [verdict.finding.id, verdict]))
  const winnerOf = new Map<string, string>()
  const last = (id: string): string => {
    const winner = winnerOf.get(id)
    return winner === undefined ? id : last(winner)
  }
  for (const ids of twins) {
    const [a, b] = ids.map((id) => standing.get(last(id)))
    if (!a || !b || a === b || !mayBeOne(a.finding, b.finding)) continue
    const [winner, other] = compareSupport(a.finding, b.finding) <= 0 ? [a, b] : [b, a]
    const { explanation, remedy } = winner.finding
    // The other one's words are the same again, and its lines need not be.
    const finding = {
      ...mergeFindings(winner.finding, withOwnPlace(other.finding, winner.finding)),
      explanation,
      remedy: remedy ?? other.finding.remedy,
    }
    standing.set(finding.id, { ...winner, finding })
    winnerOf.set(other.finding.id, finding.id)
  }
  return verdicts.map((verdict) => {
    if (!verdict.finding) return verdict
    const { id } = verdict.finding
    if (!winnerOf.has(id)) return standing.get(id) ?? verdict
    return dropVerdict(verdict, 'duplicates', `It is the same as ${last(id)}, says an independent check`)
  })
}

/** Of whatever is told at other lines than these, the own lines are a further place. */
function withOwnPlace(finding: Finding, told: Finding): Finding {
  const { anchor, side, startLine, endLine, excerpt, places = [] } = finding
  if (isSamePlace(finding, told)) return finding
  const quoted = excerpt.filter((line) => {
    const number = line[side]
    return number !== null && startLine <= number && number <= endLine
  })
  const quote = quoted.map(({ text }) => text).join('\n')
  const own = { path: anchor.path, side, startLine, endLine, quote }
  return { ...finding, places: [own, ...places] }
}

/**
 * A judge cannot join what has neither a file nor words in common, nor an old problem to a new one, nor what code found to anything.
 * Nor, elsewhere, what code confirmed: it could not be refuted, and joining drops it without a quote, and lends its proof to another.
 */
function mayBeOne(a: Finding, b: Finding): boolean {
  const pathsOf = ({ anchor, places = [] }: Finding) => [anchor.path, ...places.map(({ path }) => path)]
  const others = pathsOf(b)
  return (
    isHearsay(a) &&
    isHearsay(b) &&
    a.preExisting === b.preExisting &&
    (isSamePlace(a, b) || ![a, b].some(isConfirmedByCode)) &&
    (pathsOf(a).some((path) => others.includes(path)) || isLikeProblem(a, b))
  )
}
