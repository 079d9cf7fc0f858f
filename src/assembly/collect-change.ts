/** Collects what is reviewed, with its tickets: within the limits of the configuration that lies in its base. */
import { count } from '../base/count.ts'
import { UserError } from '../base/errors.ts'
import { once } from '../base/remembered.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import { withinSeconds } from '../base/time-budget.ts'
import { withIndexedWords } from '../code-index/query/open-tree.ts'
import { openStoredTrees } from '../code-index/tree-index/stored-trees.ts'
import { configOfTree, loadConfig } from '../config/load.ts'
import { type Config, defaultConfig } from '../config/schema.ts'
import { type Ceilings, clampLimits } from '../config/settings/repositories.ts'
import { pathOn } from '../domain/change-set.ts'
import type { OpenChange } from '../domain/open-change.ts'
import type { ReviewRequest } from '../domain/review-request.ts'
import { changedPathOf, rankToolResults, type ToolResult } from '../domain/tool-result.ts'
import { placePatch } from '../graph/open-changes.ts'
import type { ChangeSource, CollectedChange, RawFileDiff } from '../hosts/contract.ts'
import { openTrackers } from '../hosts/trackers/registry.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { noResults, readConfiguredResults } from './configured-results.ts'
import { fetchTickets, type TicketOrigin } from './fetch-tickets.ts'
import { runLinters } from './run-linters.ts'
import type { Services } from './services.ts'
import { withWorkspace } from './workspace/with-workspace.ts'

export type CollectOptions = {
  ticket?: TicketOrigin | null | undefined
  /** What other tools say, about whatever files. */
  toolResults?: readonly ToolResult[] | undefined
  /** Whether the linters of the operator's settings run on the head: only where the operator asks for a review. */
  runsLinters?: boolean | undefined
  /** Overrides the depth that the repository configures: at `offline`, no tracker is asked. */
  depth?: Config['review']['depth'] | undefined
}

export async function collectChange(
  source: ChangeSource,
  services: Pick<Services, 'settings' | 'environment' | 'facts' | 'folders' | 'signal' | 'now'>,
  { ticket = null, toolResults = [], runsLinters = false, depth }: CollectOptions = {},
): Promise<CollectedChange> {
  const { settings, environment, signal } = services
  const change = await source.collect(defaultConfig.limits, signal)
  const configured = async (collected: CollectedChange) => {
    try {
      const { config } = await loadConfig(configOfTree(collected.base))
      const clamped = clampLimits(config, settings.repositories.ceilings)
      const remarks = [...clamped.remarks, ...(await configChanges(collected, config))]
      return { change: collected, config: clamped.config, remarks }
    } catch (error) {
      await collected.close()
      throw error
    }
  }
  let collected = await configured(change)
  const { limits } = collected.config
  const isOwn = ([key, value]: [string, unknown]) => Reflect.get(defaultConfig.limits, key) !== value
  if (Object.entries(limits).some(isOwn))
    collected = await configured(await collectWithin(source, change, limits, signal))
  const { results } = collected.config.linters
  const workTree = results.length === 0 && !runsLinters ? null : (source.workTree?.() ?? null)
  const named =
    workTree === null ? noResults : await readConfiguredResults(results, workTree, collected.change)
  const run =
    runsLinters && !source.isFrozen
      ? await runLinters(collected.change, { settings, workTree, signal })
      : noResults
  const told = withRemarks(collected.change, [...collected.remarks, ...named.limits, ...run.limits])
  const withResults = await withToolResults(told, [...toolResults, ...named.results, ...run.results])
  const isAsked = depth ?? collected.config.review.depth
  const asksTrackers = !source.isFrozen && isAsked !== 'offline'
  const withIssues = await withTickets(withResults, ticket, { settings, environment, signal, asksTrackers })
  const hasSurroundings = isAsked === 'standard' || isAsked === 'deep'
  const beside = hasSurroundings ? await withOpenChanges(withIssues, signal) : withIssues
  if (source.isFrozen) return beside
  const { paths } = collected.config
  const readDiff = async () => readChangeSet(await beside.diff(), { ...paths, base: beside.base })
  return await withWorkspace(beside, services, hasSurroundings ? readDiff : null)
}

/** Once more only where a source cannot say the same change within other limits. */
async function collectWithin(
  source: ChangeSource,
  change: CollectedChange,
  limits: Ceilings,
  signal: AbortSignal,
): Promise<CollectedChange> {
  if (change.within) {
    try {
      return await change.within(limits)
    } catch (error) {
      await change.close()
      throw error
    }
  }
  await change.close()
  return await source.collect(limits, signal)
}

const mostKeys = 10

/** What would be different if the configuration of the head were in force: that of the base is, whoever wrote the change. */
async function configChanges({ head }: CollectedChange, before: Config): Promise<string[]> {
  const after = await loadConfig(configOfTree(head)).catch((error: unknown) => {
    if (error instanceof UserError) return null
    throw error
  })
  if (after === null)
    return ['the configuration of this change is not valid; `sightline config --check` lists every problem']
  const [old, now] = [valuesIn(before), valuesIn(after.config)]
  const keys = [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key))
    .sort()
  if (keys.length === 0) return []
  const shown = keys
    .slice(0, mostKeys)
    .map((key) => `${key} from ${old.get(key) ?? 'unset'} to ${now.get(key) ?? 'unset'}`)
  const rest = keys.length > mostKeys ? `; and ${keys.length - mostKeys} more` : ''
  return [
    `this change edits the configuration, which takes effect when it is merged: ${shown.join('; ')}${rest}`,
  ]
}

/** `review.failOn` is `"high"`; lists as a whole. */
function valuesIn(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, JSON.stringify(value).slice(0, 200)]])
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [
      ...valuesIn(inner, path === '' ? key : `${path}.${key}`),
    ]),
  )
}

/** A repository that asks for more than it gets is told so, in the review and in its record. */
function withRemarks(change: CollectedChange, remarks: readonly string[]): CollectedChange {
  const plain = methodsOf(change)
  if (remarks.length === 0) return plain
  return { ...plain, request: { ...change.request, limits: [...change.request.limits, ...remarks] } }
}

/** More than this of one change is of no use. */
const mostToolResults = 2_000

/** Results in files of the change; whether their lines changed is known when the diff has been read. */
async function withToolResults(
  change: CollectedChange,
  results: readonly ToolResult[],
): Promise<CollectedChange> {
  if (results.length === 0) return change
  const paths = (await change.diff()).files.map(({ path }) => path)
  const near = results.filter(({ path }) => changedPathOf(path, paths) !== null)
  const most = rankToolResults(near).slice(0, mostToolResults)
  const left = near.length - most.length
  const limits = left > 0 ? [`${count(left, 'result')} of other tools left out, the mildest first`] : []
  const request = {
    ...change.request,
    toolResults: redactStrings(most),
    limits: [...change.request.limits, ...limits],
  }
  return { ...change, request }
}

/** Tickets and errors of production are part of what is reviewed, and so of the record. */
async function withTickets(
  change: CollectedChange,
  asked: TicketOrigin | null,
  { settings, environment, signal, asksTrackers }: TicketBounds,
): Promise<CollectedChange> {
  const { jira, linear, azureBoards, sentry } = settings.trackers
  const hasTrackers = asksTrackers && (jira ?? linear ?? azureBoards ?? sentry) !== undefined
  if (!asked && !hasTrackers) return change
  const repository = namesOf(change.request, asked)
  const trackers = hasTrackers ? openTrackers(settings.trackers, { environment, repository, fetch }) : null
  const branch = (asked && 'branch' in asked ? asked.branch : null) ?? (await change.branch?.()) ?? null
  const origin = asked && 'branch' in asked ? { ...asked, branch } : asked
  const { limits, ...fetched } = await fetchTickets(origin, change.request, {
    seconds: defaultConfig.context.ticketSeconds,
    environment,
    signal,
    moreRepositories: settings.tickets.repositories,
    trackers,
    paths: trackers?.errors ? await productionPaths(change) : new Map(),
    branch,
  })
  const added = redactStrings({ ...fetched, limits: [...change.request.limits, ...limits] })
  const request = { ...change.request, ...added }
  return { ...change, request }
}

type TicketBounds = Pick<Services, 'settings' | 'environment' | 'signal'> & { asksTrackers: boolean }

function namesOf({ repository }: ReviewRequest, asked: TicketOrigin | null): string[] {
  if (!repository) return asked && 'repository' in asked ? [asked.repository] : []
  const name = [...repository.owner, repository.name].join('/')
  return [name, `${repository.host}/${name}`]
}

/** By what they are called before the change, since that is what runs in production; the largest changes first. */
async function productionPaths(change: CollectedChange): Promise<ReadonlyMap<string, string>> {
  const { files } = await change.diff()
  const ran = files
    .filter(({ status }) => status !== 'A')
    .toSorted((a, b) => sizeOf(b) - sizeOf(a) || (a.path < b.path ? -1 : 1))
  return new Map(ran.map((file) => [pathOn('old', file), file.path]))
}

function sizeOf({ added, removed }: RawFileDiff): number {
  return (added ?? 0) + (removed ?? 0)
}

/**
 * The change as a plain object whose methods keep the object they belong to, so that parts of it can be replaced. Its diff
 * is read once, however many stages ask.
 */
export function methodsOf(change: CollectedChange): CollectedChange {
  const { request, base, head, history, repositoryLabel, originUrl = null } = change
  return {
    ...{ request, base, head, history, repositoryLabel, originUrl },
    ...(change.branch ? { branch: change.branch.bind(change) } : {}),
    ...(change.pack ? { pack: change.pack.bind(change) } : {}),
    ...(change.openPatches ? { openPatches: change.openPatches.bind(change) } : {}),
    diff: once(() => change.diff()),
    close: () => change.close(),
  }
}

/** A change whose trees find words by the stored index where there is one: a pass over a large tree takes seconds. */
export function readThroughIndex(change: CollectedChange, cacheFolder: string | null): CollectedChange {
  if (cacheFolder === null) return change
  const stored = openStoredTrees(cacheFolder, change.repositoryLabel)
  return {
    ...methodsOf(change),
    base: withIndexedWords(change.base, stored),
    head: withIndexedWords(change.head, stored),
  }
}

/** After these it goes on with the change requests that were read; a host that answers nothing is left a little later. */
const seconds = { reading: 4, all: 6 }
const mostFrozen = 100

/** Never throws for a host that refuses: the review then says that they are unknown. */
async function withOpenChanges(change: CollectedChange, signal: AbortSignal): Promise<CollectedChange> {
  if (!change.openPatches) return change
  const { request } = change
  const fetched = await fetchOpenChanges(change, change.openPatches.bind(change), signal)
  return {
    ...change,
    request: {
      ...request,
      ...(fetched.openChanges ? { openChanges: fetched.openChanges } : {}),
      limits: [...request.limits, ...fetched.limits],
    },
  }
}

async function fetchOpenChanges(
  change: CollectedChange,
  read: NonNullable<CollectedChange['openPatches']>,
  signal: AbortSignal,
): Promise<{ openChanges: OpenChange[] | null; limits: string[] }> {
  try {
    const started = performance.now()
    const isOutOfTime = () => performance.now() - started > seconds.reading * 1000
    const { patches, open } = await withinSeconds(seconds.all, signal, (inner) => read(isOutOfTime, inner))
    const texts = await textsOf(change)
    const openChanges = patches.flatMap((patch) => placePatch(patch, texts) ?? [])
    const left = open - patches.length
    return {
      openChanges: redactStrings(openChanges.slice(0, mostFrozen)),
      limits: left > 0 ? [`${count(left, 'open change request')} not compared with this one`] : [],
    }
  } catch (error) {
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    return { openChanges: null, limits: [`open change requests could not be read: ${why}`] }
  }
}

/** Of the changed files, by their path at the base; null for one that is new or has no text. */
async function textsOf(change: CollectedChange): Promise<Map<string, string | null>> {
  const { files } = await change.diff()
  const paths = files.map((file) => pathOn('old', file))
  const texts = await change.base.readMany(paths)
  return new Map(paths.map((path) => [path, texts.get(path)?.text ?? null]))
}
