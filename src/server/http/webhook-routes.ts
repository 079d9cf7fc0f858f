/**
 * Webhooks in: checked over the bytes as they came, stored, and only then acknowledged. What is wrong with one is
 * counted and answered with the right status; nothing of its content is logged.
 */
import { createHash } from 'node:crypto'
import type { HostConnection } from '../connections/connections.ts'
import type { DeliveryWriter, NewDelivery } from '../intake/deliveries.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import {
  type Delivery,
  MalformedWebhook,
  type Refusal,
  type WebhookEvent,
  type Webhooks,
} from '../webhooks/contract.ts'
import { webhooksOf } from '../webhooks/registry.ts'
import type { CallHead } from './caller.ts'
import { type Call, Refused, type Route } from './contract.ts'

export type WebhookParts = {
  connections: ReadonlyMap<string, HostConnection>
  writer: Pick<DeliveryWriter, 'write'>
  /** Bytes, per second and connection, and hours. */
  limits: { bodyBytes: number; perSecond: number; replayHours: number }
  metrics: Metrics
  log: Log
}

const refusals: Readonly<Record<Refusal, string>> = {
  'signature-missing': 'The webhook is not signed; set its secret.',
  'signature-wrong': 'The signature is wrong; the secret is not the one of this connection.',
  'signature-weak': 'SHA-1 signatures are not accepted; only SHA-256.',
  'too-old': 'The webhook is too old.',
}

export function webhookRoutes(parts: WebhookParts): Route[] {
  const { bodyBytes, perSecond } = parts.limits
  const rate = { most: perSecond, seconds: 1, of: 'signer' } as const
  return [
    {
      method: 'POST',
      path: '/webhooks/{connection}',
      ...{
        scope: 'signed',
        tenant: 'proven',
        audit: { none: 'a delivery is its own record' },
        bodyBytes,
        rate,
      },
      refuseHead: (head) => watched(parts, head, () => checkHead(parts, head)),
      handle: (call) =>
        watched(parts, call, async () => {
          const { result, status } = await receive(parts, call)
          const { kind } = connectionOf(parts, call)
          parts.metrics.webhooks.inc({ kind, result })
          parts.metrics.webhookSeconds.observe((Date.now() - call.receivedAt) / 1000)
          return { status, body: { result } }
        }),
    },
  ]
}

type Received = { result: 'accepted' | 'duplicate' | 'ignored'; status: number }

/** Refuses by name: `result` is what is counted and logged. */
class WebhookRefused extends Refused {
  readonly result: string

  constructor(result: string, status: number, message: string) {
    super(status, message)
    this.result = result
  }
}

/** Counts and logs what `work` refuses. */
async function watched<Result>(
  { connections, metrics, log }: WebhookParts,
  { parameters }: CallHead,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { status } = error
    const result = error instanceof WebhookRefused ? error.result : status === 429 ? 'rate' : 'refused'
    const connection = connections.get(parameters.connection ?? '')
    metrics.webhooks.inc({ kind: connection?.kind ?? 'unknown', result })
    if (connection) log.warn('webhook-refused', { connection: connection.name, result, status })
    throw error
  }
}

function connectionOf({ connections }: WebhookParts, { parameters }: CallHead): HostConnection {
  const connection = connections.get(parameters.connection ?? '')
  if (!connection) throw new Refused(404, 'Not found.')
  return connection
}

/** Before anything of the body is held: whether it is for somebody, and signed at all. */
async function checkHead(parts: WebhookParts, head: CallHead): Promise<void> {
  const connection = connectionOf(parts, head)
  const secrets = await connection.webhookSecrets()
  const refusal =
    secrets.length === 0 ? 'signature-wrong' : webhooksOf(connection.kind).refuseHead(head.headers, secrets)
  if (refusal !== null) throw new WebhookRefused(refusal, 401, refusals[refusal])
}

async function receive(parts: WebhookParts, call: Call): Promise<Received> {
  const connection = connectionOf(parts, call)
  const { writer, limits } = parts
  const kind = webhooksOf(connection.kind)
  const delivery: Delivery = { headers: call.headers, body: call.body, receivedAt: call.receivedAt }
  const refusal = kind.verify(delivery, await connection.webhookSecrets())
  if (refusal !== null) throw new WebhookRefused(refusal, 401, refusals[refusal])
  call.count(connection.name)
  if (!/^application\/json\b/i.test(call.headers['content-type'] ?? ''))
    throw new WebhookRefused('media-type', 415, 'Set the content type of the webhook to application/json.')
  const body = parseJson(call.body)
  if (body === undefined) throw new WebhookRefused('malformed', 400, 'The body is not JSON.')
  const event = readEvent(kind, delivery, body, connection.webUrl)
  if (event.type === 'none') return { result: 'ignored', status: 200 }
  const happenedAt = kind.happenedAt(delivery, body)
  if (happenedAt !== null && call.receivedAt - happenedAt > limits.replayHours * 3_600_000)
    throw new WebhookRefused('too-old', 400, refusals['too-old'])
  const isNew = await writer.write(deliveryOf(connection.name, kind.deliveryId(delivery, body), call, event))
  return { result: isNew ? 'accepted' : 'duplicate', status: 202 }
}

function readEvent(kind: Webhooks, ...delivered: Parameters<Webhooks['read']>): WebhookEvent {
  try {
    return kind.read(...delivered)
  } catch (error) {
    if (!(error instanceof MalformedWebhook)) throw error
    throw new WebhookRefused('malformed', 400, 'The body lacks what an event of this kind has.')
  }
}

function deliveryOf(
  connection: string,
  id: string | null,
  { body, receivedAt }: Call,
  event: NewDelivery['event'],
): NewDelivery {
  const hash = createHash('sha256').update(body).digest('hex')
  const isUsable = id !== null && /^[\x21-\x7e]{1,200}$/.test(id)
  return { connection, id: isUsable ? id : hash, hash, receivedAt: new Date(receivedAt), event }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
