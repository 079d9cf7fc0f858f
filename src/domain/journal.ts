/**
 * The record of everything that crosses the border of determinism in one run. Whoever talks to the outside (a model, an
 * embedder, a reranker, a host), works on the repository, or reads the clock asks the journal first and tells it the
 * answer before using it, so that a run can be replayed, resumed after a kill, and scored again without paying.
 */
import { z } from 'zod'
import { ModelRole } from './model-call.ts'

/** Where in the run; for people and for `--swap`. Never part of the key. */
const asked = { address: z.string() }

/** One HTTP exchange. */
const wire = {
  ...asked,
  method: z.string(),
  /** Without credentials: they travel in headers, which are never kept. */
  url: z.string(),
  /** The wire body as canonical JSON, already without secrets. */
  body: z.string(),
}

const service = {
  ...wire,
  /** `failed`: the record that every try failed. It has a key of its own, so that the next run asks again. */
  outcome: z.enum(['answered', 'failed']),
}

/** Plain JSON: everything that the answer depends on. */
const input = z.unknown()

export const JournalRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('model'),
    role: ModelRole,
    ...service,
    /** 0, unless the same question is asked again on purpose to get another answer. */
    sample: z.number().int().nonnegative(),
  }),
  z.object({ kind: z.literal('embedding'), role: z.literal('embedder'), ...service }),
  z.object({ kind: z.literal('rerank'), role: z.literal('reranker'), ...service }),
  z.object({ kind: z.literal('host-fetch'), ...wire }),
  /** Work of ours on the repository: a tool of an agent, the graph retrieval, a question to a language server. */
  z.object({ kind: z.literal('tool'), ...asked, tool: z.string(), input }),
  /** What only the moment decided: how much time had passed, which part ran out of it. */
  z.object({ kind: z.literal('clock'), ...asked, clock: z.string(), input }),
  /** A value drawn at random. */
  z.object({ kind: z.literal('random'), ...asked, purpose: z.string(), input }),
])
export type JournalRequest = z.infer<typeof JournalRequest>

export type JournalKind = JournalRequest['kind']
export const journalKinds = JournalRequest.options.map((option) => option.shape.kind.value)

/** What makes two requests the same: everything but where in a run they come up and which role asks. */
export function questionIn({ address: _, ...request }: JournalRequest): object {
  return 'role' in request ? { ...request, role: null } : request
}

/** Null for what no model plays a part in. */
export function roleIn(request: JournalRequest): ModelRole | null {
  return 'role' in request ? request.role : null
}

/** What was asked, in a word: an address on the network, or the name of the work. */
export function targetOf(request: JournalRequest): string {
  switch (request.kind) {
    case 'tool':
      return request.tool
    case 'clock':
      return request.clock
    case 'random':
      return request.purpose
    default:
      return request.url
  }
}

/** Whether the answer came from our own work; all others come over the network. */
export function isOwnWork({ kind }: Pick<JournalRequest, 'kind'>): boolean {
  return kind === 'tool' || kind === 'clock' || kind === 'random'
}

/** Whether it is a call that costs money. */
export function asksModel({ kind }: Pick<JournalRequest, 'kind'>): boolean {
  return kind === 'model' || kind === 'embedding' || kind === 'rerank'
}

export const JournalAnswer = z.object({
  status: z.number().int(),
  /** Only those that matter for reading the body (`content-type`) or for the account. */
  headers: z.record(z.string(), z.string()),
  /** The raw body, e.g. all server-sent events, without secrets. */
  body: z.string(),
  durationMs: z.number().nonnegative(),
})
export type JournalAnswer = z.infer<typeof JournalAnswer>

/** What the trace of a run tells besides requests and answers: a repair, a retry, a tool call, a follow-up. */
export const JournalNote = z.object({
  type: z.string(),
  address: z.string(),
  /** Plain JSON, without secrets. */
  detail: z.record(z.string(), z.unknown()),
})
export type JournalNote = z.infer<typeof JournalNote>

/** Somebody who goes on to ask when nothing is on record. */
export type Asker = {
  /** Milliseconds that another run's asking of the same is waited for; then it is asked twice. */
  patienceMs: number
  /** Ends the wait by rejecting with its reason. */
  signal?: AbortSignal
}

export interface Journal {
  /**
   * The recorded answer to exactly this request (see `questionIn`), or null.
   * While a run is replayed, what is not recorded is refused by a throw instead: nothing may go out.
   *
   * With an `asker`, null also means that it is the caller's to ask: other runs wait until it calls `record` or
   * `release`. While another run is asking the same, this waits for its answer.
   */
  find(request: JournalRequest, asker?: Asker): Promise<JournalAnswer | null>
  /** No answer will come: whoever waits may ask. Without meaning when nothing was claimed. */
  release?(request: JournalRequest): void
  /** Resolves when the answer is safe on disk. Never rejects for a full disk: the run goes on and says so. */
  record(request: JournalRequest, answer: JournalAnswer): Promise<void>
  /** Appends to the trace, in order; need not be on disk when it returns. */
  note(note: JournalNote): void
}
