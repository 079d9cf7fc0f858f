/** What the web server asks for when it puts a job into the queue, and what becomes of it. */
import { z } from 'zod'
import type { Gate } from '../../domain/gate.ts'
import { ObjectId } from '../../domain/review-request.ts'
import { ModelSwap } from '../api/contract/conversation.ts'
import type { OpenedGate } from '../policies/gate.ts'
import type { JobRole, Reply } from '../roles/contract.ts'

/** What made somebody ask. `reconciler` is the server itself, for a webhook that never came. */
export const TriggerKind = z.enum([
  'opened',
  'reopened',
  'pushed',
  'ready',
  'comment',
  'manual',
  'reconciler',
  'nightly',
])
export type TriggerKind = z.infer<typeof TriggerKind>

/** The kinds of jobs whose payload is a `ReviewJob`: reviews, and what people ask about them, such as a replay. */
export const reviewKind = 'review'
export const questionKind = 'question'

/**
 * Payload of a job in the queue. No word of it is foreign text but names that were checked where they came in, and the
 * question of a person.
 */
export const ReviewJob = z.object({
  /** The change request, as people open it: `https://github.com/owner/repo/pull/1`. */
  address: z.url({ protocol: /^https?$/ }),
  /** Which host connection of the server's settings it came over. */
  connection: z.string().min(1),
  /** GitHub: through which installation of the App; null elsewhere. */
  installation: z.string().nullable(),
  repository: z.object({
    /** `github.com`, `gitlab.example.org:8443`. */
    host: z.string().min(1),
    /** The host's own id, which survives renames; null where the trigger did not name it. */
    id: z.string().nullable(),
    /** `owner/repo`, `group/subgroup/project`. */
    name: z.string().min(1),
  }),
  number: z.int().positive(),
  /** As the trigger saw it; null when it did not say. A review is always of the head at its beginning. */
  head: ObjectId.nullable(),
  trigger: z.object({
    id: z.string(),
    kind: TriggerKind,
    /** Login of who asked; null for an event that no person asked for. */
    by: z.string().nullable(),
  }),
  /** Repositories with open change requests that belong to this one, by the host's id; not in jobs of earlier versions. */
  beside: z.array(z.object({ connection: z.string(), id: z.string() })).optional(),
  decision: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('review'),
      /** `auto`: as the repository's configuration says. */
      depth: z.enum(['auto', 'offline', 'quick', 'standard', 'deep']),
      /** Most that this review may cost, in US dollars; null leaves it to the settings. */
      budgetUsd: z.number().nonnegative().nullable(),
      /** One sentence about how it was decided, for the report: a budget that ended. */
      notice: z.string().nullable(),
      /** Models are asked about all of it again, whatever an earlier review found; not in jobs of earlier versions. */
      isFull: z.boolean().optional(),
    }),
    /** Nothing is reviewed; the host shows who decided that, and why. */
    z.object({
      ...{ kind: z.literal('skip'), why: z.string(), by: z.string() },
      /** Somebody of the change itself held it back, which opens no gate. */
      isHeld: z.boolean().optional(),
    }),
    /** A question is answered where it was asked: in a comment, or, without one, in the dashboard. */
    z.object({
      kind: z.literal('answer'),
      /** The review that it is about. */
      run: z.string(),
      /** Names of the finding that it is about; empty for none. */
      about: z.array(z.string()),
      question: z.string(),
      comment: z.object({ id: z.string(), place: z.enum(['conversation', 'thread']) }).nullable(),
      /** Begins a new conversation; absent: continues the last one about the run. */
      isNew: z.boolean().optional(),
      budgetUsd: z.number().nonnegative().nullable(),
    }),
    /** A review is repeated from its record, with another model for one role or none; the host hears nothing of it. */
    z.object({
      kind: z.literal('replay'),
      run: z.string(),
      swap: ModelSwap.nullable(),
      /** Of a swap. */
      budgetUsd: z.number().nonnegative().nullable(),
    }),
  ]),
})
export type ReviewJob = z.infer<typeof ReviewJob>

/** Every trigger ends in exactly one of these, where people see it. */
export const OutcomeState = z.enum(['reviewed', 'partly', 'not-reviewed', 'superseded', 'skipped'])
export type OutcomeState = z.infer<typeof OutcomeState>

/** Why it is not `reviewed`, in one word that metrics and filters can use. */
export const OutcomeReason = z.enum([
  'policy',
  'closed',
  'nothing-to-review',
  'newer-commits',
  'gone',
  'no-access',
  'host-unavailable',
  'no-merge-base',
  'too-large',
  'configuration',
  'budget',
  'model-unavailable',
  'limits',
  'failed',
])
export type OutcomeReason = z.infer<typeof OutcomeReason>

export type Outcome = {
  state: OutcomeState
  reason: OutcomeReason | null
  /** One or two sentences for people; null when there is nothing to add. */
  detail: string | null
  /** Commit that was reviewed; null when it never came to that. */
  head: string | null
  /** Name of the run on record; null without one. */
  run: string | null
  /** What its live calls cost, in all attempts of this worker. */
  usd: number
  /** Calls whose price is not known. */
  unpricedCalls: number
  findings: number
  /** For whoever asked in the dashboard; null for a review. */
  reply: Reply | null
  /** The host shows it. */
  isShown: boolean
}

/** What one job may use. Opened for each job, so that a rotated secret is in force at once. */
export type Access = {
  /** The operator's settings as the roles read them: YAML of a settings file, without any secret. */
  settings: string
  /** Environment variables with the secrets of each role, and no other's. An indexer has none. */
  secrets: Readonly<Record<Exclude<JobRole, 'indexer'>, Readonly<Record<string, string>>>>
  /** What is left of the budgets now, in US dollars; null where there is none. A job may have waited for long. */
  allowanceUsd: number | null
  /** Absent where the check only informs. */
  gate?: Gate
  /** Of the gate; absent where nobody opened it. */
  opened?: OpenedGate
  /** Where people find the server; absent where it is not known. */
  url?: string
  /** What the App or the token may not do in the repository, in words. */
  lacks?: readonly string[]
}

export type OpenAccess = (tenant: string, job: ReviewJob, signal: AbortSignal) => Promise<Access>
