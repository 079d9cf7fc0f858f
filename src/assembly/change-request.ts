/** A change request of a host, opened by its address: where its change comes from, and where its review goes. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { once } from '../base/remembered.ts'
import type { Config } from '../config/schema.ts'
import type { Gate, GateOverride } from '../domain/gate.ts'
import type { Review } from '../domain/review.ts'
import type { ChangeSource, CollectedChange, ReviewTarget } from '../hosts/contract.ts'
import { type ChangeReader, type ChangeWriter, unfinishedKey } from '../hosts/remote/contract.ts'
import { isOfJob, repositoryUrl } from '../hosts/remote/facts.ts'
import { openMirrors } from '../hosts/remote/mirror.ts'
import { hostedSource, nameOf } from '../hosts/remote/source.ts'
import type { CommentPlace } from '../hosts/repository/contract.ts'
import { readOpenPatches } from '../hosts/repository/open-patches.ts'
import { issueOrigin } from '../hosts/tickets/registry.ts'
import type { Counted } from '../ledger/counts.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { linksAt } from '../pipeline/publish/links.ts'
import { answerToMarkdown, PostedAnswer } from '../pipeline/publish/markdown/answer.ts'
import { type Delivery, deliverReview } from '../pipeline/publish/sync/deliver.ts'
import { answerMarks } from '../pipeline/publish/sync/marker.ts'
import { pathsToRead } from '../pipeline/publish/sync/plan.ts'
import type { TicketOrigin } from './fetch-tickets.ts'
import { type OpenedHost, openHost } from './open-host.ts'
import type { Services } from './services.ts'

export type OpenedChangeRequest = {
  /** For people: `owner/repo#12`. */
  name: string
  source: ChangeSource
  /** Tickets that its author points to are looked up with the same access; null where no source of tickets fits. */
  ticket: TicketOrigin | null
  /** Its head now: one cheap request. */
  readHead(signal: AbortSignal): Promise<string>
  /** How often it is asked during a review, in milliseconds: 30 seconds, or SIGHTLINE_HEAD_SECONDS. */
  headEveryMs: number
  /** The head when a review of it was published whole; null when there is none. */
  readReviewedHead(signal: AbortSignal): Promise<string | null>
  /** Puts a check that says why there is no review; on its head now where none is named. `refused`: why it may not. */
  showState(state: ShownState, signal: AbortSignal): Promise<{ refused: string | null }>
  /**
   * Answers a comment on it, where it was written; `answer` is a `PostedAnswer`. False when it was answered before. Throws
   * `review-unusable`.
   */
  answer(comment: CommentPlace, answer: unknown, signal: AbortSignal): Promise<boolean>
  /** Posts to it; `change` is what was collected from it. */
  target(change: CollectedChange, options?: PostOptions): ReviewTarget<Delivery>
}

export type PostOptions = {
  /** Overrides `review.maxInline`. */
  maxInline?: number | undefined
  /** The check fails for what it names, and for a review that is not whole; without it, the check only informs. */
  gate?: Gate | null
  /** Of the gate, for this head. */
  override?: GateOverride | null
  /** An earlier attempt of ours may have been killed while it wrote. */
  isAgain?: boolean
  /** See `PlanInput`. */
  counted?: Counted[] | null
  lacks?: readonly string[]
}

export type ShownState = {
  /** Commit that it is shown on; null for the head now. */
  head: string | null
  /** `failure` where a gate waits for the review. */
  conclusion: 'neutral' | 'failure'
  /** One line of plain text. */
  title: string
  /** Markdown. */
  summary: string
}

/** For whoever is not asked by a person. */
export type ChangeRequestOptions = {
  /** Awaited before every write to the host; what it throws ends the publication. */
  beforeWrite?: () => Promise<void>
  /** Reading a closed one throws `change-request-closed`. */
  mustBeOpen?: boolean
  /** See `ChangeAddress`. */
  repositoryId?: string | null
}

/** Nothing is asked of the host yet. Throws `host-unknown`, and `usage` for an address of something else. */
export function openChangeRequest(
  url: string,
  services: Pick<Services, 'settings' | 'environment' | 'folders' | 'signal'>,
  { beforeWrite, mustBeOpen = false, repositoryId = null }: ChangeRequestOptions = {},
): OpenedChangeRequest {
  const found = openHost(url, services)
  const opened = repositoryId === null ? found : { ...found, address: { ...found.address, repositoryId } }
  const { host, address, access } = opened
  const { cache } = services.folders
  const repository = [...address.owner, address.name].join('/')
  const reading = once(() => {
    const reader = host.openReader(address, access)
    return mustBeOpen ? onlyOpen(reader) : reader
  })
  // Opened late: a collector needs no right to write.
  const writing = once(() => {
    const writer = host.openWriter(address, access)
    return beforeWrite ? guarded(writer, beforeWrite) : writer
  })
  return {
    name: nameOf(address),
    source: hostedSource(address, reading(), {
      mirrors: cache === null ? null : openMirrors(join(cache, 'mirrors')),
      // The token of a CI job may not list them.
      openPatches: isOfJob(address.kind, access)
        ? undefined
        : (isOutOfTime, signal) =>
            readOpenPatches(
              host.openRepository(address, access),
              { address, file: openPatchesFile(cache, opened), isOutOfTime },
              signal,
            ),
    }),
    ticket: issueOrigin(address, access),
    readHead: (signal) => reading().readHead(signal),
    headEveryMs: headEveryMs(services.environment),
    async readReviewedHead(signal) {
      const { head, check } = await writing().readState(signal)
      return check === null || check.key === null || check.key === unfinishedKey ? null : head
    },
    async showState({ head, ...shown }, signal) {
      // Reading all that is ours may be what failed.
      const at = head ?? (await reading().readHead(signal))
      return await writing().putCheck({ ...shown, head: at, key: unfinishedKey, annotations: [] }, signal)
    },
    async answer(comment, answer, signal) {
      const { data, error } = PostedAnswer.safeParse(answer)
      if (error) throw new UserError('review-unusable', `the answer is not one: ${z.prettifyError(error)}`)
      const scope = { ...opened.markerKeys, repositoryId: repository, number: address.number }
      const marks = answerMarks(comment.id, scope)
      const body = answerToMarkdown(data, writing().abilities.bodyLength - marks[0].length - 2)
      return await host.answer(address, access, comment, { body, marks, beforeWrite }, signal)
    },
    target: (change, options = {}) => ({
      change,
      deliver: (review, config) =>
        deliver({ opened, writer: writing(), change, review, config, options, signal: services.signal }),
    }),
  }
}

/** For each repository and kind of access: what one token sees, another may not. */
function openPatchesFile(cache: string | null, { address, access }: OpenedHost): string | null {
  if (cache === null) return null
  const who = access.app?.id ?? access.token ?? ''
  const key = [address.webUrl, ...address.owner, address.name, who].join('\0')
  return join(cache, 'open-changes', `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`)
}

function onlyOpen(reader: ChangeReader): ChangeReader {
  return {
    readHead: (signal) => reader.readHead(signal),
    async read(signal) {
      const hosted = await reader.read(signal)
      if (hosted.state !== 'open') throw new UserError('change-request-closed', `it is ${hosted.state}`)
      return hosted
    },
  }
}

function guarded(writer: ChangeWriter, beforeWrite: () => Promise<void>): ChangeWriter {
  return {
    get abilities() {
      return writer.abilities
    },
    readState: (signal) => writer.readState(signal),
    readCheck: (head, signal) => writer.readCheck(head, signal),
    async postReview(review, signal) {
      await beforeWrite()
      await writer.postReview(review, signal)
    },
    async closeThreads(closings, signal) {
      await beforeWrite()
      return await writer.closeThreads(closings, signal)
    },
    async putCheck(check, signal) {
      await beforeWrite()
      return await writer.putCheck(check, signal)
    },
    async putOverview(overview, signal) {
      await beforeWrite()
      return await writer.putOverview(overview, signal)
    },
    async lock(signal) {
      await beforeWrite()
      return await writer.lock(signal)
    },
    unlock: (signal) => writer.unlock(signal),
  }
}

type Delivering = {
  opened: OpenedHost
  writer: ChangeWriter
  change: CollectedChange
  review: Review
  config: Config
  options: PostOptions
  signal: AbortSignal
}

async function deliver({
  opened,
  writer,
  change,
  review,
  config,
  options,
  signal,
}: Delivering): Promise<Delivery> {
  const { address } = opened
  const link = linksAt(repositoryUrl(address), review.request, address.kind)
  return await deliverReview({
    writer,
    review: { ...review, request: asReviewed(change, review) },
    change: await readChangeSet(await change.diff(), { ...config.paths, base: change.base }),
    scope: { ...opened.markerKeys, number: address.number },
    maxInline: options.maxInline ?? config.review.maxInline,
    overview: config.review.overview,
    gate: options.gate ?? null,
    override: options.override ?? null,
    isAgain: options.isAgain ?? false,
    ...{ counted: options.counted ?? null, lacks: options.lacks ?? [] },
    ...(link ? { link } : {}),
    async readFiles(state, scope) {
      const paths = pathsToRead(state, scope, review)
      // A recorded path may be one of the base that has another name now.
      const moved = (await change.diff()).files.flatMap(({ path, oldPath }) =>
        oldPath !== null && paths.includes(oldPath) ? [path] : [],
      )
      const [old, fresh] = await Promise.all([
        change.base.readMany(paths),
        change.head.readMany([...new Set([...paths, ...moved])]),
      ])
      return (side, path) => (side === 'old' ? old : fresh).get(path)?.text ?? null
    },
    pause: (attempt) => delay(1000 * attempt, undefined, { signal }),
    signal,
  })
}

/**
 * Which commits and which change request it is of, is the host's word and not that of a file. Whether the repository was
 * public is about the time of the review.
 */
function asReviewed({ request }: CollectedChange, review: Review): Review['request'] {
  const { repository } = request
  const visibility = review.request.repository?.visibility
  return repository && visibility ? { ...request, repository: { ...repository, visibility } } : request
}

const headEverySeconds = 30

function headEveryMs({ SIGHTLINE_HEAD_SECONDS: given }: NodeJS.ProcessEnv): number {
  const seconds = Number(given)
  return (seconds > 0 ? Math.min(seconds, 3600) : headEverySeconds) * 1000
}

/** Aborts with `head-moved` soon after the change request has another head than what was collected from it. */
export function watchHead(
  { readHead, headEveryMs }: Pick<OpenedChangeRequest, 'readHead' | 'headEveryMs'>,
  { request }: Pick<CollectedChange, 'request'>,
  signal: AbortSignal,
): { signal: AbortSignal; stop(): void } {
  const moved = new AbortController()
  const timer = setInterval(() => {
    // A host that does not answer now is asked again; before anything is posted, the head is compared in any case.
    readHead(moved.signal).then(
      (head) => {
        if (head === request.head.commit) return
        clearInterval(timer)
        moved.abort(new UserError('head-moved', `the change is at ${head.slice(0, 12)} now`))
      },
      () => {},
    )
  }, headEveryMs).unref()
  const stop = () => {
    clearInterval(timer)
    moved.abort()
  }
  return { signal: AbortSignal.any([signal, moved.signal]), stop }
}
