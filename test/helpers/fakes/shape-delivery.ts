/** Lets an answer that is ready go wrong on its way, as the step of a scenario asks. */
import type { Endpoint, Protocol } from './contract.ts'
import type { DeliveryStep } from './scenario/schema.ts'
import type { HttpAnswer } from './server.ts'

const garbage = Buffer.from('event: ???\ndata: {"type": "content_\n\ndata: \ufffd\u0000not json\n\n: \n\n')

export function shapeDelivery(
  answer: HttpAnswer,
  delivery: DeliveryStep | undefined,
  place: { protocol: Protocol; endpoint: Endpoint; stream: boolean },
): HttpAnswer {
  if (!delivery) return answer
  if (delivery.kind === 'slow' || delivery.kind === 'silence') return { ...answer, delivery }
  if (delivery.kind === 'stall' || delivery.kind === 'cut')
    return { ...answer, delivery: withoutUndefined(delivery) }
  if (!place.stream)
    return delivery.kind === 'garbage'
      ? { ...answer, frames: [Buffer.from('{"id": "x", "content": [')] }
      : place.protocol.failure({ kind: 'overloaded' })
  const arrived = answer.frames.slice(0, delivery.afterFrames ?? Math.floor(answer.frames.length / 2))
  const last = delivery.kind === 'garbage' ? garbage : place.endpoint.errorFrame({ kind: 'overloaded' })
  return { ...answer, frames: [...arrived, last] }
}

type Travelling = Extract<DeliveryStep, { kind: 'stall' | 'cut' }>

function withoutUndefined({ kind, afterFrames }: Travelling): NonNullable<HttpAnswer['delivery']> {
  return afterFrames === undefined ? { kind } : { kind, afterFrames }
}
