/** Webhooks of Bitbucket Cloud: an HMAC with SHA-256 over the bytes, under the name that GitHub had for a weaker one. */
import { z } from 'zod'
import { type Delivery, parseBody, readTime, type WebhookEvent, type Webhooks } from './contract.ts'
import { Id, verifySignature } from './pull-requests.ts'

const Event = z.object({
  repository: z.object({ uuid: z.string().regex(/^\{[0-9a-f-]{36}\}$/), full_name: z.string().max(300) }),
  pullrequest: z.object({
    id: Id,
    source: z.object({ commit: z.object({ hash: z.string().regex(/^[0-9a-f]{12,64}$/) }).nullish() }),
  }),
})
const CommentEvent = Event.extend({
  comment: z.object({ id: Id, inline: z.unknown().optional(), parent: z.unknown().optional() }),
})

const Times = z
  .object({
    comment: z.object({ created_on: z.string() }).optional(),
    pullrequest: z.object({ updated_on: z.string().nullish() }).optional(),
  })
  .catch({})

const signature = 'x-hub-signature'

export const bitbucket: Webhooks = {
  kind: 'bitbucket',
  refuseHead: (headers) => (headers[signature] === undefined ? 'signature-missing' : null),
  verify: (delivery, secrets) =>
    bitbucket.refuseHead(delivery.headers, secrets) ??
    verifySignature(delivery.headers[signature], 'sha256=', delivery, secrets),
  deliveryId: ({ headers }) => headers['x-request-uuid'] ?? null,
  read(delivery, body) {
    const event = eventOf(delivery)
    const [, action = ''] = /^pullrequest:(created|updated|fulfilled|rejected)$/.exec(event) ?? []
    if (action !== '') return changeEvent(action, body)
    return event === 'pullrequest:comment_created' ? commentEvent(body) : { type: 'none', what: event }
  },
  happenedAt(_delivery, body) {
    const { comment, pullrequest: pull } = Times.parse(body)
    return readTime(comment?.created_on ?? pull?.updated_on)
  },
}

function eventOf({ headers }: Delivery): string {
  return (headers['x-event-key'] ?? '').slice(0, 60)
}

function changeEvent(action: string, body: unknown): WebhookEvent {
  const { repository, pullrequest: pull } = parseBody(Event, body)
  const head = pull.source.commit?.hash ?? null
  return { type: 'change', repository: named(repository), installation: null, number: pull.id, action, head }
}

function commentEvent(body: unknown): WebhookEvent {
  const { repository, pullrequest: pull, comment } = parseBody(CommentEvent, body)
  return {
    ...{ type: 'comment', repository: named(repository), installation: null, number: pull.id },
    ...{ comment: String(comment.id), place: comment.inline || comment.parent ? 'thread' : 'conversation' },
  }
}

function named({ uuid, full_name: fullName }: z.infer<typeof Event>['repository']) {
  return { id: uuid.slice(1, -1), fullName }
}
