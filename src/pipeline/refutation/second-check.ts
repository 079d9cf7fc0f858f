/**
 * A finding that would stop somebody, or that the first judge could not settle, is judged once more: by another provider's
 * model where one is set up, from the same evidence in another order, without the author's words for how bad it is, and without
 * the first judgement. What both say stands; where they differ, what takes more away.
 */
import type { Finding, Refutation, RefutationOutcome } from '../../domain/finding.ts'
import { isConfirmedByCode } from '../../domain/proof.ts'
import { isAtLeast, type Severity, severityRank } from '../../domain/severity.ts'

/** Code that confirmed a claim of it is a second witness already. */
export function needsSecondCheck(finding: Finding, first: Refutation | undefined): boolean {
  if (!first || isConfirmedByCode(finding)) return false
  const { severity, lowered } = finding
  // An answer that could not be read judges nothing, and was asked for again already.
  if (first.outcome === 'undecided') return first.severity !== undefined || first.citations.length > 0
  const isSevere = [severity, lowered?.from, first.severity].some((one) => one && isAtLeast(one, 'high'))
  return isSevere && affirms.has(first.outcome)
}

const affirms: ReadonlySet<RefutationOutcome> = new Set(['upheld', 'narrowed'])

/** From what takes nothing away to what takes all. */
const byLoss: readonly RefutationOutcome[] = [
  ...(['upheld', 'narrowed', 'overstated', 'latent', 'pre-existing', 'undecided', 'refuted'] as const),
]

/** A second check that did not come about, or is not sure, takes nothing but the right to a severity above medium. */
export function joinChecks(first: Refutation, second: Refutation): Refutation {
  const { outcome, reason, severity: rated } = second
  const said = { outcome, reason, ...(rated === undefined ? {} : { severity: rated }) }
  if (outcome === 'not-asked') return first
  if (outcome === 'undecided') return { ...first, ...(first.beyond ? { beyond: false } : {}), second: said }
  const [less, more] =
    byLoss.indexOf(first.outcome) <= byLoss.indexOf(outcome) ? [first, second] : [second, first]
  const isDispute = more.outcome === 'refuted' && less.outcome !== 'undecided'
  const severity = milder(first.severity, rated)
  const citations = [...first.citations, ...second.citations]
  const { beyond: _, severity: __, ...rest } = more
  return {
    ...rest,
    ...(isDispute
      ? { outcome: 'undecided', reason: `two checks disagree: ${first.reason} But: ${reason}` }
      : {}),
    citations: citations.filter((one, at) => citations.findIndex((other) => isSame(one, other)) === at),
    ...(severity === undefined ? {} : { severity }),
    ...(first.beyond === undefined ? {} : { beyond: first.beyond && second.beyond === true }),
    ...(first.lookUp === undefined ? {} : { lookUp: first.lookUp }),
    second: said,
  }
}

function isSame(a: Refutation['citations'][number], b: Refutation['citations'][number]): boolean {
  return a.evidence === b.evidence && a.quote === b.quote
}

function milder(a: Severity | undefined, b: Severity | undefined): Severity | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return severityRank(a) > severityRank(b) ? a : b
}

/** Words that weigh and say nothing of what happens; names of code stay as they are. */
const weight =
  /\b(?:critical(?:ly)?|severe(?:ly)?|serious(?:ly)?|catastrophic(?:ally)?|dangerous(?:ly)?|disastrous(?:ly)?|devastating|grave(?:ly)?|high[- ](?:severity|impact|risk)|major|worst|release[- ]block(?:er|ing)|blocker) ?/gi

export function withoutWeight(words: string): string {
  return words.replace(
    /(`[^`\n]*`)|([^`]+)/g,
    (_, code: string | undefined, prose: string | undefined) => code ?? (prose ?? '').replace(weight, ''),
  )
}
