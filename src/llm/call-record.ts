/**
 * What is kept beside a recorded answer, in headers of our own: its price when it was given, and the tries that failed
 * before it. A replay then tells the same account, also when prices have changed since.
 */
import { z } from 'zod'
import type { JournalAnswer } from '../domain/journal.ts'
import type { ModelCall } from '../domain/model-call.ts'
import { noTokens } from './money/account.ts'
import { type Fault, type FaultKind, fault } from './wire/fault.ts'

export type CallRecord = JournalAnswer

export type CallPrice = Pick<ModelCall, 'usd' | 'pricedAs'>

const names = { price: 'sightline-price', earlier: 'sightline-earlier', fault: 'sightline-fault' } as const

const Price = z.object({ usd: z.number().nonnegative().nullable(), pricedAs: z.string().nullable() })
const Earlier = z.array(
  z.object({ usd: z.number().nullable(), durationMs: z.number(), reason: z.string().optional() }),
)

export function pricedAnswer(
  answer: JournalAnswer,
  { usd, pricedAs }: CallPrice,
  failed: readonly ModelCall[],
): JournalAnswer {
  const headers = { ...answer.headers, [names.price]: JSON.stringify({ usd, pricedAs }) }
  return { ...answer, headers: withEarlier(headers, failed) }
}

/** Null when the record has none. */
export function priceIn({ headers }: JournalAnswer): CallPrice | null {
  return parse(Price, headers[names.price])
}

/** The failed tries as calls of now. */
export function earlierOf(
  { headers }: JournalAnswer,
  base: Pick<ModelCall, 'role' | 'address' | 'model'>,
): ModelCall[] {
  const { role, address, model } = base
  return (parse(Earlier, headers[names.earlier]) ?? []).map(({ usd, durationMs, reason }) => ({
    role,
    address,
    model,
    usage: noTokens,
    usd,
    pricedAs: null,
    durationMs,
    served: 'record',
    outcome: 'failed',
    ...(reason === undefined ? {} : { reason }),
  }))
}

/** Stands in the journal for a model that was given up. */
export function giveUpAnswer({ kind, message }: Fault, failed: readonly ModelCall[]): JournalAnswer {
  return { status: 0, headers: withEarlier({ [names.fault]: kind }, failed), body: message, durationMs: 0 }
}

export function faultOf({ headers, body }: JournalAnswer): Fault {
  // Written by ourselves; a kind from a newer version counts as an unusable answer.
  return fault((headers[names.fault] ?? 'bad-answer') as FaultKind, body)
}

function withEarlier(headers: Record<string, string>, failed: readonly ModelCall[]): Record<string, string> {
  if (failed.length === 0) return headers
  const earlier = failed.map(({ usd, durationMs, reason }) => ({ usd, durationMs, reason }))
  return { ...headers, [names.earlier]: JSON.stringify(earlier) }
}

function parse<Value>(schema: z.ZodType<Value>, text: string | undefined): Value | null {
  try {
    return text === undefined ? null : schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
