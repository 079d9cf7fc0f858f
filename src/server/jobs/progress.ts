/**
 * How far a running job is, for the people who watch it. A meter hears what happens in the processes of the job; the worker
 * sends what the meter shows along with its heartbeats, so watching costs the database no statement more.
 */
import { z } from 'zod'
import { stageNames } from '../../domain/events.ts'
import type { JobRole, Report } from '../roles/contract.ts'

const count = z.int().nonnegative()
const share = z.object({ done: count, total: count })

export const JobStage = z.enum([...stageNames, 'answer', 'publish'])
export type JobStage = z.infer<typeof JobStage>

/** Plain data in the column `progress` of a job. */
export const JobProgress = z.object({
  stage: JobStage,
  /** How much of the stage is done, in its own units; null where it does not say. */
  steps: share.nullable(),
  /** Files whose questions are all answered; null outside of the review stage. */
  files: share.nullable(),
  /** Live calls of models by this worker, and what they cost. Prices that are not known count nothing. */
  calls: count,
  usd: z.number().nonnegative(),
  /** Why nothing happens at the moment, in words; null when something does. */
  waits: z.string().nullable(),
})
export type JobProgress = z.infer<typeof JobProgress>

/** What a meter hears: what roles report, and what the worker does with them. */
export type JobStep = Report | { type: 'queued-for-processor' } | { type: 'role-start'; role: JobRole }

/** Where a role begins; an analyzer reports its stages itself. */
const firstStages: Readonly<Record<JobRole, JobStage | null>> = {
  collector: 'collect',
  analyzer: null,
  publisher: 'publish',
  indexer: null,
}

const longestWords = 200

export class ProgressMeter {
  private readonly clock: () => number
  private shown: Omit<JobProgress, 'waits'> = {
    ...{ stage: 'collect', steps: null, files: null },
    ...{ calls: 0, usd: 0 },
  }
  private wait: { words: string; until: number } | null = null

  /** `clock`: milliseconds that only grow. */
  constructor(clock: () => number = () => performance.now()) {
    this.clock = clock
  }

  hear(step: JobStep): void {
    this.wait = null
    switch (step.type) {
      case 'queued-for-processor':
        this.wait = { words: 'waits for a free processor', until: Number.POSITIVE_INFINITY }
        break
      case 'role-start':
        this.enter(firstStages[step.role])
        break
      case 'stage':
        this.enter(JobStage.safeParse(step.stage).data ?? null)
        break
      case 'progress':
        this.shown = { ...this.shown, steps: { done: step.done, total: step.total }, files: step.files }
        break
      case 'spent':
        this.shown = { ...this.shown, calls: this.shown.calls + 1, usd: this.shown.usd + step.usd }
        break
      case 'waits':
        this.wait = { words: step.why.slice(0, longestWords), until: this.clock() + step.ms }
    }
  }

  get current(): JobProgress {
    const { wait } = this
    return { ...this.shown, waits: wait !== null && this.clock() < wait.until ? wait.words : null }
  }

  private enter(stage: JobStage | null): void {
    if (stage !== null && stage !== this.shown.stage)
      this.shown = { ...this.shown, stage, steps: null, files: null }
  }
}
