/** Reports to listeners when a stage starts and ends, and records how long each took. */
import type { EventListener, StageName } from '../domain/events.ts'

export type StageClock = {
  run<Result>(stage: StageName, work: () => Promise<Result>): Promise<Result>
  /** Milliseconds by stage, so far. */
  readonly stagesMs: Readonly<Record<string, number>>
}

export function createStageClock(onEvent: EventListener, signal: AbortSignal): StageClock {
  const stagesMs: Record<string, number> = {}
  return {
    stagesMs,
    async run(stage, work) {
      signal.throwIfAborted()
      onEvent({ type: 'stage-start', stage })
      const startedAt = performance.now()
      const result = await work()
      const durationMs = performance.now() - startedAt
      stagesMs[stage] = durationMs
      onEvent({ type: 'stage-end', stage, durationMs, detail: '' })
      return result
    },
  }
}
