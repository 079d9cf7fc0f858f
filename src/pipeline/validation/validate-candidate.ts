/** One candidate through all steps, and its verdict. */
import { visibleLine } from '../../base/visible-text.ts'
import type { FileFacts } from '../../code-index/contract.ts'
import { Candidate, type Finding, type Verdict, type VerdictStep } from '../../domain/finding.ts'
import {
  type CandidateState,
  type DiffLocation,
  isDropped,
  locationOf,
  type StepNotes,
  type ValidationContext,
  type ValidationStep,
} from './contract.ts'
import { fingerprintOf } from './fingerprint.ts'

type Passed = StepNotes & { step: VerdictStep }

/** Dropped by the first step it fails, with the reason. Never throws, whatever the candidate is. */
export async function validateCandidate(
  candidate: unknown,
  position: number,
  context: ValidationContext,
  steps: readonly ValidationStep[],
): Promise<Verdict> {
  const shown = presentableCandidate(candidate, position)
  const passed: Passed[] = []
  let at: VerdictStep = 'shape'
  const dropped = (reason: string): Verdict => ({
    candidate: shown,
    outcome: 'dropped',
    step: at,
    reason,
    finding: null,
  })
  try {
    // Whether it has the shape of a candidate is for the first step to say.
    let state: CandidateState = { candidate: candidate as Candidate, location: null, checkedClaims: [] }
    for (const { step, run } of steps) {
      at = step
      const result = await run(state, context)
      if (isDropped(result)) return dropped(result.dropped)
      const { verifiedBy = [], demotions = [], ...changed } = result
      passed.push({ step, verifiedBy, demotions })
      state = { ...state, ...changed }
    }
    const location = locationOf(state)
    const facts = await context.sources.facts(location.side, location.file.path)
    return verdictOf(shown, makeFinding(state.candidate, location, passed, facts), passed)
  } catch (error) {
    return dropped(`The check itself failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** `facts` are those of the file on the side of the location, or null when it is not parsed. */
export function makeFinding(
  candidate: Candidate,
  location: DiffLocation,
  notes: readonly StepNotes[],
  facts: FileFacts | null,
): Finding {
  return {
    ...candidate,
    anchor: { path: location.file.path, tags: location.tags },
    fingerprint: fingerprintOf(candidate, location, facts),
    side: location.side,
    startLine: location.startLine,
    endLine: location.endLine,
    excerpt: location.excerpt,
    verifiedBy: notes.flatMap(({ verifiedBy }) => verifiedBy),
  }
}

/** Kept when it passed every step unchanged; demoted when a step took something away. */
function verdictOf(
  candidate: Candidate,
  finding: Verdict['finding'] & object,
  passed: readonly Passed[],
): Verdict {
  const losses = passed.flatMap(({ step, demotions }) => demotions.map((reason) => ({ step, reason })))
  const [first] = losses
  return first
    ? {
        candidate,
        outcome: 'demoted',
        step: first.step,
        reason: losses.map(({ reason }) => reason).join('; '),
        finding,
      }
    : { candidate, outcome: 'kept', step: 'kept', reason: finding.verifiedBy.join('; '), finding }
}

/** The candidate itself when it fits the schema, else a stand-in for the verdict with what could be read of it. Never throws. */
export function presentableCandidate(candidate: unknown, position: number): Candidate {
  const parsed = Candidate.safeParse(candidate)
  if (parsed.success) return parsed.data
  const source = isRecord(candidate) ? candidate : {}
  const anchor = isRecord(source.anchor) ? source.anchor : {}
  return {
    id: textOr(source.id, `?${position + 1}`, 200),
    plane: textOr(source.plane, 'unknown', 200),
    rule: textOr(source.rule, 'unknown', 200),
    severity: 'low',
    category: 'maintainability',
    confidence: 'possible',
    title: textOr(source.title, 'A candidate that is not well-formed', 300),
    explanation: '',
    remedy: null,
    anchor: { path: textOr(anchor.path, '?', 4000), tags: ['?'] },
    claims: [],
    suggestion: null,
    preExisting: false,
    evidence: [],
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function textOr(value: unknown, fallback: string, longest: number): string {
  const text = typeof value === 'string' ? visibleLine(value.slice(0, longest)).slice(0, longest) : ''
  return text.trim() === '' ? fallback : text
}
