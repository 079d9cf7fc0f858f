/** Everything a run tells while it goes. One union; the terminal, NDJSON and the journal are listeners. */

import type { ChangedCode } from './changed-code.ts'
import type { RefutationOutcome } from './finding.ts'
import type { ModelCall } from './model-call.ts'
import type { PlaneSignal } from './review.ts'

export type ReviewEvent =
  | { type: 'run-start'; label: string }
  | { type: 'stage-start'; stage: StageName }
  /** `files`: those whose questions are all answered; absent in stages that do not ask about files. */
  | {
      type: 'stage-progress'
      stage: StageName
      done: number
      total: number
      files?: { done: number; total: number }
    }
  | { type: 'stage-end'; stage: StageName; durationMs: number; detail: string }
  /** For the graph of the team. */
  | { type: 'changed-code'; code: ChangedCode }
  | { type: 'plane-end'; plane: string; candidates: number; durationMs: number }
  /** The findings of one plane stand as far as code alone can tell. */
  | { type: 'plane-signal'; signal: PlaneSignal }
  | { type: 'refutation'; finding: string; outcome: RefutationOutcome }
  /** The scout was stopped, and did not say that it had enough. */
  | { type: 'limit-reached'; detail: string }
  | { type: 'model-call'; call: ModelCall }
  /** One turn of the loop; 0 is the seed step. */
  | {
      type: 'explore-iteration'
      number: number
      reasoning: string
      /** `outcome` and `detail`: what of the answer became evidence, and what is missing; see `CallAccount`. */
      calls: {
        call: string
        bytes: number
        cached: boolean
        isError: boolean
        outcome: 'whole' | 'cut' | 'empty' | 'left-out'
        detail: string
      }[]
      dropped: { call: string; why: string }[]
    }
  | { type: 'model-retry'; address: string; model: string; reason: string; waitMs: number }
  | { type: 'follow_up_requested'; path: string; startLine: number; endLine: number; reason: string }
  | {
      type: 'follow_up_complete'
      confirmed: number
      dismissed: number
      added: number
      extraTokens: number
      /** Set when it was not made, and why: out of scope, no range, too long, the limit. */
      refused: string | null
    }
  /** A text seems to speak to the model that reviews it. A signal only: nothing is left out for it. */
  | { type: 'injection-suspected'; origin: string; line: number; sign: string; excerpt: string }
  /** What became of every candidate, once the review is put together: told without secrets. */
  | { type: 'finding-kept'; rule: string; path: string; line: number; title: string }
  | { type: 'finding-dropped'; rule: string; path: string; step: string; reason: string }
  | { type: 'run-end'; findings: number; complete: boolean; durationMs: number }

export const stageNames = [
  'collect',
  'diff',
  'context',
  'planes',
  'explore',
  'review',
  'mutants',
  'validate',
  'refute',
  'prove',
  'conclude',
] as const
export type StageName = (typeof stageNames)[number]

export type EventListener = (event: ReviewEvent) => void
