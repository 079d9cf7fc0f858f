/** Reads the token counts of a provider, which may be missing or absurd. */
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
  // Inside of texts quotes are escaped, so that nobody but the SDK can have written this.
  return Math.max(0, ...[...body.matchAll(named)].map(([, digits]) => Number(digits)))
}

function count(value: number | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null
}

/** Only Anthropic tells, and only in its own figures. */
function hourOf(raw: RawUsage | null, cacheWrite: number): number {
  const creation = raw?.raw?.cache_creation
  if (typeof creation !== 'object' || creation === null) return 0
  const hour = Reflect.get(creation, 'ephemeral_1h_input_tokens')
  return typeof hour === 'number' ? Math.min(cacheWrite, count(hour) ?? 0) : 0
}
