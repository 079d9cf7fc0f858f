/** A recorded review opened again for whoever asks more about it: its change, its configuration, and a record of its own. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { packageVersion } from '../base/package-root.ts'
import { lendFacts } from '../code-index/fact-store.ts'
import { configOfTree, loadConfig } from '../config/load.ts'
import { type Config, defaultConfig } from '../config/schema.ts'
import type { RunCost } from '../domain/model-call.ts'
import { Review } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { collectLocal } from '../hosts/local/collect.ts'
import { replayChange } from '../hosts/recorded/replay-change.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { beginRun } from '../storage/runs/recorder.ts'
import { findRun, readKept, type StoredRun } from '../storage/runs/stored-run.ts'
import { openContextTools } from './open-context-tools.ts'
import { type AgreedModels, agreeToModels, type PreparedModels } from './open-models.ts'
import { type Outside, openOutside } from './outside.ts'
import { openReplay } from './replay-run.ts'
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
async function configOf(change: CollectedChange): Promise<Config> {
  try {
    return (await loadConfig(configOfTree(change.base))).config
  } catch (error) {
    if (error instanceof UserError && error.code === 'run-unreadable') return defaultConfig
    throw error
  }
}

/** What the review's own bundle says of the change, with the evidence that its findings cite. */
async function contextOf(review: Review, change: CollectedChange, config: Config): Promise<ReviewContext> {
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

/** A recorded review, and what its run had read. */
export type FrozenReview = { stored: StoredRun; review: Review; reads: string }

/** Rejects with `run-unreadable`. */
export async function readFrozen(stored: StoredRun, { runs }: Pick<Services, 'runs'>): Promise<FrozenReview> {
  const { review, reads } = await readKept(stored, runs.keyFolder)
  return { stored, review: Review.parse(JSON.parse(review)), reads }
}

/** What is asked about a review: `record` is what the header of its run says of it. */
type About = { kind: 'ask' | 'prove'; label: string; record: object }

/** Does it with models, if the operator has agreed to them, and keeps what came of it in a run of its own. */
export async function onRecordAbout<Done extends { cost: RunCost }>(
  { stored, review, reads }: FrozenReview,
  { kind, label, record }: About,
  change: CollectedChange,
  prepared: PreparedModels,
  services: Services,
  work: (outside: Outside) => Promise<{ done: Done; detail: Record<string, unknown> }>,
): Promise<Done & { of: string; run: string | null }> {
  const models = await agreeToModels(prepared, 'quick')
  const about = { [kind]: { of: stored.header.run, ...record } }
  const recorder = await recordAbout(stored, { label, depth: review.depth, about }, models, services)
  try {
    const { done, detail } = await work(openOutside(services, change, models, recorder))
    recorder?.note({ type: kind, address: kind, detail })
    await recorder?.finish(review, reads, done.cost)
    return { of: stored.header.run, run: recorder?.run ?? null, ...done }
  } catch (error) {
    await recorder?.close()
    throw error
  }
}

export type AboutParts = { review: Review; change: CollectedChange; outside: Outside; services: Services }

/** The same from the record of such a run alone: no model is asked, and nothing is kept. */
export async function openFromRecord(stored: StoredRun, services: Services): Promise<AboutParts> {
  const { openOutside: open } = await openReplay({ run: stored.header.run, isAboutReview: true }, services)
  const frozen = await readFrozen(stored, services)
  const sealed = { ...services, folders: { cache: null } }
  return { review: frozen.review, change: replayChange(frozen.reads), outside: open(null), services: sealed }
}

/** What a model that answers about a review is given. Rejects with `no-model`, saying what `needs` one. */
export async function openAnswering({ review, change, outside, services }: AboutParts, needs: string) {
  const { signal, folders } = services
  const facts = lendFacts(services.facts)
  const config = await configOf(change)
  const tools = openContextTools({ ...outside, change, facts, cacheFolder: folders.cache, config, signal })
  const models = await outside.openModels(tools)
  if (!models) throw new UserError('no-model', needs)
  const { base, head } = change
  const context = await contextOf(review, change, config)
  return { tools, config, parts: { context, base, head, facts, gateway: models.gateway, signal } }
}

/** Null where nothing is to be kept. `about`: the options of this run besides its models, such as the question. */
async function recordAbout(
  stored: StoredRun,
  { label, depth, about }: { label: string; depth: Review['depth']; about: object },
  { setup, settings: own, budget }: Pick<AgreedModels, 'setup' | 'settings' | 'budget'>,
  { settings, runs, environment, now }: Services,
) {
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
