/**
 * Whether two findings are about the same problem: the same cause at the same place, with the same remedy. A function, a
 * span of lines or a quoted line that they share proves nothing, since one line can have several problems. When in doubt
 * they are two: a repeated finding is a nuisance, a lost one is a loss. docs/quality/merging.md measures it.
 */
import { oncePer } from '../base/remembered.ts'
import { subjectOf } from './claim.ts'
import type { Finding } from './finding.ts'
import { parseTag } from './line-tag.ts'
import { compareTerms, coverage, namesIn, termsOf } from './wording.ts'

/** What is compared. */
export type FindingText = Pick<
  Finding,
  'title' | 'explanation' | 'remedy' | 'claims' | 'suggestion' | 'anchor' | 'side' | 'startLine' | 'endLine'
>

/** Two findings about one problem may cite different lines of one statement. */
const nearby = 3

export function isSameProblem(a: FindingText, b: FindingText): boolean {
  if (!isSamePlace(a, b)) return false
  if (a.suggestion && b.suggestion) return isSameEdit(a.suggestion, b.suggestion)
  const [claims, others] = [claimedSubjects(a), claimedSubjects(b)]
  if (claims.size > 0 && others.size > 0)
    return claims.size === others.size && [...claims].every((one) => others.has(one)) && !contradict(a, b)
  return saysTheSame(a, b)
}

/** Of the shorter one's words, how many two tellings of one problem have in common at least. */
const alike = { inOneFile: 0.35, elsewhere: 0.5 }

/**
 * Whether they may tell one problem in other words, which only somebody who reads the code can say. Of 49 pairs in two draws that told
 * one, the 39 in one file had 0.39 of the shorter one's words in common, and the ten in two files 0.53; of the pairs in two files that
 * told two, three had 0.5 or more.
 */
export function isLikeProblem(a: FindingText, b: FindingText): boolean {
  if (isSamePlace(a, b)) return true
  return likeness(a, b) >= (a.anchor.path === b.anchor.path ? alike.inOneFile : alike.elsewhere)
}

/** The share of the shorter one's words that both have, from 0 to 1. */
export function likeness(a: FindingText, b: FindingText): number {
  return compareTerms(told(a), told(b)).ofShorter
}

/** A finding is compared with each other one of its review. */
const told = oncePer(({ title, explanation }: FindingText) => termsOf(`${title}. ${explanation}`))

/** On the same side of the same file, with cited lines that are next to each other. The lines between count for nothing. */
export function isSamePlace(a: FindingText, b: FindingText): boolean {
  if (a.anchor.path !== b.anchor.path || a.side !== b.side) return false
  const lines = citedLines(b)
  return citedLines(a).some((one) => lines.some((other) => Math.abs(one - other) <= nearby))
}

function citedLines({ anchor, side, startLine, endLine }: FindingText): number[] {
  const cited = anchor.tags.flatMap((tag) => {
    const parsed = parseTag(tag)
    return parsed?.side === side ? [parsed.line] : []
  })
  return cited.length > 0 ? cited : [startLine, endLine]
}

function isSameEdit(a: FindingText['suggestion'] & object, b: FindingText['suggestion'] & object): boolean {
  const text = ({ replacement }: typeof a) => replacement.replace(/\s+/g, ' ').trim()
  return a.path === b.path && a.startLine <= b.endLine && b.startLine <= a.endLine && text(a) === text(b)
}

/** Kind and subject of each claim that has a subject: `no-test-calls parse`. */
export function claimedSubjects({ claims }: Pick<Finding, 'claims'>): Set<string> {
  return new Set(
    claims.flatMap((claim) => {
      const subject = subjectOf(claim)
      return subject === null ? [] : [`${claim.kind} ${subject}`]
    }),
  )
}

/** How alike two findings must be; chosen on one half of the labelled pairs. Shares are from 0 to 1. */
const least = {
  /** Weight of the terms in common: a short text is alike to many. */
  common: 4,
  ofShorter: 0.45,
  ofBoth: 0.35,
  /** Of each title, found anywhere in the other finding; and of the better covered one. */
  title: 0.3,
  eitherTitle: 0.5,
  /** Of either remedy, found anywhere in the other finding. */
  eitherRemedy: 0.3,
  /** Findings without names need more. */
  unnamed: { ofShorter: 0.55, title: 0.5 },
}

function saysTheSame(a: FindingText, b: FindingText): boolean {
  const [left, right] = [termsOf(wordsOf(a)), termsOf(wordsOf(b))]
  const { common, ofShorter, ofBoth } = compareTerms(left, right)
  if (common < least.common || ofShorter < least.ofShorter || ofBoth < least.ofBoth) return false
  if (contradict(a, b)) return false

  const titles = [coverage(termsOf(a.title), right), coverage(termsOf(b.title), left)]
  const [worst, best] = [Math.min(...titles), Math.max(...titles)]
  if (worst < least.title || best < least.eitherTitle) return false
  if (isSubstituted(a.title, b.title) && worst < least.unnamed.title) return false
  const remedies = [
    ...(a.remedy === null ? [] : [coverage(termsOf(a.remedy), right)]),
    ...(b.remedy === null ? [] : [coverage(termsOf(b.remedy), left)]),
  ]
  if (remedies.length > 0 && Math.max(...remedies) < least.eitherRemedy) return false

  const [names, others] = [namesIn(wordsOf(a)), namesIn(wordsOf(b))].sort((x, y) => x.size - y.size)
  if (names && others && names.size > 0) return [...names].every((name) => others.has(name))
  return ofShorter >= least.unnamed.ofShorter && worst >= least.unnamed.title
}

function wordsOf({ title, explanation, remedy }: FindingText): string {
  return `${title}. ${explanation} ${remedy ?? ''}`
}

/** Titles of one build about two things: `the token is logged`, `the path is logged`. */
function isSubstituted(a: string, b: string): boolean {
  const [left, right] = [termsOf(a), termsOf(b)]
  const differ =
    [...left.keys()].some((one) => !right.has(one)) && [...right.keys()].some((one) => !left.has(one))
  return differ && compareTerms(left, right).ofShorter >= 0.5
}

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

/** The titles name other things from the code, other numbers, or opposites. */
function contradict(a: FindingText, b: FindingText): boolean {
  const [names, otherNames] = [namesIn(a.title), namesIn(b.title)]
  if (names.size > 0 && otherNames.size > 0 && ![...names].some((one) => otherNames.has(one))) return true
  const [left, right] = [wordsIn(a.title), wordsIn(b.title)]
  const [numbers, others] = [left, right].map((words) => [...words].filter((one) => /^\p{N}/u.test(one)))
  if (numbers?.length && others?.length && !numbers.some((one) => others.includes(one))) return true
  const only = (one: string, words: Set<string>, rest: Set<string>) => words.has(one) && !rest.has(one)
  return opposites.some(
    ([one, other]) =>
      (only(one, left, right) && only(other, right, left)) ||
      (only(other, left, right) && only(one, right, left)),
  )
}

function wordsIn(title: string): Set<string> {
  const words = title.toLowerCase().match(/[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+(?:\.\p{N}+)?/gu) ?? []
  return new Set(words.map((one) => (one.length > 3 ? one.replace(/s$/, '') : one)))
}
