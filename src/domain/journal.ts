/**
 * The record of everything that crosses the border of determinism in one run. Whoever talks to the outside (a model, an
 * embedder, a reranker, a host) asks the journal first and tells it the answer before using it, so that a run can be
 * replayed, resumed after a kill, and scored again without paying.
 */
import { z } from 'zod'
import { ModelRole } from './model-call.ts'

export const JournalRequest = z.object({
  kind: z.enum(['model', 'embedding', 'rerank', 'fetch']),
  /** Null for what no model plays a part in. */
  role: ModelRole.nullable(),
  /** Where in the run; for people and for `--swap`. No part of the key. */
  address: z.string(),
  method: z.string(),
  /** Without credentials: they travel in headers, which are never kept. */
  url: z.string(),
  /** The wire body as canonical JSON, already without secrets. */
  body: z.string(),
  /** 0, unless the same question is asked again on purpose to get another answer. */
  sample: z.number().int().nonnegative(),
})
export type JournalRequest = z.infer<typeof JournalRequest>

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
   * The recorded answer to exactly this request (its key is the SHA-256 of kind, method, URL, body and sample), or null.
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
