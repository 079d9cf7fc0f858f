/**
 * Where runs are kept: each with everything it took in, so that it can be replayed, resumed, shown and counted. A store
 * belongs to one tenant: nothing that is written through it is found by another one.
 */
import { z } from 'zod'
import { journalKinds } from '../../domain/journal.ts'
import { ModelRole } from '../../domain/model-call.ts'
import { Depth } from '../../domain/review.ts'

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
    /** Secrets that stand in what was read, for this machine only; null when there are none. See `secrets.ts`. */
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
  /** As stored, objects that are shared with other runs included. */
  bytes: number
  /** What is wrong with its record, in words; null when nothing is. */
  damage: string | null
}

/**
 * A backend for runs: files, or a bucket. Lines and objects are texts; what they mean is the business of the files beside this
 * one, and the same in every backend. The name of an object is the SHA-256 of its content, so that what is damaged on the way
 * is never taken for it. All methods reject with `UserError` (`run-store-unavailable`, `run-store-refused`) when the backend
 * itself cannot be used, and may be called while other processes use the same backend.
 */
export interface RunStore {
  /** For people: a folder, or `s3://bucket/prefix`. */
  readonly address: string
  /** On this machine, also when runs are elsewhere: the key that seals secrets never leaves it. */
  readonly keyFolder: string

  /** The format of the newest version that wrote here; null for a backend that is new, NaN when it cannot be told. */
  format(): Promise<number | null>
  /** Makes the backend ready for runs of `storeFormat`. */
  prepare(): Promise<void>

  /** Newest first, of all formats. */
  names(): Promise<string[]>
  /** A new run. Null when the name is taken: of two that want the same, one gets it. */
  create(run: string): Promise<RunWriter | null>
  /** What is there of a run, also while it is written or after its writer was killed. Null when there is none. */
  read(run: string): Promise<RunRecord | null>
  /** A whole run of elsewhere, or nothing of it. False when the name is taken: nothing changes then. */
  add(run: string, lines: readonly string[], objects: ReadonlyMap<string, string>): Promise<boolean>

  /** What was kept as an answer to `key`, newest first; what is damaged is left out. Imported answers are never among them. */
  answers(key: string): AsyncIterable<string>
  /** False while a process that may be running has the claim; what a dead one holds is taken over. Never rejects. */
  claim(key: string, run: string): Promise<boolean>
  /** Only what `run` claimed. Never rejects: a claim that cannot be removed ends with its process. */
  release(key: string, run: string): Promise<void>

  /** Removes runs last written `keepDays` days ago or earlier, and what only they needed; 0 spares only runs that are on. */
  sweep(keepDays: number, now: Date): Promise<Swept>
  /** When the last sweep was, in the words of `retention.ts`; empty when there was none. */
  lastSweep(): Promise<string>
  setLastSweep(mark: string): Promise<void>
  /** Of the newest run but `except`, when it was last written (milliseconds since 1970); null without one. */
  lastWritten(except: string): Promise<number | null>
}

/**
 * Writes one run. Calls need not wait for each other: lines are kept in the order of the calls, and no line is kept before
 * the objects that were put before it. After the first failure every call rejects.
 */
export interface RunWriter {
  /** Kept with the run, at the latest when a later line is. */
  put(name: string, content: string): Promise<void>
  /** The same, and found from then on by whoever asks for `key`. */
  putAnswer(key: string, name: string, content: string): Promise<void>
  /** What was put or found in this run; null for all else. */
  get(name: string): Promise<string | null>
  /** With `sync`, resolves when the line would survive a power cut; else it may wait for the next one that does. */
  append(line: string, options: { sync: boolean }): Promise<void>
  /** The run is over, whether or not it came to its end. What was appended is kept when it resolves. */
  close(): Promise<void>
}

export type RunRecord = {
  /** In order, and whole; a line that a kill cut off is left out. */
  lines: readonly string[]
  /** A process that may be running writes it. */
  isOpen: boolean
  /** Null when it is not there, or not what its name says. */
  object(name: string): Promise<string | null>
  /** What the run takes up with these objects, and how many of them are not there. */
  measure(names: ReadonlySet<string>): Promise<{ bytes: number; missing: number }>
}

export type Swept = { runs: number; objects: number; answers: number }

export const runName = /^\d{8}-\d{6}-[0-9a-f]{6}$/
