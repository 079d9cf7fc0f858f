/** Everything a run tells while it goes. One union; the terminal, NDJSON and the journal are listeners. */
export type ReviewEvent =
  | { type: 'run-start'; label: string }
  | { type: 'stage-start'; stage: StageName }
  | { type: 'stage-progress'; stage: StageName; done: number; total: number }
  | { type: 'stage-end'; stage: StageName; durationMs: number; detail: string }
  | { type: 'plane-end'; plane: string; candidates: number; durationMs: number }
  | { type: 'limit-reached'; detail: string }
  | { type: 'finding-kept'; rule: string; path: string; line: number; title: string }
  | { type: 'finding-dropped'; rule: string; path: string; step: string; reason: string }
  | { type: 'run-end'; findings: number; complete: boolean; durationMs: number }

export const stageNames = ['collect', 'diff', 'context', 'planes', 'validate', 'conclude'] as const
export type StageName = (typeof stageNames)[number]

export type EventListener = (event: ReviewEvent) => void
