/** Whether a claim is about what the finding is about: something true of another place carries no weight here. */
import type { Claim } from '../../../domain/claim.ts'
import type { Candidate } from '../../../domain/finding.ts'
import type { Place } from '../anchor/place.ts'
import type { EvidenceTable } from '../evidence/table.ts'
import { type Bench, placeOf, type StepResult, type Walk } from '../step.ts'
import { lastName } from './names.ts'

/** Lines between the shown place and a place that still is the same matter: a few, as with a statement and its head. */
const near = 3

/** Asked of models only: planes make their claims and their anchors from one thing that they found. */
export function checkBearing(walk: Walk, { evidence, context }: Bench): StepResult {
  const { candidate, proofs } = walk
  if (!candidate.byModel) return {}
  const place = placeOf(walk)
  const judged = proofs.map((proof) => ({
    ...proof,
    bears:
      bearsOn(proof.claim, candidate, place, evidence) &&
      speaksOf(proof.claim, candidate, place, context.symbols),
  }))
  const idle = judged.filter(({ bears }) => !bears).length
  return {
    proofs: judged,
    demotions:
      idle === 0
        ? []
        : [`${idle} ${idle === 1 ? 'claim carries' : 'claims carry'} no weight: about another place`],
  }
}

/** Its place is the finding's own, or one that the finding cites. */
function bearsOn(claim: Claim, candidate: Candidate, place: Place, evidence: EvidenceTable): boolean {
  if (claim.kind === 'changes-together') return claim.path === place.file.path
  const side = claim.kind === 'line-contains' ? claim.side : 'new'
  const { path, line } = claim
  if (
    path === place.file.path &&
    isNear(line, place.startLine, place.endLine) &&
    (side === place.side || place.shown)
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

function isNear(line: number, first: number, last: number): boolean {
  return first - near <= line && line <= last + near
}

/** A caller that was not updated is told where the symbol changed, or on the line of the caller itself. */
function speaksOf(
  claim: Claim,
  candidate: Candidate,
  place: Place,
  symbols: Bench['context']['symbols'],
): boolean {
  if (claim.kind !== 'caller-not-updated') return true
  if (claim.path === place.file.path && isNear(claim.line, place.startLine, place.endLine)) return true
  const name = lastName(claim.symbol)
  if (place.shown?.text.includes(name) || place.excerpt.some(({ text }) => text.includes(name))) return true
  const words = [candidate.title, candidate.explanation].join('\n')
  return (
    words.includes(name) &&
    symbols.some(({ before, after }) => isAround(before, place) || isAround(after, place))
  )

  function isAround(side: (typeof symbols)[number]['before'], { file, startLine, endLine }: Place): boolean {
    return (
      side !== null &&
      side.symbol.name === name &&
      (side.path === file.path || side.path === file.oldPath) &&
      side.symbol.startLine <= endLine &&
      startLine <= side.symbol.endLine
    )
  }
}
