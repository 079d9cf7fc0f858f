/** What is left of two findings about one problem: the stronger telling, with all that the other one adds to it. */
import type { Finding } from './finding.ts'
import { isConfirmedByCode } from './proof.ts'
import { type Confidence, isAtLeast, severityRank } from './severity.ts'
import { coverage, termsOf } from './wording.ts'

const most = { evidence: 20, explanation: 4_000, remedy: 1_000 }

const confidences: readonly Confidence[] = ['certain', 'likely', 'possible']

/**
 * Negative when `a` is the stronger telling, zero when neither is. A finding of code comes before one of a model, so that a
 * model can hide nothing that code reports. Then severity, confidence and proof decide, and last how much it says: a
 * remedy, a suggestion, the evidence, the explanation.
 */
export function compareTellings(a: Finding, b: Finding): number {
  return (
    Number(a.byModel === true) - Number(b.byModel === true) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence) ||
    Number(isConfirmedByCode(b)) - Number(isConfirmedByCode(a)) ||
    Number(b.suggestion !== null) - Number(a.suggestion !== null) ||
    Number(b.remedy !== null) - Number(a.remedy !== null) ||
    quotedPlaces(b) - quotedPlaces(a) ||
    termsOf(b.explanation).size - termsOf(a.explanation).size
  )
}

function quotedPlaces({ evidence }: Finding): number {
  return new Set(evidence.map((one) => one.evidence)).size
}

/** `winner` keeps its id, its lines and its title. Severity and confidence are the higher ones. */
export function mergeFindings(winner: Finding, other: Finding): Finding {
  const example = winner.example ?? other.example
  return {
    ...winner,
    severity: moreSevere(winner, other),
    confidence:
      confidences.indexOf(other.confidence) < confidences.indexOf(winner.confidence)
        ? other.confidence
        : winner.confidence,
    explanation: joinProse(winner.explanation, noteOn(winner, other), most.explanation),
    remedy: joinRemedies(winner, other),
    suggestion: winner.suggestion ?? other.suggestion,
    ...(example === undefined ? {} : { example }),
    claims: distinct([...winner.claims, ...other.claims]),
    evidence: distinct([...winner.evidence, ...other.evidence]).slice(0, most.evidence),
    verifiedBy: distinct([...winner.verifiedBy, ...other.verifiedBy]),
  }
}

/** What a model says raises a finding of code to medium at most: more would need a proof of its own. */
function moreSevere(winner: Finding, other: Finding): Finding['severity'] {
  const raises = severityRank(other.severity) < severityRank(winner.severity)
  if (!raises) return winner.severity
  if (winner.byModel === true || other.byModel !== true) return other.severity
  return isAtLeast(winner.severity, 'medium') || !isAtLeast(other.severity, 'medium')
    ? winner.severity
    : 'medium'
}

/** A sentence says nothing new when so much of it is said already. */
const said = 0.7

function noteOn(winner: Finding, other: Finding): string {
  const where = other.startLine === winner.startLine ? '' : `Also on line ${other.startLine}.`
  const known = winner.explanation.includes(where) ? '' : where
  const added = newSentences(`${asSentence(other.title)} ${other.explanation}`, tellingOf(winner))
  if (added === '') return known
  const from = other.plane === winner.plane ? 'Related' : `Related, from the ${other.plane} plane`
  return `${from}: ${added}${known === '' ? '' : ` ${known}`}`
}

function joinRemedies(winner: Finding, other: Finding): string | null {
  if (winner.remedy === null || other.remedy === null) return winner.remedy ?? other.remedy
  const added = newSentences(other.remedy, tellingOf(winner))
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

function tellingOf({ title, explanation, remedy }: Finding): string {
  return `${title}. ${explanation} ${remedy ?? ''}`
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function distinct<T>(all: readonly T[]): T[] {
  const seen = new Set<string>()
  return all.filter((one) => {
    const key = JSON.stringify(one)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
