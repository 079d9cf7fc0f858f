/** Runs the planes side by side over the frozen bundle. One that fails is reported; the others go on. */
import { count } from '../../base/count.ts'
import { withinSeconds } from '../../base/time-budget.ts'
import { visibleLine, visibleText } from '../../base/visible-text.ts'
import type { CandidateDraft } from '../../domain/finding.ts'
import { severityRank } from '../../domain/severity.ts'
import type { CriterionTie } from '../../domain/ticket.ts'
import { withoutAnnounced } from './announced.ts'
import type { ChangeInput, Plane, PlaneInput, PlaneReport } from './contract.ts'

export type PlaneOutcome = {
  plane: string
  state: 'ran' | 'partly' | 'failed'
  /** Set unless `ran`. */
  reason: string | null
  drafts: CandidateDraft[]
  ties: readonly CriterionTie[]
  durationMs: number
}

/** Planes that are looking already, and how each ends. */
export type EarlyPlanes = ReadonlyMap<Plane, Promise<PlaneOutcome>>

/** Starts the planes that need no context. After an abort, whoever awaits one is told. */
export function beginEarly(planes: readonly Plane[], input: ChangeInput): EarlyPlanes {
  return new Map(
    planes.flatMap((plane) => {
      if (!plane.isEarly) return []
      const running = runPlane(plane, input)
      running.catch(() => {})
      return [[plane, running]]
    }),
  )
}

/** Outcomes come in the order of `planes`, whichever finished first, so that evidence numbers are stable. */
export async function runPlanes(
  planes: readonly Plane[],
  input: PlaneInput,
  onEnd: (outcome: PlaneOutcome) => void,
  early: EarlyPlanes = new Map(),
): Promise<PlaneOutcome[]> {
  return Promise.all(
    planes.map(async (plane) => {
      const all = await (early.get(plane) ?? runPlane(plane, input))
      const outcome = { ...all, drafts: withoutAnnounced(all.drafts, input.context.request.title) }
      onEnd(outcome)
      return outcome
    }),
  )
}

async function runPlane<Input extends ChangeInput>(
  plane: Pick<Plane, 'name' | 'wrongIf'> & { look(input: Input): Promise<PlaneReport> },
  input: Input,
): Promise<PlaneOutcome> {
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
    } = withoutExcess(
      await withinSeconds(input.config.limits.planeSeconds, input.signal, (signal) =>
        plane.look({ ...input, keep, signal }),
      ),
    )
    const reason = limits.length > 0 ? limits.join('; ') : null
    return {
      plane: plane.name,
      state: reason ? 'partly' : 'ran',
      reason,
      drafts: candidates.map((draft) => finished(draft, plane)),
      ties,
      durationMs: elapsed(),
    }
  } catch (error) {
    // Ctrl-C, or the whole run is out of time: not a failure of this plane.
    input.signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    return { plane: plane.name, ...partialOutcome(kept, reason, plane), durationMs: elapsed() }
  }
}

/** More findings of one check help nobody, and each is validated against the files it names. */
const mostCandidates = 500

/** The most severe ones, in their order, and with a limit that says how many are left out. */
function withoutExcess(report: PlaneReport): PlaneReport {
  const { candidates, limits } = report
  if (candidates.length <= mostCandidates) return report
  const bySeverity = candidates.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
  const kept = new Set(bySeverity.slice(0, mostCandidates))
  return {
    ...report,
    candidates: candidates.filter((candidate) => kept.has(candidate)),
    limits: [
      ...limits,
      `only the ${mostCandidates} most severe of ${count(candidates.length, 'finding')} were checked`,
    ],
  }
}

/** A plane that was stopped keeps what it had found; one that had found nothing has failed. */
function partialOutcome(
  kept: PlaneReport | null,
  reason: string,
  plane: Pick<Plane, 'wrongIf'>,
): Pick<PlaneOutcome, 'state' | 'reason' | 'drafts' | 'ties'> {
  if (!kept || kept.candidates.length === 0) return { state: 'failed', reason, drafts: [], ties: [] }
  const reasons = [reason, 'findings so far are kept', ...kept.limits].join('; ')
  return {
    state: 'partly',
    reason: reasons,
    drafts: kept.candidates.map((draft) => finished(draft, plane)),
    ties: kept.ties ?? [],
  }
}

/**
 * With what would show it to be wrong, and in visible words: a path or a name with hidden characters would have the finding
 * dropped that names it.
 */
function finished(draft: CandidateDraft, plane: Pick<Plane, 'wrongIf'>): CandidateDraft {
  const { title, explanation, remedy, wrongIf = plane.wrongIf } = draft
  return {
    ...draft,
    title: visibleLine(title).slice(0, 300),
    explanation: visibleText(explanation).slice(0, 4000),
    remedy: remedy && visibleText(remedy).slice(0, 1000),
    ...(wrongIf === undefined ? {} : { wrongIf: visibleLine(wrongIf).slice(0, 300) }),
  }
}
