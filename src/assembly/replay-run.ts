/** Goes through a run again: from its record alone, or with one role played by another model. */
import { UserError } from '../base/errors.ts'
import { createFactStore } from '../code-index/fact-store.ts'
import { clampLimits } from '../config/clamp-limits.ts'
import { loadConfig } from '../config/load.ts'
import { loadSettings } from '../config/settings/load.ts'
import type { ModelRoles } from '../config/settings/models.ts'
import { defaultSettings } from '../config/settings/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { Journal } from '../domain/journal.ts'
import { Review } from '../domain/review.ts'
import { replayChange } from '../hosts/recorded/replay-change.ts'
import type { Explorer, ModelParts } from '../pipeline/model-parts.ts'
import { replayJournal, swapJournal } from '../storage/runs/replay-journal.ts'
import { RunStore, stateFolder } from '../storage/runs/run-store.ts'
import type { StoredRun } from '../storage/runs/stored-run.ts'
import { conductReview } from './conduct-review.ts'
import { openChecker } from './open-checker.ts'
import { openLookAround } from './open-explorer.ts'
import { beginRecording } from './recording.ts'
import { type RunOptions, readRunOptions } from './run-options.ts'
import { mixedSetup, rolesAsTheyWere } from './swap-setup.ts'

export type ReplayOptions = {
  /** The name of a run, a part of it that no other has, or `last`. */
  run: string
  /** One role that is played anew, by these models. */
  swap?: { role: 'scout' | 'reviewer' | 'judge'; models: readonly string[] } | null
  /** US dollars that a swap may cost; the settings' when not given. */
  budget?: number
  cacheFolder: string | null
  onEvent?: EventListener
  signal?: AbortSignal
  environment?: NodeJS.ProcessEnv
  now?: () => Date
}

export type Replayed = {
  review: Review
  config: Awaited<ReturnType<typeof conductReview>>['config']
  /** The same bytes as the recorded review. Always false for a swap. */
  isIdentical: boolean
  /** Of a swap: how many answers came from the record, and how many were asked for anew. */
  served: { record: number; live: number } | null
  remarks: string[]
}

/** Throws `run-unknown`, `run-unreadable`, and, for a swap, what a review throws. */
export async function replayRun(options: ReplayOptions): Promise<Replayed> {
  const { environment = process.env, now = () => new Date(), onEvent = () => {} } = options
  const { signal = new AbortController().signal, swap = null } = options
  const { settings } = await loadSettings(environment)
  const store = new RunStore(stateFolder(settings.journal, environment))
  const run = store.open(options.run)
  const kept = store.kept(run)
  const recorded = Review.parse(JSON.parse(kept.review))
  const recordedOptions = readRunOptions(run)
  const change = replayChange(kept.reads)
  const { config: read } = await loadConfig((path) => change.base.read(path))
  const { ceilings } = recordedOptions.wishes
  const { config } = ceilings ? clampLimits(read, ceilings) : { config: read }
  const facts = createFactStore({ cacheFolder: options.cacheFolder, signal })
  const served = { record: 0, live: 0 }
  const roles: ModelRoles = swap ? { [swap.role]: [...swap.models] } : {}
  const recording = swap
    ? beginRecording({
        change,
        depth: run.header.depth,
        options: { ...recordedOptions, budget: options.budget ?? null },
        settings: settings.journal,
        fresh: true,
        environment,
        now,
      })
    : null
  try {
    const journal =
      swap && recording
        ? swapJournal(run, store, {
            role: swap.role,
            live: recording.journal,
            onCount: (from) => served[from]++,
            mayGoOut: rolesAsTheyWere(recordedOptions.setup, settings.models, environment),
          })
        : replayJournal(run, store)
    const conducted = await conductReview({
      change,
      config,
      wishes: recordedOptions.wishes,
      facts,
      openLookAround: (read) =>
        openLookAround({
          change,
          facts,
          cacheFolder: null,
          config: read,
          journal,
          sandbox: defaultSettings.sandbox,
          isReplay: true,
          signal,
        }),
      // What servers said is on record; nobody else knows the repository here.
      openChecker: () => openChecker({ change, openServers: null, journal, seconds: 0, signal }),
      openModels: (explorer) =>
        openRecordedModels({
          explorer,
          recordedOptions,
          wasDeclined: wasDeclined(recorded),
          journal,
          swap: swap ? roles : null,
          budget: options.budget,
          onEvent,
          environment,
        }),
      onEvent: (event) => {
        recording?.onEvent(event)
        onEvent(event)
      },
      signal,
      now,
    })
    const remarks = [...conducted.remarks]
    if (swap) {
      remarks.push(...((await recording?.finish(conducted.review, () => kept.reads)) ?? []))
      return { ...conducted, isIdentical: false, served, remarks }
    }
    const review = withRecordedTimes(conducted.review, recorded)
    const isIdentical = JSON.stringify(review) === kept.review
    if (!isIdentical) remarks.push(whyDifferent(run, kept.lacksSecrets))
    return { ...conducted, review, isIdentical, served: null, remarks }
  } catch (error) {
    recording?.abandon()
    throw error
  } finally {
    await facts.close()
  }
}

type OpenInput = {
  explorer: Explorer
  recordedOptions: RunOptions
  journal: Journal
  /** Null: nothing goes out, and no key is needed. */
  swap: ModelRoles | null
  budget: number | undefined
  wasDeclined: boolean
  onEvent: EventListener
  environment: NodeJS.ProcessEnv
}

async function openRecordedModels(input: OpenInput): Promise<ModelParts | null> {
  const { recordedOptions, journal, swap, onEvent, environment } = input
  const { models, money, setup } = recordedOptions
  if (!setup) return null
  const { createGateway } = await import('../llm/gateway.ts')
  const live = swap ? await loadSettings(environment) : null
  const gateway = await createGateway({
    settings: live ? live.settings : { models, money },
    environment: swap ? environment : {},
    journal,
    onEvent,
    setup: live && swap ? mixedSetup(setup, live.settings.models, environment, swap) : setup,
    budget: input.budget ?? recordedOptions.budget ?? money.perRun,
    ...(swap ? {} : { fetch: refuseNetwork }),
  })
  // Who declined the cost then does so again; a swap has a budget of its own.
  return {
    gateway,
    journal,
    explorer: input.explorer,
    mayAsk: async () => swap !== null || !input.wasDeclined,
  }
}

function wasDeclined({ models }: Review): boolean {
  return models?.groups.some(({ outcome }) => outcome === 'declined') ?? false
}

const refuseNetwork: typeof fetch = () =>
  Promise.reject(new UserError('run-unreadable', 'a replay wanted to go to the network, which it never does'))

/** Times are facts of the run, not of its replay. */
function withRecordedTimes(review: Review, { run }: Review): Review {
  const { startedAt, durationMs, stagesMs, repository } = run
  return { ...review, run: { ...review.run, startedAt, durationMs, stagesMs, repository } }
}

function whyDifferent({ header: { versions } }: StoredRun, lacksSecrets: boolean): string {
  if (lacksSecrets)
    return 'secrets stand in this change, and stayed on the machine that reviewed it: the hashes of their lines differ here'
  return `this replay differs from the recorded review, which version ${versions.sightline ?? 'unknown'} made`
}
