/**
 * The three calls that every entry point makes, over one `Services` value. Each can run in a process of its own, with no more
 * rights than it needs: `collect` may hold a host's token, `analyze` the keys of models, `publish` a host's token again.
 *
 *   collect(source) ─▶ analyze ─▶ publish(target)
 */
import { type CollectOptions, collectChange, readThroughIndex } from './assembly/collect-change.ts'
import { type Conducted, conductReview, type ReviewOverrides } from './assembly/conduct-review.ts'
import type { TicketOrigin } from './assembly/fetch-tickets.ts'
import { followFindings } from './assembly/follow-findings.ts'
import {
  agreeToModels,
  type ModelOptions,
  type PreparedModels,
  prepareModels,
  resolveDepth,
} from './assembly/open-models.ts'
import { type Outside, openOutside } from './assembly/outside.ts'
import { beginRecording, type Recording } from './assembly/recording.ts'
import { type Compared, openReplay, type ReplayInput } from './assembly/replay-run.ts'
import { openServices, type Services, type ServicesOptions } from './assembly/services.ts'
import { UserError } from './base/errors.ts'
import { redactStrings } from './base/secrets/redact.ts'
import { lendFacts } from './code-index/fact-store.ts'
import { configOfTree, loadConfig } from './config/load.ts'
import { type Config, defaultConfig } from './config/schema.ts'
import { loadSettings } from './config/settings/load.ts'
import { type Ceilings, clampLimits } from './config/settings/repositories.ts'
import type { ChangeSet } from './domain/change-set.ts'
import type { StoppedReview } from './domain/coverage.ts'
import type { EventListener } from './domain/events.ts'
import type { Journal } from './domain/journal.ts'
import { Review } from './domain/review.ts'
import { traceIdsOf } from './domain/trace-ids.ts'
import type { ChangeSelector, ChangeSource, CollectedChange, ReviewTarget } from './hosts/contract.ts'
import { collectLocal, localSource } from './hosts/local/collect.ts'
import { recordChange } from './hosts/recorded/record-change.ts'
import { readChangeSet } from './pipeline/diff/read-change-set.ts'
import { builtInRules, loadRules } from './pipeline/planes/rules/load-rules.ts'
import type { Rule } from './pipeline/planes/rules/rule.ts'
import { type CheckedReview, checkAnchors, checkPlaces } from './pipeline/publish/check-anchors.ts'

/**
 * Freezes what is to be reviewed, with the tickets it points to and what other tools say of its files. The caller closes what it gets. Throws `UserError` for
 * what the caller can fix.
 */
export async function collect(
  source: ChangeSource,
  services: Pick<Services, 'settings' | 'environment' | 'facts' | 'folders' | 'signal' | 'onEvent' | 'now'>,
  options: CollectOptions = {},
): Promise<CollectedChange> {
  services.onEvent({ type: 'stage-start', stage: 'collect' })
  const startedAt = performance.now()
  const collected = await collectChange(source, services, options)
  const durationMs = performance.now() - startedAt
  const detail = collected.request.source.label
  services.onEvent({ type: 'stage-end', stage: 'collect', durationMs, detail })
  return collected
}

/** `replayOf`: the run that is gone through again, with another model. */
export type RecordOptions = { fresh: boolean; replayOf?: string }

export type AnalyzeOptions = {
  overrides?: ReviewOverrides
  /** Which models are asked, and what it may cost. Without it: as the settings and the environment say. */
  models?: PreparedModels
  /** Keeps the run, so that it can be replayed, and resumed when it is killed; `fresh` ignores recorded answers. */
  record?: RecordOptions | null
  /** How far an earlier attempt came that the watchdog ended: its unfinished checks are reported, and not repeated. */
  stopped?: StoppedReview | null
  /** Who is asked instead of the operator's models and servers; a replay asks its record. */
  openOutside?: (journal: Journal | null) => Outside
}

export type Analysis = Conducted & {
  /** The name of the run on record; null when it is not kept. */
  run: string | null
}

/** Reviews what was collected. Asks models and language servers, and no host. Throws `UserError` as `collect` does. */
export async function analyze(
  collected: CollectedChange,
  services: Services,
  { overrides: overridden = {}, record = null, stopped = null, ...options }: AnalyzeOptions = {},
): Promise<Analysis> {
  const startedAt = performance.now()
  const { signal, now, folders } = services
  const facts = lendFacts(services.facts)
  const indexed = readThroughIndex(collected, folders.cache)
  const { change, reads } = recordChange(indexed)
  const { models: prepared = prepareModels({}, services) } = options
  // Who wants fresh answers wants them about everything; what a replay was asked for is on record.
  const isFresh = record?.fresh === true && !options.openOutside
  const chosen = withOperatorsChoice(isFresh ? reviewedWhole(overridden) : overridden, prepared)
  const own = options.openOutside ? chosen : { ...chosen, ...testsOf(services.settings) }
  const read = await loadConfig(configOfTree(change.base))
  const { config } = clampLimits(read.config, own.ceilings)
  const depth = stopped ? 'offline' : (own.overrides?.depth ?? config.review.depth)
  const models = await agreeToModels(prepared, depth)
  const recording = stopped
    ? null
    : record && (await beginRecordingOf(services, change, config, models, own, record))
  const onEvent: EventListener = (event) => {
    const clean = redactStrings(event)
    recording?.onEvent(clean)
    services.onEvent(clean)
  }
  const journal = recording?.journal ?? null
  try {
    const conducted = await conductReview({
      change,
      collected: indexed,
      config,
      overridden: own,
      facts,
      cacheFolder: folders.cache,
      outside:
        options.openOutside?.(journal) ?? openOutside({ ...services, onEvent }, collected, models, journal),
      withheld: models.withheld,
      stopped,
      onEvent,
      signal,
      now,
    })
    const { findings, coverage } = conducted.review
    const run = recording?.run ?? null
    if (run !== null) conducted.review.run = withTrace(conducted.review.run, run)
    const durationMs = performance.now() - startedAt
    onEvent({ type: 'run-end', findings: findings.length, complete: coverage.complete, durationMs })
    const trouble = (await recording?.finish(conducted.review, reads)) ?? []
    // What a replay finds is known already.
    if (recording && !options.openOutside) {
      const { review, config } = conducted
      const follow = {
        ledger: services.ledger,
        change: collected,
        review,
        config,
        run: recording.run,
        now: now(),
      }
      trouble.push(...(await followFindings(follow)))
    }
    return { ...conducted, remarks: [...conducted.remarks, ...trouble], run: recording?.run ?? null }
  } catch (error) {
    await recording?.abandon()
    throw error
  }
}

/** In the order of the schema, since replays are compared to the byte. */
function withTrace(
  { startedAt, durationMs, stagesMs, repository, ...rest }: Review['run'],
  run: string,
): Review['run'] {
  return { startedAt, durationMs, stagesMs, repository, trace: { run, ...traceIdsOf(run) }, ...rest }
}

/** What was published, what was refused and why, and what the target made of it. */
export type Publication<Delivered> = CheckedReview & { config: Config; delivered: Delivered }

/**
 * Hands a review to its target. The review may come from a process that is not trusted: it must fit the schema and
 * belong to the target's change, and every anchor and place is checked against the target's own code. Throws `review-unusable`.
 */
export async function publish<Delivered>(
  review: unknown,
  target: ReviewTarget<Delivered>,
): Promise<Publication<Delivered>> {
  const { change } = target
  const parsed = Review.safeParse(review)
  if (!parsed.success)
    throw new UserError('review-unusable', 'it does not fit the schema of a review', { cause: parsed.error })
  const { config } = await loadConfig(configOfTree(change.base))
  const checked = checkAnchors(parsed.data, await diffToCheck(parsed.data, change, config), change.request)
  const shown = await checkPlaces(checked.review, change)
  return { ...checked, review: shown, config, delivered: await target.deliver(shown, config) }
}

/** The diff that anchors are checked against; not read for a review that has none. */
async function diffToCheck(
  { findings }: Review,
  change: CollectedChange,
  { paths }: Config,
): Promise<ChangeSet> {
  if (findings.length === 0) return { files: [], overflow: [] }
  return await readChangeSet(await change.diff(), { ...paths, base: change.base })
}

export type ReviewOptions = ReviewOverrides &
  Omit<ServicesOptions, 'environment' | 'tenant'> &
  Pick<AnalyzeOptions, 'record'> & {
    /** Any folder inside the repository, or a bare repository. */
    folder: string
    selector: ChangeSelector
    models?: ModelOptions
    /** What the change was asked for in, besides what its author says of it. */
    ticket?: TicketOrigin | null
  }

/** Collects and analyzes one change of a local repository. Throws `UserError` for what the caller can fix. */
export async function reviewChange(options: ReviewOptions): Promise<Analysis> {
  const { folder, selector, ticket, record = null, models: asked = {} } = options
  const environment = asked.environment ?? process.env
  return await withServices({ ...options, environment }, async (services) => {
    // Before any work: a depth that no model can serve is refused here.
    const models = prepareModels(asked, services, options.overrides?.depth)
    const source = localSource({ folder, selector, ...borrowing(services) })
    const collected = await collect(source, services, { ticket, depth: options.overrides?.depth })
    return await analyze(collected, services, { overrides: overridesOf(options), models, record }).finally(
      () => collected.close(),
    )
  })
}

/** What the operator lets a repository use besides itself. */
function borrowing({ settings }: Services): { borrowFrom: readonly string[] } {
  return { borrowFrom: settings.repositories.borrowFrom }
}

/** Plain data, since a run keeps it. */
function overridesOf(options: ReviewOptions): ReviewOverrides {
  const { disablePlanes, exactPlanes, onlyPlanes, skipPlanes } = options
  const { overrides, unhurried, servers, withoutSections, withoutChecks } = options
  const planes = { disablePlanes, exactPlanes, onlyPlanes, skipPlanes }
  const given = { ...planes, overrides, unhurried, servers, withoutSections, withoutChecks }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function reviewedWhole(asked: ReviewOverrides): ReviewOverrides {
  return { ...asked, overrides: { ...asked.overrides, incremental: false } }
}

/** What the operator's settings decide is part of what was asked for, so that a replay does the same. */
function withOperatorsChoice(
  overrides: ReviewOverrides,
  { settings: { validation, repositories } }: PreparedModels,
): ReviewOverrides & { ceilings: Ceilings } {
  const servers = overrides.servers ?? (validation.servers === 'auto' ? null : validation.servers)
  const { ceilings = repositories.ceilings } = overrides
  return { ...overrides, ceilings, ...(servers ? { servers } : {}) }
}

/** A replay does what its run did, whatever the settings say now. */
function testsOf({ sandbox: { prove } }: Services['settings']): Pick<ReviewOverrides, 'prove' | 'mutants'> {
  const { allow, inReviews, findings, reviewSeconds: seconds, mutants: runs, mutantSeconds } = prove
  if (!allow) return {}
  return {
    ...(inReviews ? { prove: { findings, seconds } } : {}),
    ...(runs > 0 ? { mutants: { runs, seconds: mutantSeconds } } : {}),
  }
}

function beginRecordingOf(
  { settings: { journal }, runs, environment, now }: Services,
  change: CollectedChange,
  config: Config,
  { settings: { models, money }, setup, budget }: Pick<PreparedModels, 'settings' | 'setup' | 'budget'>,
  wishes: ReviewOverrides,
  { fresh, replayOf }: RecordOptions,
): Promise<Recording | null> {
  const { depth } = resolveDepth(wishes.overrides?.depth ?? config.review.depth, setup !== null)
  const replay = replayOf === undefined ? {} : { replay: { of: replayOf } }
  const options = { wishes, setup, models, money, budget: budget ?? null, ...replay }
  return beginRecording({ change, depth, options, settings: journal, runs, fresh, environment, now })
}

async function withServices<Result>(
  options: ServicesOptions,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const services = await openServices(options)
  try {
    return await work(services)
  } finally {
    await services.close()
  }
}

export type ReplayOptions = ReplayInput & Omit<ServicesOptions, 'tenant'>

/** `run`: of a swap that was recorded. */
export type Replayed = Compared & Pick<Analysis, 'config' | 'run'>

/** The same calls over what a run kept: no repository, and no model but for a swapped role. Throws as `openReplay`. */
export async function replayRun(options: ReplayOptions): Promise<Replayed> {
  return await withServices(options, async (services) => await replayWith(options, services))
}

/** The same with services that are open. */
export async function replayWith(input: ReplayInput, services: Services): Promise<Replayed> {
  const { source, overrides, models, openOutside, compare } = await openReplay(input, services)
  // Nothing of this machine may enter: neither an index nor what is cached for the repository of that name.
  const sealed = { ...services, folders: { cache: null } }
  const change = await source.collect(defaultConfig.limits, services.signal)
  const record = input.swap || input.again ? { fresh: true, replayOf: input.run } : null
  const analysis = await analyze(change, sealed, { overrides, models, record, openOutside })
  return { config: analysis.config, run: analysis.run, ...compare(analysis) }
}

export type RuleLine = Pick<Rule, 'id' | 'languages' | 'severity' | 'message' | 'builtIn' | 'place'>

/**
 * The rules that a review of uncommitted work uses: ours, and those of the last commit; without the ones its
 * configuration switches off. `limits` says which could not be used. Outside of a repository: ours.
 */
export async function listRules(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ rules: RuleLine[]; limits: string[] }> {
  let change: CollectedChange | null = null
  try {
    const selector: ChangeSelector = { kind: 'commit', commit: 'HEAD' }
    const { borrowFrom } = (await loadSettings(environment)).settings.repositories
    change = await collectLocal({ folder, selector, limits: defaultConfig.limits, borrowFrom })
    const { head } = change
    const { config } = await loadConfig(configOfTree(head))
    return await loadRules(head, config.rules)
  } catch (error) {
    const without = ['not-a-repository', 'unknown-ref', 'nothing-to-review']
    if (error instanceof UserError && without.includes(error.code))
      return { rules: [...builtInRules()], limits: [] }
    throw error
  } finally {
    await change?.close()
  }
}
