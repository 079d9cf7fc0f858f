/** Webhooks of Forgejo and Gitea: an HMAC with SHA-256 over the bytes, in hexadecimal. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type Delivery, isOneOf, parseBody, readTime, type WebhookEvent, type Webhooks } from './contract.ts'

const Id = z.int().positive()
const Repository = z.object({ id: Id, full_name: z.string().max(300) })

const PullEvent = z.object({
  action: z.string().max(100),
  number: Id,
  repository: Repository,
  pull_request: z.object({ head: z.object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/) }) }),
})

const CommentEvent = z.object({
  action: z.string().max(100),
  is_pull: z.boolean().optional(),
  repository: Repository,
  issue: z.object({ number: Id, pull_request: z.unknown().optional() }),
  comment: z.object({ id: Id }),
})

const Times = z
  .object({
    pull_request: z.object({ updated_at: z.string().nullish() }).nullish(),
    comment: z.object({ updated_at: z.string().nullish() }).nullish(),
  })
  .catch({})

export const forgejo: Webhooks = {
  kind: 'forgejo',
  refuseHead(headers) {
    if (header({ headers }, 'signature') !== undefined) return null
    return headers['x-hub-signature'] === undefined ? 'signature-missing' : 'signature-weak'
  },
  verify(delivery, secrets) {
    const refusal = forgejo.refuseHead(delivery.headers, secrets)
    if (refusal !== null) return refusal
    const given = header(delivery, 'signature') ?? ''
    const expected = secrets.map((secret) => createHmac('sha256', secret).update(delivery.body).digest('hex'))
    return isOneOf(given, expected) ? null : 'signature-wrong'
  },
  deliveryId: (delivery) => header(delivery, 'delivery') ?? null,
  read(delivery, body) {
    const event = header(delivery, 'event') ?? ''
    if (/^pull_request(?:_sync|_label)?$/.test(event)) return changeEvent(body)
    if (event === 'issue_comment' || event === 'pull_request_comment') return commentEvent(body)
    return { type: 'none', what: event.slice(0, 60) }
  },
  happenedAt(_delivery, body) {
    const { pull_request: pull, comment } = Times.parse(body)
    return readTime(comment?.updated_at ?? pull?.updated_at)
  },
}

/** Gitea sends the same under its own name. */
function header({ headers }: Pick<Delivery, 'headers'>, name: string): string | undefined {
  return headers[`x-forgejo-${name}`] ?? headers[`x-gitea-${name}`]
}

function changeEvent(body: unknown): WebhookEvent {
  const { action, number, repository, pull_request: pull } = parseBody(PullEvent, body)
  const named = { id: String(repository.id), fullName: repository.full_name }
  return { type: 'change', repository: named, installation: null, number, action, head: pull.head.sha }
}

function commentEvent(body: unknown): WebhookEvent {
  const { action, is_pull: isPull, repository, issue, comment } = parseBody(CommentEvent, body)
  if (action !== 'created' || !(isPull ?? issue.pull_request))
    return { type: 'none', what: `issue_comment.${action}` }
  return {
    type: 'comment',
    repository: { id: String(repository.id), fullName: repository.full_name },
    installation: null,
    number: issue.number,
    comment: String(comment.id),
    place: 'conversation',
  }
}
