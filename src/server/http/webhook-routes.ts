/**
 * Webhooks in: checked over the bytes as they came, stored, and only then acknowledged. What is wrong with one is
 * counted and answered with the right status; nothing of its content is logged.
 */
import { createHash } from 'node:crypto'
import type { HostConnection } from '../connections/connections.ts'
import type { DeliveryWriter, NewDelivery } from '../intake/deliveries.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type Delivery, MalformedWebhook, type Refusal, type WebhookEvent } from '../webhooks/contract.ts'
import { webhooks } from '../webhooks/registry.ts'
import { type Answer, type Call, Refused, type Route } from './contract.ts'

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
  const rate = new SecondCounter(parts.limits.perSecond)
  return [
    {
      method: 'POST',
      path: '/webhooks/{connection}',
      access: 'webhook',
      bodyBytes: parts.limits.bodyBytes,
      async handle(call) {
        const name = call.parameters.connection ?? ''
        const connection = parts.connections.get(name)
        if (!connection) {
          parts.metrics.webhooks.inc({ kind: 'unknown', result: 'refused' })
          throw new Refused(404, 'Not found.')
        }
        const { result, answer } = await receive(parts, connection, call, rate)
        parts.metrics.webhooks.inc({ kind: connection.kind, result })
        if (answer.status >= 300)
          parts.log.warn('webhook-refused', { connection: name, result, status: answer.status })
        else parts.metrics.webhookSeconds.observe((Date.now() - call.receivedAt) / 1000)
        return answer
      },
    },
  ]
}

type Received = { result: string; answer: Answer }

async function receive(
  { writer, limits }: WebhookParts,
  connection: HostConnection,
  call: Call,
  rate: SecondCounter,
): Promise<Received> {
  const kind = webhooks[connection.kind]
  const delivery: Delivery = { headers: call.headers, body: call.body, receivedAt: call.receivedAt }
  const secrets = await connection.webhookSecrets()
  const refusal = secrets.length === 0 ? 'signature-wrong' : kind.verify(delivery, secrets)
  if (refusal !== null) return refused(refusal, 401, refusals[refusal])
  if (rate.isOver(connection.name, call.receivedAt))
    return { result: 'rate', answer: { status: 429, headers: { 'retry-after': '1' } } }
  if (!/^application\/json\b/i.test(call.headers['content-type'] ?? ''))
    return refused('media-type', 415, 'Set the content type of the webhook to application/json.')
  const body = parseJson(call.body)
  if (body === undefined) return refused('malformed', 400, 'The body is not JSON.')
  let event: WebhookEvent
  try {
    event = kind.read(delivery, body)
  } catch (error) {
    if (!(error instanceof MalformedWebhook)) throw error
    return refused('malformed', 400, 'The body lacks what an event of this kind has.')
  }
  if (event.type === 'none')
    return { result: 'ignored', answer: { status: 200, body: { result: 'ignored' } } }
  const happenedAt = kind.happenedAt(delivery, body)
  if (happenedAt !== null && call.receivedAt - happenedAt > limits.replayHours * 3_600_000)
    return refused('too-old', 400, refusals['too-old'])
  const isNew = await writer.write(deliveryOf(connection.name, kind.deliveryId(delivery), call, event))
  const result = isNew ? 'accepted' : 'duplicate'
  return { result, answer: { status: 202, body: { result } } }
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

function refused(result: string, status: number, message: string): Received {
  return { result, answer: { status, body: { error: message } } }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** How many there were within this second, by name. */
class SecondCounter {
  private readonly most: number
  private readonly counts = new Map<string, { second: number; count: number }>()

  constructor(most: number) {
    this.most = most
  }

  isOver(name: string, now: number): boolean {
    const second = Math.floor(now / 1000)
    const known = this.counts.get(name)
    const count = known?.second === second ? known.count + 1 : 1
    this.counts.set(name, { second, count })
    return count > this.most
  }
}
