/** Runs the planes side by side over the frozen bundle. One that fails is reported; the others go on. */
import { withinSeconds } from '../../base/time-budget.ts'
import type { CandidateDraft } from '../../domain/finding.ts'
import type { CriterionTie } from '../../domain/ticket.ts'
import type { Plane, PlaneInput, PlaneReport } from './contract.ts'

export type PlaneOutcome = {
  plane: string
  state: 'ran' | 'partly' | 'failed'
  /** Set unless `ran`. */
  reason: string | null
  drafts: CandidateDraft[]
  ties: readonly CriterionTie[]
  durationMs: number
}

/** Outcomes come in the order of `planes`, whichever finished first, so that evidence numbers are stable. */
export async function runPlanes(
  planes: readonly Plane[],
  input: PlaneInput,
  onEnd: (outcome: PlaneOutcome) => void,
): Promise<PlaneOutcome[]> {
  return Promise.all(
    planes.map(async (plane) => {
      const outcome = await runPlane(plane, input)
      onEnd(outcome)
      return outcome
    }),
  )
}

async function runPlane(plane: Plane, input: PlaneInput): Promise<PlaneOutcome> {
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  let kept: PlaneReport | null = null
  const keep = (found: PlaneReport): void => {
    kept = { ...found, candidates: [...found.candidates], limits: [...found.limits] }
  }
  try {
    const {
      candidates,
      limits,
      ties = [],
    } = await withinSeconds(input.config.limits.planeSeconds, input.signal, (signal) =>
      plane.look({ ...input, keep, signal }),
    )
    const reason = limits.length > 0 ? limits.join('; ') : null
    return {
      plane: plane.name,
      state: reason ? 'partly' : 'ran',
      reason,
      drafts: candidates,
      ties,
      durationMs: elapsed(),
    }
  } catch (error) {
    // Ctrl-C, or the whole run is out of time: not a failure of this plane.
    input.signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    return { plane: plane.name, ...partialOutcome(kept, reason), durationMs: elapsed() }
  }
}

/** A plane that was stopped keeps what it had found; one that had found nothing has failed. */
function partialOutcome(
  kept: PlaneReport | null,
  reason: string,
): Pick<PlaneOutcome, 'state' | 'reason' | 'drafts' | 'ties'> {
  if (!kept || kept.candidates.length === 0) return { state: 'failed', reason, drafts: [], ties: [] }
  const reasons = [reason, 'findings so far are kept', ...kept.limits].join('; ')
  return { state: 'partly', reason: reasons, drafts: kept.candidates, ties: kept.ties ?? [] }
}
