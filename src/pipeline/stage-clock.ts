/** Tells listeners when a stage begins and ends, and remembers how long each took. */
import type { EventListener, StageName } from '../domain/events.ts'

export type StageClock = {
  /** Runs one stage; `describe` puts its result in a few words for the progress line. */
  run<Result>(
    stage: StageName,
    work: () => Promise<Result>,
    describe?: (result: Result) => string,
  ): Promise<Result>
  /** Milliseconds by stage, so far. */
  readonly stagesMs: Readonly<Record<string, number>>
}

export function createStageClock(onEvent: EventListener, signal: AbortSignal): StageClock {
  const stagesMs: Record<string, number> = {}
  return {
    stagesMs,
    async run(stage, work, describe = () => '') {
      signal.throwIfAborted()
      onEvent({ type: 'stage-start', stage })
      const startedAt = performance.now()
      const result = await work()
      const durationMs = performance.now() - startedAt
      stagesMs[stage] = durationMs
      onEvent({ type: 'stage-end', stage, durationMs, detail: describe(result) })
      return result
    },
  }
}
