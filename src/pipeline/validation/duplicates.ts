/** Step 6: the same thing said twice in one run is told once; the stronger saying stands and takes the other's evidence. */
import type { Finding } from '../../domain/finding.ts'
import { withRelated } from '../../domain/related-note.ts'
import { subjectsOf } from './fingerprint.ts'

/** A winner takes over no more than makes it this many citations. */
const mostEvidence = 20

export type Merged = {
  /** Those that stand, in the order given, with what they took over. */
  kept: Finding[]
  /** Those that go, and the reason. */
  gone: Map<Finding, string>
}

/**
 * `findings` must come strongest first; `explanation` of a winner says where and what else was said. What code found is
 * never told by a model's finding in its place, however strong: or a model could talk over what it wants hidden.
 */
export function mergeDuplicates(findings: readonly Finding[]): Merged {
  const standing = new Map<Finding, Finding>()
  const gone = new Map<Finding, string>()
  const byPath = new Map<string, Finding[]>()
  const byCode = findings.filter(({ byModel }) => byModel !== true)
  const byModels = findings.filter(({ byModel }) => byModel === true)
  for (const finding of [...byCode, ...byModels]) {
    const neighbours = byPath.get(finding.anchor.path) ?? []
    const first = neighbours.find((one) => isSame(standing.get(one) ?? one, finding))
    if (first) {
      standing.set(first, takeOver(standing.get(first) ?? first, finding))
      gone.set(finding, `It is the same as ${first.id}`)
      continue
    }
    neighbours.push(finding)
    byPath.set(finding.anchor.path, neighbours)
    standing.set(finding, finding)
  }
  return { kept: findings.flatMap((finding) => standing.get(finding) ?? []), gone }
}

/** Only what is certain by what code compared; two wordings of one thought are for the synthesis to see. */
function isSame(a: Finding, b: Finding): boolean {
  if (a.fingerprint === b.fingerprint) return true
  if (a.side !== b.side) return false
  const overlaps = a.startLine <= b.endLine && b.startLine <= a.endLine
  if (a.rule === b.rule) return overlaps && sameSubjects(a, b)
  if (a.plane === b.plane || !overlaps) return false
  const sameLine = a.anchor.tags[0] === b.anchor.tags[0]
  if (a.category === b.category && sameLine && listOf(a) === listOf(b)) return true
  // Of another category, it is the same when it says the same of the same thing, or rests on the same evidence.
  return sameClaims(a, b) || (sameSubjects(a, b) && sameEvidence(a, b))
}

/** The same kinds of claims about the same names: `unused x` is not `undefined x`. */
function sameClaims(a: Finding, b: Finding): boolean {
  const kinds = ({ claims }: Finding) => [...new Set(claims.map(({ kind }) => kind))].sort().join()
  return listOf(a) !== '' && listOf(a) === listOf(b) && kinds(a) === kinds(b)
}

/** Two findings on one line may quote that line and nothing else, and mean two things; two equal quotes are no chance. */
function sameEvidence(a: Finding, b: Finding): boolean {
  const quotes = ({ evidence }: Finding) =>
    [...new Set(evidence.map((one) => `${one.evidence} ${one.quote.trim()}`))].sort()
  return quotes(a).length > 1 && quotes(a).join('\n') === quotes(b).join('\n')
}

function sameSubjects(a: Finding, b: Finding): boolean {
  return listOf(a) === '' || listOf(b) === '' || listOf(a) === listOf(b)
}

function listOf(finding: Finding): string {
  return subjectsOf(finding).join('\n')
}

function takeOver(winner: Finding, other: Finding): Finding {
  const known = new Set(winner.evidence.map(({ evidence, quote }) => `${evidence} ${quote}`))
  const further = other.evidence
    .filter(({ evidence, quote }) => !known.has(`${evidence} ${quote}`))
    .slice(0, Math.max(0, mostEvidence - winner.evidence.length))
  return {
    ...winner,
    evidence: [...winner.evidence, ...further],
    explanation: withRelated(winner, other),
  }
}
