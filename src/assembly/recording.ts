/** Puts a review on record while it goes on. */
import { packageVersion } from '../base/package-root.ts'
import type { JournalSettings } from '../config/settings/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { Journal } from '../domain/journal.ts'
import type { Depth, Review } from '../domain/review.ts'
import { placeOf } from '../domain/review-request.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { sdkVersions } from '../llm/wire/sdk.ts'
import type { RunStore } from '../storage/runs/contract.ts'
import { beginRun } from '../storage/runs/recorder.ts'
import { sweepDaily } from '../storage/runs/retention.ts'
import type { RunOptions } from './run-options.ts'

export type Recording = {
  /** `20261121-061502-3fa94c`; null when nothing is kept. */
  run: string | null
  journal: Journal
  onEvent: EventListener
  /** Ends the record; `reads` is all that was read of the repository. Returns what a person should know of it. */
  finish(review: Review, reads: () => string): Promise<string[]>
  /** For a run that failed: what was paid for is kept. */
  abandon(): Promise<void>
}

export type RecordingInput = {
  change: CollectedChange
  depth: Depth
  options: RunOptions
  settings: JournalSettings
  runs: RunStore
  fresh: boolean
  environment: NodeJS.ProcessEnv
  now: () => Date
}

/**
 * Null when the operator keeps no runs. Rejects with `run-store-refused`, before anything is paid for; what cannot be kept
 * later is reported in the end.
 */
export async function beginRecording(input: RecordingInput): Promise<Recording | null> {
  const { change, settings, runs: store, environment, now } = input
  if (settings.keepDays === 0) return null
  const { request, repositoryLabel } = change
  const recorder = await beginRun(
    store,
    {
      label: request.source.label,
      repository: repositoryLabel,
      place: placeOf(request, repositoryLabel),
      depth: input.depth,
      versions: { sightline: packageVersion, node: process.versions.node, ...sdkVersions() },
      options: { ...input.options },
    },
    {
      texts: settings.texts,
      fresh: input.fresh,
      now: now(),
      environment,
      keyNames: (input.options.setup?.providers ?? []).flatMap(({ keysFrom }) => keysFrom),
    },
  )
  const end = async (): Promise<string[]> => {
    await sweepDaily(store, { run: recorder.run, keepDays: settings.keepDays, now: now() })
    return recorder.trouble === null ? [] : [recorder.trouble]
  }
  return {
    run: recorder.run,
    journal: recorder,
    onEvent: (event) => recorder.event(event),
    async finish(review, reads) {
      await recorder.finish(review, reads())
      return await end()
    },
    async abandon() {
      await recorder.close()
      await end()
    },
  }
}
