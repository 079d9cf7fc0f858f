/** What claims count for: those about other code do not count, and what no claim proves is at most `medium` for now. */
import { count } from '../../../base/count.ts'
import type { Claim, ClaimKind } from '../../../domain/claim.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { isAtLeast } from '../../../domain/severity.ts'
import {
  type CandidateState,
  type CheckedClaim,
  type DiffLocation,
  type EvidenceTable,
  locationOf,
  reasonOf,
  type StepResult,
  type ValidationContext,
} from '../contract.ts'
import { lastName } from './names.ts'

/** A claim within so many lines of the finding is about the same code: a statement and its head, for example. */
const near = 3

/** Claims which, once confirmed, show that something breaks. Only they justify a high severity of a model's finding here. */
const harmful: ReadonlySet<ClaimKind> = new Set([
  'caller-not-updated',
  'undefined',
  'not-exported',
  'call-mismatch',
  'missing-path',
  'type-mismatch',
])

/**
 * Applied to models only: a deterministic plane derives its claims and its anchor from the same fact. What a claim about
 * another place confirms says nothing of this finding: it neither protects it from a refutation nor makes it surer.
 */
export function checkRelevance(state: CandidateState, { evidence, bundle }: ValidationContext): StepResult {
  const { candidate, checkedClaims } = state
  if (!candidate.byModel) return { verifiedBy: describe(checkedClaims) }
  const location = locationOf(state)
  const rated = checkedClaims.map((checked) => ({
    ...checked,
    isRelevant:
      isNearFinding(checked.claim, candidate, location, evidence) &&
      namesItsSymbol(checked.claim, candidate, location, bundle.symbols),
  }))
  const irrelevant = rated.filter(({ isRelevant }) => !isRelevant).length
  return {
    checkedClaims: rated,
    verifiedBy: describe(rated),
    demotions:
      irrelevant === 0
        ? []
        : [
            `${irrelevant} ${irrelevant === 1 ? 'claim carries' : 'claims carry'} no weight: about another place`,
          ],
  }
}

/** `2 claims confirmed by the code index`, one line per means, in the order of the claims. */
function describe(checkedClaims: readonly CheckedClaim[]): string[] {
  const numbers = new Map<string, number>()
  for (const { result, isRelevant } of checkedClaims) {
    const words = result.status === 'confirmed' ? `confirmed by ${result.by}` : 'not checkable here'
    const where = isRelevant ? '' : 'about another place '
    const key = `${where}${words}`
    numbers.set(key, (numbers.get(key) ?? 0) + 1)
  }
  return [...numbers].map(([words, number]) => `${count(number, 'claim')} ${words}`)
}

/** At the finding's own lines, or at lines of evidence that the finding cites. */
function isNearFinding(
  claim: Claim,
  candidate: Candidate,
  location: DiffLocation,
  evidence: EvidenceTable,
): boolean {
  if (claim.kind === 'changes-together') return claim.path === location.file.path
  const side = claim.kind === 'line-contains' ? claim.side : 'new'
  const { path, line } = claim
  if (
    path === location.file.path &&
    isNear(line, location.startLine, location.endLine) &&
    (side === location.side || location.shown)
  )
    return true
  return candidate.evidence.some(({ evidence: id }) => {
    const item = evidence.get(id)
    return (
      item?.path === path &&
      item.startLine !== null &&
      isNear(line, item.startLine, item.endLine ?? item.startLine)
    )
  })
}

/** A claim that a caller was not updated counts at the caller's line, and at the change of the symbol it names. */
function namesItsSymbol(
  claim: Claim,
  candidate: Candidate,
  location: DiffLocation,
  symbols: ValidationContext['bundle']['symbols'],
): boolean {
  if (claim.kind !== 'caller-not-updated') return true
  if (claim.path === location.file.path && isNear(claim.line, location.startLine, location.endLine))
    return true
  const name = lastName(claim.symbol)
  if (location.shown?.text.includes(name) || location.excerpt.some(({ text }) => text.includes(name)))
    return true
  const words = [candidate.title, candidate.explanation].join('\n')
  return (
    words.includes(name) &&
    symbols.some(({ before, after }) => isAround(before, location) || isAround(after, location))
  )

  function isAround(
    side: (typeof symbols)[number]['before'],
    { file, startLine, endLine }: DiffLocation,
  ): boolean {
    return (
      side !== null &&
      side.symbol.name === name &&
      (side.path === file.path || side.path === file.oldPath) &&
      side.symbol.startLine <= endLine &&
      startLine <= side.symbol.endLine
    )
  }
}

function isNear(line: number, first: number, last: number): boolean {
  return first - near <= line && line <= last + near
}

/**
 * Without a confirmed, relevant claim the severity is `medium` at most. A deterministic plane that is certain needs no
 * claims, since its quotes were checked. A model does, and a claim that holds of any line (`line-contains`) or says
 * nothing about harm is not enough. What a model called it is kept in `lowered`: an independent check may restore it.
 */
export function capSeverity({ candidate, checkedClaims }: CandidateState): StepResult {
  const byModel = candidate.byModel === true
  const isHearsay = byModel || candidate.byTool !== undefined
  const isProven = checkedClaims.some(
    ({ claim, result, isRelevant }) =>
      result.status === 'confirmed' && isRelevant && (!byModel || harmful.has(claim.kind)),
  )
  const isExempt = !byModel && checkedClaims.length === 0 && candidate.confidence === 'certain'
  if (isProven || isExempt || !isAtLeast(candidate.severity, 'high')) return {}
  const why = `severity capped at medium, from ${candidate.severity}: ${whyNot(checkedClaims)}`
  const lowered = isHearsay ? { lowered: { from: candidate.severity, why } } : {}
  return { candidate: { ...candidate, severity: 'medium', ...lowered }, demotions: [why] }
}

function whyNot(checkedClaims: readonly CheckedClaim[]): string {
  if (checkedClaims.length === 0) return 'it makes no claim that code can check'
  const open = checkedClaims.find(({ result }) => result.status !== 'confirmed')
  if (open) return reasonOf(open)
  return checkedClaims.some(({ isRelevant }) => !isRelevant)
    ? 'what code could confirm is about another place'
    : 'what code could confirm does not show such harm'
}
