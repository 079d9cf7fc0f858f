/**
 * Tokens of a call: guessed from bytes before it, read from the provider's figures after it, which may be missing or absurd.
 * Exact counts of current models do not exist offline, and counting is slow on odd lines; a third of a token for a byte of
 * UTF-8 errs to the safe side, and real usage corrects it model by model.
 */
import type { TokenUsage } from '../../domain/model-call.ts'
import type { RawUsage } from '../wire/one-call.ts'

export type ReadUsage = {
  tokens: TokenUsage
  /** Of `cacheWrite`, what is kept for an hour. */
  cacheWriteHour: number
  /** False when the figures were missing or impossible: then `tokens` is zero or what was believable, and has no price. */
  isKnown: boolean
}

/** What a provider may add around a prompt, and a model may think beyond the limit. Tokens. */
const [addedInput, addedOutput] = [20_000, 100_000]

export function readUsage(
  raw: RawUsage | null,
  { bytes, maxOutputTokens }: { bytes: number; maxOutputTokens: number },
): ReadUsage {
  const input = count(raw?.inputTokens)
  const output = count(raw?.outputTokens)
  const cacheRead = Math.min(input ?? 0, count(raw?.inputTokenDetails.cacheReadTokens) ?? 0)
  const cacheWrite = Math.min((input ?? 0) - cacheRead, count(raw?.inputTokenDetails.cacheWriteTokens) ?? 0)
  const tokens: TokenUsage = {
    input: input ?? 0,
    cacheRead,
    cacheWrite,
    output: output ?? 0,
    reasoning: Math.min(output ?? 0, count(raw?.outputTokenDetails.reasoningTokens) ?? 0),
  }
  // No prompt has more tokens than bytes, and none has no token at all.
  const isKnown =
    input !== null &&
    output !== null &&
    input > 0 &&
    input <= bytes + addedInput &&
    output <= 4 * maxOutputTokens + addedOutput
  const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  return { tokens: isKnown ? tokens : none, cacheWriteHour: isKnown ? hourOf(raw, cacheWrite) : 0, isKnown }
}

/** The limit as it goes over the wire: some models get room for thinking on top of the answer. 0 when there is none. */
export function outputLimitIn(body: string): number {
  const named =
    /"(?:max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens|maxTokens)":(\d{1,9})/g
  // Inside of texts quotes are escaped, so only the SDK can have written this.
  return Math.max(0, ...[...body.matchAll(named)].map(([, digits]) => Number(digits)))
}

function count(value: number | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null
}

/** Only Anthropic reports it, and only in its own figures. */
function hourOf(raw: RawUsage | null, cacheWrite: number): number {
  const creation = raw?.raw?.cache_creation
  if (typeof creation !== 'object' || creation === null) return 0
  const hour = Reflect.get(creation, 'ephemeral_1h_input_tokens')
  return typeof hour === 'number' ? Math.min(cacheWrite, count(hour) ?? 0) : 0
}

const firstRatio = 1 / 3
/** How much of each new observation is believed. */
const weight = 0.3
/** No model has more tokens than bytes; texts below a tenth of a token a byte do not exist. */
const [lowest, highest] = [0.1, 1]
/** Shorter prompts are mostly what the provider adds around them. */
const fewestBytes = 200

export type Observation = { model: string; bytes: number; tokens: number }

export interface TokenEstimator {
  /** Tokens of so many bytes for this model, rounded up, as it is known by now. */
  estimate(model: string, bytes: number): number
  /** As it was known when the run began: the same however the calls of the run interleave. */
  estimateAtStart(model: string, bytes: number): number
  learn(observation: Observation): void
}

/** `seen`: what earlier runs took, oldest first, such as their recorded calls. */
export function createTokenEstimator(seen: readonly Observation[] = []): TokenEstimator {
  const now = new Map<string, number>()
  const learn = ({ model, bytes, tokens }: Observation): void => {
    if (bytes < fewestBytes || tokens <= 0) return
    const ratio = Math.min(highest, Math.max(lowest, tokens / bytes))
    const before = now.get(model) ?? firstRatio
    now.set(model, before + weight * (ratio - before))
  }
  for (const observation of seen) learn(observation)
  const start = new Map(now)
  const by = (ratios: ReadonlyMap<string, number>) => (model: string, bytes: number) =>
    Math.ceil(bytes * (ratios.get(model) ?? firstRatio))
  return { estimate: by(now), estimateAtStart: by(start), learn }
}
