/** Webhooks on pull requests as GitHub sends them, and Forgejo and Gitea after it: an HMAC with SHA-256 over the bytes. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isOneOf } from '../../base/secrets/same-secret.ts'
import { type Delivery, parseBody, type Refusal, readTime, type WebhookEvent } from './contract.ts'

export const Id = z.int().positive()
export const Commit = z.string().regex(/^[0-9a-f]{40,64}$/)

/** `installation`: GitHub's, of an App. */
export const Sender = z.object({
  action: z.string().max(100),
  repository: z.object({ id: Id, full_name: z.string().max(300) }),
  installation: z.object({ id: Id }).nullish(),
})

const PullEvent = Sender.extend({
  number: Id,
  pull_request: z.object({ head: z.object({ sha: Commit }) }),
})

const CommentEvent = Sender.extend({
  /** Of Forgejo and Gitea, which send a pull request as an issue. */
  is_pull: z.boolean().optional(),
  issue: z.object({ number: Id, pull_request: z.unknown().optional() }).optional(),
  pull_request: z.object({ number: Id }).nullish(),
  comment: z.object({ id: Id }),
})

const Updated = z.object({ updated_at: z.string().nullish() }).nullish()
const Times = z.object({ pull_request: Updated, comment: Updated }).catch({})

/** `given`: the digest that came, in hexadecimal. The older one with SHA-1 is not accepted. */
export function refuseUnsigned(given: string | undefined, headers: Delivery['headers']): Refusal | null {
  if (given !== undefined) return null
  return headers['x-hub-signature'] === undefined ? 'signature-missing' : 'signature-weak'
}

/** `prefix`: before the digest. */
export function verifySignature(
  given: string | undefined,
  prefix: string,
  { headers, body }: Delivery,
  secrets: readonly string[],
): Refusal | null {
  const expected = secrets.map(
    (secret) => `${prefix}${createHmac('sha256', secret).update(body).digest('hex')}`,
  )
  return refuseUnsigned(given, headers) ?? (isOneOf(given ?? '', expected) ? null : 'signature-wrong')
}

export function senderOf({ repository, installation }: z.infer<typeof Sender>) {
  return {
    repository: { id: String(repository.id), fullName: repository.full_name },
    installation: installation ? String(installation.id) : null,
  }
}

export function changeEvent(body: unknown): Extract<WebhookEvent, { type: 'change' }> {
  const { number, action, pull_request: pull, ...sender } = parseBody(PullEvent, body)
  return { type: 'change', ...senderOf({ ...sender, action }), number, action, head: pull.head.sha }
}

/** `event`: its name. Comments on plain issues arrive under the same one; edits are not orders. */
export function commentEvent(event: string, place: 'conversation' | 'thread', body: unknown): WebhookEvent {
  const { issue, pull_request: pull, is_pull: isPull, comment, ...sender } = parseBody(CommentEvent, body)
  const number = pull?.number ?? ((isPull ?? issue?.pull_request) ? issue?.number : undefined)
  if (number === undefined || sender.action !== 'created')
    return { type: 'none', what: `${event}.${sender.action}` }
  return { type: 'comment', ...senderOf(sender), number, comment: String(comment.id), place }
}

export function happenedAt(_delivery: Delivery, body: unknown): number | null {
  const { pull_request: pull, comment } = Times.parse(body)
  return readTime(comment?.updated_at ?? pull?.updated_at)
}
