/** What the files of the gateway share while a run goes: journal, money, clock, and who is told. */
import type { Journal } from '../domain/journal.ts'
import type { ModelCall } from '../domain/model-call.ts'
import type { CallPrice } from './call-record.ts'
import type { Budget } from './money/budget.ts'
import type { TokenEstimator } from './money/estimate-tokens.ts'
import type { ReadUsage } from './money/usage.ts'
import type { OpenedModel } from './opened-model.ts'
import type { Provider } from './providers/contract.ts'
import type { Fault } from './wire/fault.ts'
import type { WireTimeouts } from './wire/post.ts'
import type { SecretFilter } from './wire/secrets.ts'

export type GatewayParts = {
  journal: Journal
  secrets: SecretFilter
  budget: Budget
  estimator: TokenEstimator
  /** The most that all waits before one answer may take together. Milliseconds. */
  patienceMs: number
  timeoutsOf(provider: Provider): WireTimeouts
  send: typeof fetch
  /** From 0 to 1. */
  random: () => number
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Reserves the most that it may cost, or says why it must not be sent. */
  admit(model: OpenedModel, bytes: number, maxOutputTokens: number): Fault | { usd: number }
  priceOf(model: OpenedModel, usage: ReadUsage, raw: Readonly<Record<string, unknown>>): CallPrice
  note(type: string, address: string, detail: Record<string, unknown>): void
  tellRetry(retry: { address: string; model: string; reason: string; waitMs: number }): void
  /** Every exchange of the run, in the order in which their answers were read. */
  tellCall(call: ModelCall): void
}
