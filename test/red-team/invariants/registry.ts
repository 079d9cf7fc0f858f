/** Which invariants there are, and one judgement by all of them. */
import type { Played } from '../world/stage.ts'
import { judgeAnchors } from './anchors.ts'
import { judgeConclusion } from './conclusion.ts'
import type { Invariant, Judge, Judged, Violation } from './contract.ts'
import { judgeEffects } from './effects.ts'
import { judgeEgress } from './egress.ts'
import { judgeState } from './state.ts'
import { judgeTools } from './tools.ts'

const judges: Readonly<Record<Invariant, Judge>> = {
  I1: judgeConclusion,
  I2: judgeAnchors,
  I3: judgeTools,
  I4: judgeEgress,
  I5: judgeState,
  I6: judgeEffects,
}

export function judge(played: Played, judged: Judged): Violation[] {
  return (Object.entries(judges) as [Invariant, Judge][]).flatMap(([invariant, look]) =>
    look(played, judged).map((what) => ({ invariant, what })),
  )
}
