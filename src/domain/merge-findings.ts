/** What is left of two findings about one problem: the stronger one, with all that the other one adds to it. */
import { firstBy } from '../base/grouped.ts'
import type { Finding, FurtherPlace } from './finding.ts'
import { bothReadersWords, isConfirmedByCode, isUpheld } from './proof.ts'
import { type Confidence, isAtLeast, type Severity, severityRank } from './severity.ts'
import { coverage, termsOf } from './wording.ts'

const most = { evidence: 20, explanation: 4_000, remedy: 1_000 }

const confidences: readonly Confidence[] = ['certain', 'likely', 'possible']

/**
 * Negative when `a` is the stronger finding, zero when neither is. A finding of code comes before one of a model, so that a
 * model can hide nothing that code reports. Then severity decides, and where it is the same, what it was before a cap; then
 * confidence and proof, and last how much it says: a remedy, a suggestion, the evidence, the explanation.
 */
export function compareSupport(a: Finding, b: Finding): number {
  return (
    Number(a.byModel === true) - Number(b.byModel === true) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    severityRank(uncapped(a)) - severityRank(uncapped(b)) ||
    confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence) ||
    Number(isConfirmedByCode(b)) - Number(isConfirmedByCode(a)) ||
    Number(b.suggestion !== null) - Number(a.suggestion !== null) ||
    Number(b.remedy !== null) - Number(a.remedy !== null) ||
    quotedPlaces(b) - quotedPlaces(a) ||
    termsOf(b.explanation).size - termsOf(a.explanation).size
  )
}

/** What its author called it. */
function uncapped({ severity, lowered }: Finding): Severity {
  return lowered?.from ?? severity
}

function quotedPlaces({ evidence }: Finding): number {
  return new Set(evidence.map((one) => one.evidence)).size
}

/**
 * `winner` keeps its id, its lines and its title; all that `other` says beyond it is added. Confidence is the higher one, and
 * severity too, except where a model says it without proof of a finding of code.
 */
export function mergeFindings(winner: Finding, other: Finding): Finding {
  const { lowered: _, ...kept } = withSuggestionOf(winner, other)
  const severity = moreSevere(winner, other)
  const capped = winner.byModel === true ? [winner, other] : [winner]
  const { lowered } = capped.reduce((a, b) => (severityRank(uncapped(b)) < severityRank(uncapped(a)) ? b : a))
  const places = furtherPlaces(winner, other)
  const documented = winner.documented ?? other.documented
  const wrongIf = winner.wrongIf ?? other.wrongIf
  const agreed = agreement(winner, other)
  return {
    ...kept,
    severity,
    ...(lowered && severityRank(lowered.from) < severityRank(severity) ? { lowered } : {}),
    confidence:
      confidences.indexOf(other.confidence) < confidences.indexOf(winner.confidence)
        ? other.confidence
        : winner.confidence,
    explanation: joinProse(winner.explanation, noteOn(winner, other), most.explanation),
    remedy: joinRemedies(winner, other),
    claims: firstBy([...winner.claims, ...other.claims], JSON.stringify),
    evidence: firstBy([...winner.evidence, ...other.evidence], JSON.stringify).slice(0, most.evidence),
    verifiedBy: firstBy([...winner.verifiedBy, ...other.verifiedBy, ...agreed.verifiedBy], String),
    ...(agreed.reader ? { reader: agreed.reader } : {}),
    ...(places.length > 0 ? { places } : {}),
    ...(documented ? { documented } : {}),
    ...(wrongIf === undefined ? {} : { wrongIf }),
  }
}

/** Two readers who know nothing of each other, and say the same, agree, in however different words. */
function agreement({ reader }: Finding, other: Finding): Pick<Finding, 'reader' | 'verifiedBy'> {
  return reader && other.reader && reader !== other.reader
    ? { reader: 'both', verifiedBy: [bothReadersWords] }
    : { verifiedBy: [] }
}

/** One way to fix it, with why it was refused: the winner's, where it has any. */
function withSuggestionOf(winner: Finding, other: Finding): Finding {
  if (winner.suggestion !== null || winner.example !== undefined) return winner
  if (other.suggestion === null && other.example === undefined) return winner
  const { refusedSuggestion: _, ...rest } = winner
  const { suggestion, example, refusedSuggestion } = other
  return {
    ...rest,
    suggestion,
    ...(example === undefined ? {} : { example }),
    ...(refusedSuggestion === undefined ? {} : { refusedSuggestion }),
  }
}

/** The winner's, and those of `other` on lines that the winner does not show anyway. */
function furtherPlaces(winner: Finding, other: Finding): FurtherPlace[] {
  const places = [...(winner.places ?? [])]
  for (const place of other.places ?? [])
    if (![{ ...winner, path: winner.anchor.path }, ...places].some((one) => covers(one, place)))
      places.push(place)
  return places
}

type Lines = Pick<FurtherPlace, 'path' | 'side' | 'startLine' | 'endLine'>

function covers(whole: Lines, part: Lines): boolean {
  return (
    whole.path === part.path &&
    whole.side === part.side &&
    whole.startLine <= part.startLine &&
    part.endLine <= whole.endLine
  )
}

/**
 * A model raises a finding of code to medium at most, unless code confirmed one of the model's claims or an independent
 * check upheld its finding.
 */
function moreSevere(winner: Finding, other: Finding): Finding['severity'] {
  const isProven =
    winner.byModel === true || other.byModel !== true || isConfirmedByCode(other) || isUpheld(other)
  const raised = isProven || !isAtLeast(other.severity, 'medium') ? other.severity : 'medium'
  return severityRank(raised) < severityRank(winner.severity) ? raised : winner.severity
}

/** A sentence says nothing new when so much of it is said already. */
const said = 0.7

function noteOn(winner: Finding, other: Finding): string {
  const where = other.startLine === winner.startLine ? '' : `Also on line ${other.startLine}.`
  const known = winner.explanation.includes(where) ? '' : where
  const added = newSentences(`${asSentence(other.title)} ${other.explanation}`, textOf(winner))
  if (added === '') return known
  return `${introduce(winner, other)}: ${added}${known === '' ? '' : ` ${known}`}`
}

function introduce(winner: Finding, other: Finding): string {
  if (winner.byModel !== true && other.byModel === true) return 'The reviewer model adds'
  return other.plane === winner.plane ? 'Related' : `Related, from the ${other.plane} plane`
}

function joinRemedies(winner: Finding, other: Finding): string | null {
  if (winner.remedy === null || other.remedy === null) return winner.remedy ?? other.remedy
  const added = newSentences(other.remedy, textOf(winner))
  return joined(asSentence(winner.remedy), added, ' ', most.remedy) ?? winner.remedy
}

function joinProse(text: string, note: string, longest: number): string {
  return joined(text, note, '\n\n', longest) ?? text
}

/** Null when there is nothing to add, or no room. */
function joined(text: string, added: string, between: string, longest: number): string | null {
  if (added === '') return null
  const all = `${text}${between}${added}`.trim()
  return all.length > longest ? null : all
}

/** The sentences of `text` that say something which `known` does not. */
function newSentences(text: string, known: string): string {
  const terms = termsOf(known)
  return text
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => {
      const own = termsOf(sentence)
      return own.size > 0 && coverage(own, terms) < said && !known.includes(sentence)
    })
    .join(' ')
}

function textOf({ title, explanation, remedy }: Finding): string {
  return `${title}. ${explanation} ${remedy ?? ''}`
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
