/**
 * Webhooks of GitLab: a token in a header, or, with a signing token (`whsec_…`), an HMAC over id, time and bytes after
 * the Standard Webhooks specification, which also ends replays after five minutes.
 */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isOneOf } from '../../base/secrets/same-secret.ts'
import {
  type Delivery,
  parseBody,
  type Refusal,
  readTime,
  type WebhookEvent,
  type Webhooks,
} from './contract.ts'

const Id = z.int().positive()
const Project = z.object({ id: Id, path_with_namespace: z.string().max(300) })

const MergeEvent = z.object({
  object_kind: z.literal('merge_request'),
  project: Project,
  object_attributes: z.object({
    iid: Id,
    action: z.string().max(100).nullish(),
    last_commit: z.object({ id: z.string().regex(/^[0-9a-f]{40,64}$/) }).nullish(),
  }),
})

const NoteEvent = z.object({
  object_kind: z.literal('note'),
  project: Project,
  merge_request: z.object({ iid: Id }).nullish(),
  object_attributes: z.object({ id: Id, action: z.string().nullish(), type: z.string().nullish() }),
})

const Kind = z.object({ object_kind: z.string().max(60) }).catch({ object_kind: '' })

const Times = z
  .object({ object_attributes: z.object({ updated_at: z.string().nullish() }) })
  .nullable()
  .catch(null)

const windowMs = 5 * 60_000

export const gitlab: Webhooks = {
  kind: 'gitlab',
  refuseHead(headers, secrets) {
    if (isSigned(headers, secrets)) return null
    const plain = secrets.filter((secret) => !secret.startsWith('whsec_'))
    const given = headers['x-gitlab-token']
    if (plain.length === 0 || given === undefined) return 'signature-missing'
    return isOneOf(given, plain) ? null : 'signature-wrong'
  },
  verify(delivery, secrets) {
    const signing = secrets.filter((secret) => secret.startsWith('whsec_'))
    return isSigned(delivery.headers, secrets)
      ? verifySigned(delivery, signing)
      : gitlab.refuseHead(delivery.headers, secrets)
  },
  deliveryId: ({ headers }) =>
    headers['webhook-id'] ?? headers['idempotency-key'] ?? headers['x-gitlab-event-uuid'] ?? null,
  read(_delivery, body) {
    const { object_kind: kind } = Kind.parse(body)
    if (kind === 'merge_request') return mergeEvent(body)
    if (kind === 'note') return noteEvent(body)
    return { type: 'none', what: kind }
  },
  happenedAt: ({ headers }, body) =>
    headers['webhook-timestamp'] === undefined
      ? readTime(Times.parse(body)?.object_attributes.updated_at)
      : Number(headers['webhook-timestamp']) * 1000,
}

function isSigned(headers: Delivery['headers'], secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret.startsWith('whsec_')) && headers['webhook-signature'] !== undefined
}

function verifySigned({ headers, body, receivedAt }: Delivery, secrets: readonly string[]): Refusal | null {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '' } = headers
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), body])
  const expected = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  // Several signatures are sent while a token is being replaced.
  const given = (headers['webhook-signature'] ?? '').split(' ').slice(0, 5)
  const isGenuine = given.map((each) => isOneOf(each, expected)).includes(true)
  if (!isGenuine) return 'signature-wrong'
  const sentAt = Number(time) * 1000
  return Math.abs(receivedAt - sentAt) <= windowMs ? null : 'too-old'
}

function mergeEvent(body: unknown): WebhookEvent {
  const { project, object_attributes: merge } = parseBody(MergeEvent, body)
  return {
    type: 'change',
    repository: named(project),
    installation: null,
    number: merge.iid,
    action: merge.action ?? null,
    head: merge.last_commit?.id ?? null,
  }
}

function noteEvent(body: unknown): WebhookEvent {
  const { project, merge_request: merge, object_attributes: note } = parseBody(NoteEvent, body)
  if (!merge || (note.action ?? 'create') !== 'create') return { type: 'none', what: 'note' }
  return {
    type: 'comment',
    repository: named(project),
    installation: null,
    number: merge.iid,
    comment: String(note.id),
    place: note.type === 'DiffNote' ? 'thread' : 'conversation',
  }
}

function named({ id, path_with_namespace }: z.infer<typeof Project>) {
  return { id: String(id), fullName: path_with_namespace }
}
