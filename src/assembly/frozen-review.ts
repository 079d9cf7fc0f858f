/** A recorded review opened again for whoever asks more about it: its change, its configuration, and a record of its own. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { packageVersion } from '../base/package-root.ts'
import { configOfTree, loadConfig } from '../config/load.ts'
import { type Config, defaultConfig } from '../config/schema.ts'
import type { Review } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { collectLocal } from '../hosts/local/collect.ts'
import { replayChange } from '../hosts/recorded/replay-change.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { beginRun } from '../storage/runs/recorder.ts'
import { findRun, type StoredRun } from '../storage/runs/stored-run.ts'
import type { AgreedModels } from './open-models.ts'
import type { Services } from './services.ts'

/**
 * Where the commits of the review are: any folder of the repository, or a change that was collected. Where they are not
 * there, only what the run had read is known.
 */
export type FrozenFrom = { folder: string } | { change: CollectedChange }

const AboutReview = z.object({ of: z.string() })

/** The review that a run is, or that it asks about or proves a finding of. Rejects with `run-unknown`, `run-unreadable`. */
export async function findReview(asked: string, { runs }: Services): Promise<StoredRun> {
  const { run } = await findRun(runs, asked)
  const { ask, prove } = run.header.options
  const about = AboutReview.safeParse(ask ?? prove)
  return about.success ? (await findRun(runs, about.data.of)).run : run
}

/** The same trees in the repository, so that tools can read all of them; else what the run had read, and why. */
export async function openFrozen(
  { request }: Review,
  reads: string,
  from: FrozenFrom,
  { settings, signal }: Services,
): Promise<{ change: CollectedChange; shortage: string | null }> {
  const { base, head } = request
  let why = 'it does not have these commits'
  const isSame = (live: CollectedChange) =>
    live.request.base.tree === base.tree && live.request.head.tree === head.tree
  if ('change' in from)
    return { change: isSame(from.change) ? from.change : replayChange(reads), shortage: null }
  if (base.commit !== null && head.commit !== null)
    try {
      const selector = { kind: 'range', range: `${base.commit}..${head.commit}` } as const
      const { limits } = defaultConfig
      const { borrowFrom } = settings.repositories
      const live = await collectLocal({ folder: from.folder, selector, limits, borrowFrom, signal })
      if (isSame(live)) return { change: live, shortage: null }
      await live.close()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      why = error.message
    }
  const shortage = `the repository could not be read, so tools saw only what the review had read: ${why}`
  return { change: replayChange(reads), shortage }
}

/** A replay of a run that did not read it goes on with the defaults, as the question did not depend on it. */
export async function configOf(change: CollectedChange): Promise<Config> {
  try {
    return (await loadConfig(configOfTree(change.base))).config
  } catch (error) {
    if (error instanceof UserError && error.code === 'run-unreadable') return defaultConfig
    throw error
  }
}

/** What the review's own bundle says of the change, with the evidence that its findings cite. */
export async function contextOf(
  review: Review,
  change: CollectedChange,
  config: Config,
): Promise<ReviewContext> {
  return {
    schemaVersion: 1,
    hash: review.context,
    request: review.request,
    configHash: '',
    change: await readChangeSet(await change.diff(), { ...config.paths, base: change.base }),
    symbols: [],
    tests: [],
    evidence: review.evidence,
    around: null,
    cuts: [],
  }
}

/** Null where nothing is to be kept. `about`: the options of this run besides its models, such as the question. */
export async function recordAbout(
  stored: StoredRun,
  { label, depth, about }: { label: string; depth: Review['depth']; about: object },
  { setup, settings: own, budget }: Pick<AgreedModels, 'setup' | 'settings' | 'budget'>,
  { settings, runs, environment, now }: Services,
): Promise<Awaited<ReturnType<typeof beginRun>> | null> {
  if (settings.journal.keepDays === 0) return null
  const options = { wishes: {}, setup, models: own.models, money: own.money, budget: budget ?? null }
  return await beginRun(
    runs,
    {
      label,
      repository: stored.header.repository,
      place: stored.header.place,
      depth,
      versions: { sightline: packageVersion, node: process.versions.node },
      options: { ...options, ...about },
    },
    {
      texts: settings.journal.texts,
      fresh: false,
      now: now(),
      environment,
      keyNames: (setup?.providers ?? []).flatMap(({ keysFrom }) => keysFrom),
    },
  )
}
