/** One candidate on its way through the steps, and the verdict at the end of it. */
import type { Candidate, Verdict, VerdictStep } from '../../domain/finding.ts'
import { makeFinding } from './make-finding.ts'
import { presentable } from './presentable.ts'
import { type Bench, isDropped, placeOf, type StepNotes, type ValidationStep, type Walk } from './step.ts'

type Passed = StepNotes & { step: VerdictStep }

/** Dropped by the first step it fails, with the reason. Never throws, whatever the candidate is. */
export async function judgeCandidate(
  candidate: unknown,
  position: number,
  bench: Bench,
  steps: readonly ValidationStep[],
): Promise<Verdict> {
  const shown = presentable(candidate, position)
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
    // A candidate only once the first step has seen it.
    let walk: Walk = { candidate: candidate as Candidate, place: null, proofs: [] }
    for (const { step, run } of steps) {
      at = step
      const result = await run(walk, bench)
      if (isDropped(result)) return dropped(result.dropped)
      const { verifiedBy = [], demotions = [], ...changed } = result
      passed.push({ step, verifiedBy, demotions })
      walk = { ...walk, ...changed }
    }
    const place = placeOf(walk)
    const facts = await bench.sources.facts(place.side, place.file.path)
    return standing(shown, makeFinding(walk.candidate, place, passed, facts), passed)
  } catch (error) {
    return dropped(`The check itself failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Kept when every step let it through whole; demoted when one took something away, and then what. */
function standing(
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
