/**
 * Two planes, or two categories of one plane, that say the same of the same lines in other words. Precision first: to
 * tell a fault twice is a nuisance, to swallow a second fault of the same line is a loss. What is word for word or by
 * fingerprint the same is merged in validation already.
 */
import { type Finding, withRelated } from '../../domain/finding.ts'
import { causeWords, differInSubject, likeness } from './cause-words.ts'
import { overlaps } from './rank.ts'
import { claimedSubjects, quoteTheSame } from './subjects.ts'

/** Of the words of both titles so many must be common; with the same claims a word is enough. */
const alike = 0.6
const fewestWords = 2

/** A winner takes over no more than makes it this many citations. */
const mostEvidence = 20

export type Merged = {
  /** In the order given, with what they took over. */
  kept: Finding[]
  /** Those that go, and the id of the one that says the same. */
  same: Map<Finding, string>
}

/** `findings` come strongest first. */
export function mergeNearDuplicates(findings: readonly Finding[]): Merged {
  const kept: Finding[] = []
  const same = new Map<Finding, string>()
  for (const finding of findings) {
    const at = kept.findIndex((other) => saysTheSame(other, finding))
    const winner = kept[at]
    if (winner) {
      kept[at] = takeOver(winner, finding)
      same.set(finding, winner.id)
    } else kept.push(finding)
  }
  return { kept, same }
}

export function saysTheSame(a: Finding, b: Finding): boolean {
  if (a.rule === b.rule || a.preExisting !== b.preExisting || !overlaps(a, b)) return false
  const [left, right] = [causeWords(a.title), causeWords(b.title)]
  const code = [...a.excerpt, ...b.excerpt].map(({ text }) => text).join('\n')
  if (differInSubject(left, right, code)) return false
  const [claims, others] = [claimedSubjects(a), claimedSubjects(b)]
  if (claims.size > 0 && others.size > 0) return likeness(claims, others) === 1 && likeness(left, right) > 0
  const common = [...left].filter((one) => right.has(one)).length
  return common >= fewestWords && likeness(left, right) >= alike && quoteTheSame(a, b)
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
