/**
 * Merges findings that say the same about the same lines in other words. When in doubt they stay apart: a repeated
 * finding is a nuisance, a lost one is a loss. Exact duplicates were merged in validation.
 */

import { subjectOf } from '../../domain/claim.ts'
import type { Finding } from '../../domain/finding.ts'
import { withRelated } from '../../domain/finding.ts'

/** Of the words of both titles so many must be common; with the same claims a word is enough. */
const alike = 0.6
const fewestWords = 2

/** A finding that absorbs duplicates has at most so many citations. */
const mostEvidence = 20

export type Merged = {
  /** In the order given, with what they took over. */
  kept: Finding[]
  /** The merged ones, each with the id of the finding it was merged into. */
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

const empty: ReadonlySet<string> = new Set(
  `a an and any are as at be because been being by can could do does for from get gets has have here if in into is it
  its just may might now of on one or so some still than that the their then there these this those to was were when
  where which while will with would`.split(/\s+/),
)

/** Titles that differ in such a pair mean opposite things. */
const opposites: readonly (readonly [string, string])[] = [
  ['first', 'last'],
  ['early', 'late'],
  ['before', 'after'],
  ['min', 'max'],
  ['minimum', 'maximum'],
  ['lower', 'upper'],
  ['low', 'high'],
  ['start', 'end'],
  ['open', 'close'],
  ['read', 'write'],
  ['add', 'remove'],
  ['added', 'removed'],
  ['more', 'less'],
  ['left', 'right'],
  ['request', 'response'],
  ['key', 'value'],
  ['old', 'new'],
  ['positive', 'negative'],
]

const word = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu

/** In lower case, without function words and plural endings. */
function causeWords(title: string): Set<string> {
  const words = (title.match(word) ?? []).map((one) => one.toLowerCase())
  return new Set(words.filter((one) => !empty.has(one)).map(singular))
}

/** From 0 to 1: the share of all words that are in both. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const all = new Set([...a, ...b])
  return all.size === 0 ? 0 : [...a].filter((one) => b.has(one)).length / all.size
}

/** Whether the titles are about different things: another name from the code, another number, the opposite word. */
function differInSubject(a: ReadonlySet<string>, b: ReadonlySet<string>, code: string): boolean {
  const [onlyA, onlyB] = [[...a].filter((one) => !b.has(one)), [...b].filter((one) => !a.has(one))]
  const names = causeWords(code)
  const isSubject = (one: string) => names.has(one) || /^\p{N}+$/u.test(one)
  if (onlyA.some(isSubject) && onlyB.some(isSubject)) return true
  return opposites.some(
    ([left, right]) =>
      (onlyA.includes(left) && onlyB.includes(right)) || (onlyA.includes(right) && onlyB.includes(left)),
  )
}

function singular(one: string): string {
  return one.length > 3 && one.endsWith('s') && !one.endsWith('ss') ? one.slice(0, -1) : one
}

/** Kind and subject of each claim that has a subject: `no-test-calls parse`. */
export function claimedSubjects({ claims }: Finding): Set<string> {
  return new Set(
    claims.flatMap((claim) => {
      const subject = subjectOf(claim)
      return subject === null ? [] : [`${claim.kind} ${subject}`]
    }),
  )
}

/** Shorter lines are too common to compare. */
const shortestLine = 8
const mostLines = 20

/** Lines that both quote, whole or in part. */
export function quoteTheSame(a: Finding, b: Finding): boolean {
  const [left, right] = [quotedLines(a), quotedLines(b)]
  return left.some((one) => right.some((other) => one.includes(other) || other.includes(one)))
}

function quotedLines({ evidence }: Finding): string[] {
  return evidence
    .flatMap(({ quote }) => quote.split('\n'))
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line.length >= shortestLine)
    .slice(0, mostLines)
}

/** On the same side of the same file. */
export function overlaps(a: Finding, b: Finding): boolean {
  return (
    a.anchor.path === b.anchor.path &&
    a.side === b.side &&
    a.startLine <= b.endLine &&
    b.startLine <= a.endLine
  )
}
