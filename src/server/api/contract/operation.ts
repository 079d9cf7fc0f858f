/** Who is signed in, what runs, and what the installation is set up to do. */
import { z } from 'zod'
import { PageQuery, pageOf } from './common.ts'

export { WorkspaceGraph } from '../../../domain/workspace.ts'

const count = z.number().int().nonnegative()

/** From least to most: each may do what the one before may. */
export const Role = z.enum(['viewer', 'reviewer', 'admin'])
export type Role = z.infer<typeof Role>

export const Session = z.object({
  /** `local`: `sightline ui` on this machine. */
  mode: z.enum(['local', 'server']),
  version: z.string(),
  /** Whose runs are shown. */
  tenant: z.string(),
  /** The others that this person may switch to, itself included. */
  tenants: z.array(z.string()),
  /** Null for a token and on the local machine. */
  user: z.object({ name: z.string(), provider: z.string() }).nullable(),
  role: Role,
  /** To be sent as `X-Sightline-Csrf` with everything but GET. */
  csrf: z.string(),
  expiresAt: z.string().nullable(),
  /** What this installation can do. */
  features: z.object({
    ask: z.boolean(),
    replay: z.boolean(),
    queue: z.boolean(),
    installations: z.boolean(),
  }),
})
export type Session = z.infer<typeof Session>

/** That of `sightline ui` works once. */
export const LocalToken = z.strictObject({ token: z.string().min(1).max(200) })

export const SignInProviders = z.object({
  /** A server takes API tokens beside its providers; `sightline ui` the one-time token that it printed. */
  mode: z.enum(['local', 'server']),
  /** Open `url` to sign in. Empty on the local machine. */
  providers: z.array(z.object({ name: z.string(), title: z.string(), url: z.string() })),
})
export type SignInProviders = z.infer<typeof SignInProviders>

/** One of `tenants` of the session. */
export const SessionChange = z.strictObject({ tenant: z.string().min(1).max(120) })

export const SignedIn = z.object({
  id: z.string(),
  /** A login, or the name of a token. */
  name: z.string(),
  /** Null: signed in with a token. */
  provider: z.string().nullable(),
  begunAt: z.string(),
  seenAt: z.string(),
  expiresAt: z.string(),
})
export type SignedIn = z.infer<typeof SignedIn>
export const SignedInPage = pageOf(SignedIn)

export const QueueItem = z.object({
  id: z.string(),
  state: z.enum(['queued', 'running', 'reviewed', 'partly', 'not-reviewed', 'superseded', 'skipped']),
  repository: z.string(),
  change: count.nullable(),
  /** What its author called the change; empty where that is not known. Foreign. */
  title: z.string(),
  url: z.string().nullable(),
  trigger: z.string(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** The stage it is in, and how much of it is done (0 to 1); null when that is not known. */
  stage: z.string().nullable(),
  progress: z.number().min(0).max(1).nullable(),
  /** Of the files that models are asked about, those whose questions are all answered; null when that is not known. */
  files: z.object({ done: count, total: count }).nullable(),
  /** While it runs: live calls of models so far and what they cost, of this attempt; null otherwise. */
  calls: count.nullable(),
  usd: z.number().nonnegative().nullable(),
  attempt: count,
  /** Why it waits, also while it runs, or why it ended as it did, in words; null when there is nothing to say. */
  why: z.string().nullable(),
  /** How many jobs are before it; null when it does not wait. */
  ahead: count.nullable(),
  run: z.string().nullable(),
})
export type QueueItem = z.infer<typeof QueueItem>

/** What waits and runs, oldest first, then the last that ended, newest first. */
export const QueueState = z.object({ items: z.array(QueueItem), queued: count, running: count })
export type QueueState = z.infer<typeof QueueState>

/** Server-sent: the whole state whenever it changed. */
export const QueueEvent = z.object({ event: z.literal('queue'), data: QueueState })
export type QueueEvent = z.infer<typeof QueueEvent>

export const EffectiveValue = z.object({
  /** `review.maxInline`. */
  path: z.string(),
  /** JSON. Secrets are left out. */
  value: z.unknown(),
  /** Who set it, for people: `default`, `settings of the operator`, `the policy of acme`, `.sightline.yaml`. */
  origin: z.string(),
})
export type EffectiveValue = z.infer<typeof EffectiveValue>

export const PolicyQuery = z.object({ repository: z.string().max(300).optional() })

export const PolicyView = z.object({
  configuration: z.array(EffectiveValue),
  policies: z.array(EffectiveValue),
  budgets: z.array(
    z.object({
      name: z.string(),
      period: z.enum(['review', 'day', 'month']),
      limitUsd: z.number(),
      spentUsd: z.number().nullable(),
    }),
  ),
})
export type PolicyView = z.infer<typeof PolicyView>

export const MemoryNote = z.object({
  id: z.string(),
  repository: z.string(),
  text: z.string(),
  /** What it governs: globs, rules, or everything. */
  scope: z.string(),
  state: z.enum(['proposed', 'active', 'untested', 'expired', 'retired']),
  /** Where it comes from, for people: a file of the repository, outcomes of findings, a model's insight. */
  origin: z.string(),
  createdAt: z.string().nullable(),
  /** How it would have done on recorded runs; null when it was not tried. */
  backTest: z.object({ runs: count, helped: count, harmed: count }).nullable(),
})
export type MemoryNote = z.infer<typeof MemoryNote>

export const MemoryPage = pageOf(MemoryNote)
export type MemoryPage = z.infer<typeof MemoryPage>

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** Who, and the name. `sightline`: it took back a finding of its own. */
  actor: z.object({ kind: z.enum(['person', 'token', 'operator', 'local', 'sightline']), name: z.string() }),
  /** `repository.update`, `token.create`, `session.begin`; on one machine `finding.dismiss`. */
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Newest first. */
export const AuditPage = pageOf(AuditEntry)
export type AuditPage = z.infer<typeof AuditPage>

export const RepositoryItem = z.object({
  /** `github/1234` on a server: connection and id; the name itself on the local machine. */
  id: z.string(),
  name: z.string(),
  isPrivate: z.boolean().nullable(),
  /** Whether its change requests are reviewed. Null where nothing decides that. */
  isEnabled: z.boolean().nullable(),
  runs: count,
  lastRunAt: z.string().nullable(),
  /** Whether it is indexed, where this process can see the indexes; null where it cannot. */
  isIndexed: z.boolean().nullable(),
})
export type RepositoryItem = z.infer<typeof RepositoryItem>

export const RepositoriesQuery = PageQuery.extend({ text: z.string().max(200).optional() })
export const RepositoryPage = pageOf(RepositoryItem)
export type RepositoryPage = z.infer<typeof RepositoryPage>
export const RepositoryChange = z.strictObject({ isEnabled: z.boolean() })

export const Installation = z.object({
  connection: z.string(),
  kind: z.string(),
  account: z.string(),
  state: z.enum(['active', 'suspended', 'removed']),
  repositories: count,
  seenAt: z.string(),
})
export type Installation = z.infer<typeof Installation>

export const InstallationPage = pageOf(Installation)
export type InstallationPage = z.infer<typeof InstallationPage>

export const Health = z.object({
  state: z.enum(['ok', 'degraded']),
  parts: z.array(
    z.object({
      /** `database`, `run store`, `catalog`, `queue`. */
      name: z.string(),
      state: z.enum(['ok', 'degraded', 'failed']),
      detail: z.string(),
    }),
  ),
})
export type Health = z.infer<typeof Health>

/** `read`: all that the viewer sees; `review`: ask, replay; `admin`: change settings and tokens. */
export const TokenScope = z.enum(['read', 'review', 'admin'])
export type TokenScope = z.infer<typeof TokenScope>

export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(TokenScope),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  /** Null: the operator. */
  createdBy: z.string().nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>
export const TokenPage = pageOf(ApiToken)

export const TokenRequest = z.strictObject({
  name: z.string().min(1).max(100),
  scopes: z.array(TokenScope).min(1),
  /** Days until it ends. */
  days: z.number().int().min(1).max(366).default(90),
})
/** `token` is shown this once. */
export const NewToken = z.object({ token: z.string(), made: ApiToken })

/** The tenant is named by the operator; `days` null: until it is revoked. */
export const OperatorTokenRequest = z.strictObject({
  tenant: z.string().min(1).max(120),
  name: z.string().min(1).max(100),
  scopes: z.array(TokenScope).min(1).default(['read']),
  days: z.int().min(1).max(3660).nullable().default(null),
})
export const OperatorToken = z.object({ token: z.string(), tenant: z.string(), name: z.string() })
export const RevokedTokens = z.object({ revoked: count })

export const TenantList = z.object({
  tenants: z.array(
    z.object({
      tenant: z.string(),
      connection: z.string(),
      account: z.string().nullable(),
      state: z.string(),
    }),
  ),
})

/** What asked for a review, and the one state that it ended in. */
export const ReviewItem = z.object({
  id: z.string(),
  repository: z.string(),
  number: count,
  /** What asked: `opened`, `pushed`, `command` … */
  kind: z.string(),
  askedBy: z.string().nullable(),
  head: z.string().nullable(),
  receivedAt: z.string(),
  /** For people: what was decided, and by which rule. */
  decision: z.string(),
  state: z.enum(['waiting', 'reviewed', 'partly', 'not-reviewed', 'superseded', 'skipped']),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  usd: z.number().nullable(),
  run: z.string().nullable(),
})
export type ReviewItem = z.infer<typeof ReviewItem>
export const ReviewPage = pageOf(ReviewItem)

export const Done = z.object({ done: z.literal(true) })
