/** Where runs are kept: each with everything it took in, so that it can be replayed, resumed, shown and counted. */
import { z } from 'zod'
import { journalKinds } from '../domain/journal.ts'
import { ModelRole } from '../domain/model-call.ts'
import { Depth } from '../domain/review.ts'

/**
 * The shape of runs on record. A store that holds a higher number is left alone; runs of a lower one are refused by name
 * and kept until their time is over. 2: requests have kinds of their own.
 */
export const storeFormat = 2

export const RunHeader = z.object({
  format: z.literal(storeFormat),
  /** `20261121-061502-3fa94c`: when it began (UTC), thousandths of a second (hexadecimal), three random digits. */
  run: z.string(),
  startedAt: z.string(),
  /** For people: what was reviewed, and in which repository. */
  label: z.string(),
  repository: z.string(),
  /** `local/NAME/HEAD` or `host/owner/repo/number`; with an address inside the run behind it, it names one call. */
  place: z.string(),
  depth: Depth,
  /** Versions of this program, of Node, and of what speaks to models. */
  versions: z.record(z.string(), z.string()),
  /** What a replay must be given besides the records; plain data without secrets. */
  options: z.record(z.string(), z.unknown()),
})
export type RunHeader = z.infer<typeof RunHeader>

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** One line of a run's log. Hashes name objects; `at` is milliseconds since the run began. */
export const RunEntry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), header: RunHeader }),
  z.object({
    type: z.literal('answer'),
    at: z.number(),
    key: hash,
    kind: z.enum(journalKinds),
    role: ModelRole.nullable(),
    address: z.string(),
    /** What was asked: an address on the network, or the name of the work. */
    target: z.string(),
    status: z.number(),
    durationMs: z.number(),
    /** Null when texts are not kept. */
    request: hash.nullable(),
    answer: hash.nullable(),
    bytes: z.number(),
    served: z.enum(['live', 'record']),
  }),
  z.object({ type: z.literal('note'), at: z.number(), note: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal('event'), at: z.number(), event: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.literal('end'),
    at: z.number(),
    /** The finished review. Null when texts are not kept. */
    review: hash.nullable(),
    /** What was read of the repository: the hash of the whole, and the objects that it is when they are joined. */
    reads: hash.nullable(),
    parts: z.array(hash),
    /** Secrets that stand in what was read, for this machine only; null when there are none. See `seal.ts`. */
    sealed: z.string().nullable(),
    findings: z.number(),
    usd: z.number(),
    unpricedCalls: z.number(),
    complete: z.boolean(),
  }),
])
export type RunEntry = z.infer<typeof RunEntry>

export type RunState = 'finished' | 'running' | 'killed'

export type RunSummary = {
  header: RunHeader
  state: RunState
  /** Of the last line that is whole. */
  durationMs: number
  findings: number | null
  calls: number
  usd: number | null
  unpricedCalls: number
  complete: boolean | null
  /** On disk, objects that are shared with other runs included. */
  bytes: number
  /** What is wrong with its record, in words; null when nothing is. */
  damage: string | null
}
