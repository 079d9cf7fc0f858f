/** Webhooks of GitHub: an HMAC with SHA-256 over the bytes. The older one with SHA-1 is not accepted. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isOneOf, parseBody, readTime, type WebhookEvent, type Webhooks } from './contract.ts'

const Id = z.int().positive()

const Repository = z.object({ id: Id, full_name: z.string().max(300) })
const Installation = z.object({ id: Id }).nullish()

const PullEvent = z.object({
  action: z.string().max(100),
  number: Id,
  repository: Repository,
  installation: Installation,
  pull_request: z.object({
    head: z.object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/) }),
    updated_at: z.string().nullish(),
  }),
})

const CommentEvent = z.object({
  action: z.string().max(100),
  repository: Repository,
  installation: Installation,
  issue: z.object({ number: Id, pull_request: z.unknown().optional() }).optional(),
  pull_request: z.object({ number: Id }).optional(),
  comment: z.object({ id: Id, updated_at: z.string().nullish() }),
})

const CheckEvent = z.object({
  action: z.string().max(100),
  repository: Repository,
  installation: Installation,
  check_run: z
    .object({
      head_sha: z.string().regex(/^[0-9a-f]{40,64}$/),
      pull_requests: z.array(z.object({ number: Id })),
    })
    .optional(),
})

const InstallationEvent = z.object({ installation: z.object({ id: Id }) })

const Times = z
  .object({
    pull_request: z.object({ updated_at: z.string().nullish() }).nullish(),
    comment: z.object({ updated_at: z.string().nullish() }).nullish(),
  })
  .catch({})

/** Actions after which a change may have to be reviewed, or no longer. */
const changing: ReadonlySet<string> = new Set([
  'opened',
  'reopened',
  'synchronize',
  'ready_for_review',
  'converted_to_draft',
  'labeled',
  'unlabeled',
  'edited',
  'closed',
])

export const github: Webhooks = {
  kind: 'github',
  refuseHead(headers) {
    if (headers['x-hub-signature-256'] !== undefined) return null
    return headers['x-hub-signature'] === undefined ? 'signature-missing' : 'signature-weak'
  },
  verify({ headers, body }, secrets) {
    const refusal = github.refuseHead(headers, secrets)
    if (refusal !== null) return refusal
    const given = headers['x-hub-signature-256'] ?? ''
    const expected = secrets.map(
      (secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    )
    return isOneOf(given, expected) ? null : 'signature-wrong'
  },
  deliveryId: ({ headers }) => headers['x-github-delivery'] ?? null,
  read({ headers }, body) {
    const event = headers['x-github-event'] ?? ''
    switch (event) {
      case 'pull_request':
        return changeEvent(body)
      case 'issue_comment':
      case 'pull_request_review_comment':
        return commentEvent(event, body)
      case 'check_run':
        return rerunEvent(body)
      case 'installation':
      case 'installation_repositories':
        return {
          type: 'installation',
          installation: String(parseBody(InstallationEvent, body).installation.id),
        }
      default:
        return { type: 'none', what: event.slice(0, 60) }
    }
  },
  happenedAt(_delivery, body) {
    const { pull_request: pull, comment } = Times.parse(body)
    return readTime(comment?.updated_at ?? pull?.updated_at)
  },
}

function changeEvent(body: unknown): WebhookEvent {
  const { action, number, repository, installation, pull_request: pull } = parseBody(PullEvent, body)
  if (!changing.has(action)) return { type: 'none', what: `pull_request.${action}` }
  return {
    type: 'change',
    repository: named(repository),
    installation: installation ? String(installation.id) : null,
    number,
    action,
    head: pull.head.sha,
  }
}

function commentEvent(event: string, body: unknown): WebhookEvent {
  const {
    action,
    repository,
    installation,
    issue,
    pull_request: pull,
    comment,
  } = parseBody(CommentEvent, body)
  const number = pull?.number ?? (issue?.pull_request ? issue.number : undefined)
  // Comments on plain issues arrive under the same name; edits are not orders.
  if (number === undefined || action !== 'created') return { type: 'none', what: `${event}.${action}` }
  return {
    type: 'comment',
    repository: named(repository),
    installation: installation ? String(installation.id) : null,
    number,
    comment: String(comment.id),
    place: event === 'issue_comment' ? 'conversation' : 'thread',
  }
}

/** "Re-run" beside our check. */
function rerunEvent(body: unknown): WebhookEvent {
  const { action, repository, installation, check_run: check } = parseBody(CheckEvent, body)
  const number = check?.pull_requests[0]?.number
  if (action !== 'rerequested' || !check || number === undefined)
    return { type: 'none', what: `check_run.${action}` }
  return {
    type: 'change',
    repository: named(repository),
    installation: installation ? String(installation.id) : null,
    number,
    action: 'rerequested',
    head: check.head_sha,
  }
}

function named({ id, full_name }: z.infer<typeof Repository>) {
  return { id: String(id), fullName: full_name }
}
