/**
 * The second reading of a group: it begins from the list of what the first one found, and what it says of this list changes
 * the findings of the first one. It withdraws none of them: to lose a true finding costs more than to show a doubtful one,
 * and an independent check comes after. Pure.
 */
import { severityRank } from '../../domain/severity.ts'
import type { WireFinding } from './answer/schema.ts'
import { type Conversation, keptFindings } from './conversation.ts'
import { repeats, type TrackedFinding } from './follow-up/merge-answers.ts'
import type { PlannedQuestion } from './group-questions.ts'
import { numberInList, readListNumber } from './render/first-reading.ts'

/** Of the words of a disagreement, and of an explanation with what is added to it. */
const longest = { reason: 400, explanation: 4_000 }

/** The second question of a group, as it is asked after the first. Where that was not answered, it stands alone. */
export function afterFirst(planned: PlannedQuestion, first: Conversation | undefined): PlannedQuestion {
  if (first?.outcome !== 'answered' || !planned.questionAfter) return { ...planned, questionAfter: null }
  const found = keptFindings(first).map(({ finding }) => finding)
  return { ...planned, question: planned.questionAfter(found) }
}

/**
 * Both conversations about a group, when both have ended: a finding of the list that the second one strengthens says more,
 * one that it doubts with a reason is `possible`, and what it only repeats is left out of its own findings.
 */
export function settleReadings(first: Conversation, second: Conversation): [Conversation, Conversation] {
  if (!second.planned.questionAfter || second.outcome !== 'answered') return [first, second]
  const listed = new Map(keptFindings(first).map((one, position) => [numberInList(position), one]))
  const changed = new Map(listed)
  const strengthened = new Set<string>()
  const own = second.tracked.filter((one) => {
    if (one.withdrawn !== null) return true
    const number = readListNumber(one.finding.enriches)
    const known = number === null ? undefined : changed.get(number)
    if (number !== null && known && known.finding.file === one.finding.file) {
      changed.set(number, strengthen(known, one))
      strengthened.add(number)
      return false
    }
    return ![...listed.values()].some(({ finding }) => repeats(one.finding, finding))
  })
  for (const [number, reason] of doubtsIn(second)) {
    const known = changed.get(number)
    if (known && !strengthened.has(number)) changed.set(number, doubt(known, reason))
  }
  const byId = new Map([...changed.values()].map((one) => [one.id, one]))
  return [
    { ...first, tracked: first.tracked.map((one) => byId.get(one.id) ?? one) },
    { ...second, tracked: own, walkthrough: [] },
  ]
}

/** By number in the list; the last word on each, and none that was confirmed as well. */
function doubtsIn({ onList }: Conversation): Map<string, string> {
  const said = onList.map(({ finding, verdict, reason }) => ({
    number: readListNumber(finding) ?? '',
    verdict,
    reason: reason.trim(),
  }))
  const confirmed = new Set(said.flatMap(({ number, verdict }) => (verdict === 'confirmed' ? [number] : [])))
  return new Map(
    said.flatMap(({ number, reason }) => (confirmed.has(number) || reason === '' ? [] : [[number, reason]])),
  )
}

function doubt(known: TrackedFinding, reason: string): TrackedFinding {
  const { finding } = known
  const explanation = joined(
    finding.explanation,
    `A second reading doubts it: ${reason.slice(0, longest.reason)}`,
  )
  return { ...known, finding: { ...finding, confidence: 'possible', explanation } }
}

/** The first finding keeps its lines, its title and its category; all that the second says beyond it is added. */
function strengthen(known: TrackedFinding, again: TrackedFinding): TrackedFinding {
  const [a, b] = [known.finding, again.finding]
  const finding: WireFinding = {
    ...a,
    evidence: [...a.evidence, ...b.evidence],
    also_at: [...a.also_at, ...b.also_at],
    documented: a.documented ?? b.documented,
    explanation: joined(a.explanation, b.explanation),
    severity: severityRank(a.severity) <= severityRank(b.severity) ? a.severity : b.severity,
    confidence: a.confidence === 'likely' ? a.confidence : b.confidence,
    claims: [...a.claims, ...b.claims],
    remedy: a.remedy ?? b.remedy,
    wrong_if: a.wrong_if ?? b.wrong_if,
    edits: a.edits.length > 0 ? a.edits : b.edits,
  }
  return { ...known, finding, repaired: known.repaired || again.repaired }
}

/** As it was, where the addition says nothing new or is too much. */
function joined(explanation: string, addition: string): string {
  const both = `${explanation.trim()} ${addition.trim()}`
  return explanation.includes(addition.trim()) || both.length > longest.explanation ? explanation : both
}
