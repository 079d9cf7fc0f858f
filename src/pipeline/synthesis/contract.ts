/** What synthesis takes and gives: what each plane found becomes one list that does not repeat or contradict itself. */
import type { Evidence } from '../../domain/evidence.ts'
import type { Finding, Verdict } from '../../domain/finding.ts'
import type { MemoryInsight } from '../../domain/memory-insight.ts'
import type { Conflict, PlaneSignal } from '../../domain/plane-signal.ts'

export type SynthesisInput = {
  verdicts: readonly Verdict[]
  /** Names of the planes that ran, in the order of their weight; a name may come twice. */
  planes: readonly string[]
  /** Of the bundle. */
  evidence: readonly Evidence[]
  insights: readonly MemoryInsight[]
  /** Files of the change and of the bundle: an insight can rest on no other. */
  paths: ReadonlySet<string>
}

export type Synthesis = {
  /** One for each that came in: first those that stand, most important first, those that stood there before last. */
  verdicts: Verdict[]
  conflicts: Conflict[]
  /** One for each plane, in their order. */
  signals: PlaneSignal[]
  memoryInsights: MemoryInsight[]
}

export type Standing = Verdict & { finding: Finding }

export function stands(verdict: Verdict): verdict is Standing {
  return verdict.finding !== null
}
