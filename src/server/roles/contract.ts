/**
 * The kinds of processes that a job is made of, and what is said between them and the worker that starts them. Only
 * the collector and the publisher get a host's token, only the analyzer keys of models, and no secret is ever in an
 * environment or a file: it comes with the order, over a channel that no other process can read.
 */
import { z } from 'zod'
import type { ShownState } from '../../assembly/change-request.ts'
import { reviewLimits, type WatchLimits } from '../../base/watchdog.ts'
import type { IndexStore } from '../../code-index/contract.ts'
import type { StoppedReview } from '../../domain/coverage.ts'
import type { Gate, GateOverride } from '../../domain/gate.ts'
import { Shortfall } from '../../domain/review.ts'
import { ObjectId } from '../../domain/review-request.ts'
import type { CommentPlace } from '../../hosts/repository/contract.ts'
import { LedgerEvent, type LedgerRead } from '../../ledger/contract.ts'
import type { Counted } from '../../ledger/counts.ts'
import { Answer, type ModelSwap, ReplayResult } from '../api/contract/conversation.ts'

/** Each lives for one job. */
export const jobRoles = ['collector', 'analyzer', 'publisher', 'indexer'] as const
export type JobRole = (typeof jobRoles)[number]
export type RoleName = JobRole | 'live-index' | 'workspace'

export type RoleLimits = Readonly<Record<RoleName, WatchLimits>>

/** A review at depth deep of a large change stays below a third of each. */
export const defaultLimits: RoleLimits = {
  collector: { ...reviewLimits, minutes: 20, cpuMinutes: 10, megabytes: 2048 },
  analyzer: reviewLimits,
  publisher: { ...reviewLimits, minutes: 20, cpuMinutes: 5, megabytes: 1024 },
  indexer: { ...reviewLimits, minutes: 60, cpuMinutes: 30, megabytes: 2048 },
  workspace: { ...reviewLimits, minutes: 20, cpuMinutes: 20, megabytes: 2048 },
  // It is started again when it is needed.
  'live-index': { ...reviewLimits, minutes: 24 * 60, cpuMinutes: 120, megabytes: 1024 },
}

type Common = {
  /** Variables that the library looks up by name: the secrets of this role, and where its folders are. */
  environment: Record<string, string>
  tenant: string
}

export type CollectOrder = Common & {
  role: 'collector'
  address: string
  /** By it the host finds what was renamed since. */
  repositoryId: string | null
  /** Absent folder that `request.json` and `objects.pack` go to. */
  change: string
  /** Below it lie the mirrors of each tenant. */
  cache: string
}

export type AnalyzeOrder = Common & {
  role: 'analyzer'
  cache: string
  budgetUsd: number | null
  /** What is known of the findings of the repository. */
  ledger: LedgerRead
  /** Socket of the gate to the models; null when the process has the network itself. */
  gate: string | null
} & (
    | {
        what: 'review'
        change: string
        /** File that the review goes to, as JSON. */
        review: string
        depth: 'auto' | 'offline' | 'quick' | 'standard' | 'deep'
        /** Nothing is carried over from an earlier review. */
        isFull: boolean
        /** One sentence for the top of the report; null for none. */
        notice: string | null
        /** How far the attempt came that was ended at its limits: what had finished is reported. */
        stopped: StoppedReview | null
      }
    | {
        what: 'answer'
        /** The change as it is now; null where it cannot be read any more, and then what the run had read is known. */
        change: string | null
        /** File that the answer goes to, as JSON. */
        answer: string
        run: string
        about: string[]
        question: string
        /** Begins a new conversation. */
        isNew: boolean
        /** The same for each attempt of a job. */
        asking: string
      }
    | { what: 'replay'; run: string; swap: ModelSwap | null }
  )

export type PublishOrder = Common & {
  role: 'publisher'
  address: string
  repositoryId: string | null
  /** Below it lies what the host asked to wait for: all publishers of a tenant wait together. */
  cache: string
} & (
    | {
        what: 'review'
        change: string
        review: string
        gate: Gate | null
        override: GateOverride | null
        isAgain: boolean
        counted: Counted[] | null
        lacks: readonly string[]
      }
    /** Only a check, for a change that was not reviewed. */
    | ({ what: 'state' } & ShownState)
    | { what: 'answer'; comment: CommentPlace; answer: string }
  )

/** After a review: builds the index that makes the next ones of the repository faster. */
export type IndexOrder = Common & { role: 'indexer'; change: string; cache: string }

/** For many changes of one tenant, each of which comes as a `refresh`. */
export type LiveIndexOrder = Common & {
  role: 'live-index'
  cache: string
  /** It lets go of what it has at hand before it uses so much. */
  megabytes: number
}

/**
 * `address`: which of the repositories in the settings is to be fetched and read. `isWhole`: who uses what it provides is worked out
 * as well, which takes seconds.
 */
export type WorkspaceOrder = Common & {
  role: 'workspace'
  cache: string
  address: string
  isWhole: boolean
}

export type RoleOrder =
  | CollectOrder
  | AnalyzeOrder
  | PublishOrder
  | IndexOrder
  | LiveIndexOrder
  | WorkspaceOrder

/** A frozen change whose head is to be indexed. */
export type Refresh = { id: number; change: string }

/** From the worker. `mark`: how the system names this process outside of its sandbox; see `adoptMark`. */
export type Order =
  | { type: 'order'; order: RoleOrder; mark: string }
  | { type: 'permit'; isGranted: boolean }
  | ({ type: 'refresh' } & Refresh)

/** Characters: it is kept in the database. */
const longestReply = 2_000_000

const cost = { usd: z.number().nonnegative(), unpricedCalls: z.int().nonnegative() }

const share = { done: z.int().nonnegative(), total: z.int().nonnegative() }

const Collected = z.object({
  role: z.literal('collector'),
  head: ObjectId.nullable(),
  /** Bytes of the frozen change. */
  bytes: z.number(),
  /** Open changes of other repositories that change what uses what this one breaks, by their `selfKey`. */
  users: z.array(z.string().max(500)).max(20).default([]),
})

/** What is read in the dashboard by whoever asked there. */
export const Reply = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('answer'), data: Answer }),
    z.object({ kind: z.literal('replay'), data: ReplayResult }),
  ])
  .refine((reply) => JSON.stringify(reply).length <= longestReply, 'is too long')
export type Reply = z.infer<typeof Reply>

const Analyzed = z.object({
  role: z.literal('analyzer'),
  run: z.string().nullable(),
  ...cost,
  findings: z.int().nonnegative(),
  /** Why the review is not whole; null when it is. */
  shortfall: Shortfall.nullable(),
  /** First line of the report. */
  headline: z.string().max(4000),
  /** Much of the repository is not indexed. */
  wantsIndex: z.boolean(),
  /** What the review adds to the ledger. */
  events: z.array(LedgerEvent).max(50_000),
  /** Null for a review. */
  reply: Reply.nullable(),
})

const Published = z.object({
  role: z.literal('publisher'),
  writes: z.int().nonnegative(),
  refused: z.int().nonnegative(),
  /** Of a review: records of findings that people settled on the host. */
  settled: z.array(z.string().max(100)).max(50_000),
  remarks: z.array(z.string().max(4000)).max(100),
})

const Indexed = z.object({
  role: z.literal('indexer'),
  files: z.int().nonnegative(),
  namesMs: z.number(),
  chunksMs: z.number(),
})

const Lived = z.object({ role: z.literal('live-index') })

/** `commit`: at which it was read; null where it could not be. */
const Updated = z.object({ role: z.literal('workspace'), commit: ObjectId.nullable() })

export const RoleResult = z.discriminatedUnion('role', [
  Collected,
  Analyzed,
  Published,
  Indexed,
  Lived,
  Updated,
])
export type RoleResult = z.infer<typeof RoleResult>
export type Collected = z.infer<typeof Collected>
export type Analyzed = z.infer<typeof Analyzed>
export type Published = z.infer<typeof Published>

/** From a role. It may have read anything by now, so the worker takes nothing but what fits. */
export const Report = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Its loop turns. */
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('stage'), stage: z.string().max(100) }),
  /** How much of the stage is done, in its own units; `files`: those whose questions are all answered. */
  z.object({ type: z.literal('progress'), ...share, files: z.object(share).nullable() }),
  /** Nothing happens for so many milliseconds, such as when a model asks to wait. */
  z.object({ type: z.literal('waits'), ms: z.number().nonnegative(), why: z.string().max(1000) }),
  z.object({ type: z.literal('finished'), plane: z.string().max(200) }),
  /** A live call of a model was paid. */
  z.object({ type: z.literal('spent'), ...cost }),
  /** It is about to write to the host, and waits for the answer. */
  z.object({ type: z.literal('may-write') }),
  /** `read`: files of the change that were not indexed yet; null when it could not be indexed. */
  z.object({
    type: z.literal('refreshed'),
    id: z.int(),
    read: z.int().nonnegative().nullable(),
    ms: z.number().nonnegative(),
  }),
  z.object({ type: z.literal('done'), result: RoleResult }),
  z.object({
    type: z.literal('failed'),
    /** Of the table of errors; null for a fault of ours. */
    code: z.string().max(100).nullable(),
    message: z.string().max(20_000),
  }),
])
export type Report = z.infer<typeof Report>

/** What a role may ask of its worker while it is at it. */
export type Line = {
  report(report: Report): void
  /** Resolves when the job is still this worker's; rejects when it is not, and then nothing may be written. */
  requireJob(): Promise<void>
  /** What the worker sends a live index; never ends by itself. */
  readonly refreshes: AsyncIterable<Refresh>
  readonly signal: AbortSignal
  /** Facts that outlive the role, so that their parsers stay warm. */
  readonly facts?: IndexStore
}

/** What one role does with its order. */
export type RoleBody<Role extends RoleOrder['role']> = (
  order: Extract<RoleOrder, { role: Role }>,
  line: Line,
) => Promise<Extract<RoleResult, { role: Role }>>
