/** Cuts texts to what a model takes, and a list of them into calls. */
import type { EmbedderLimits } from './contract.ts'

/** Code has about three bytes of UTF-8 to a token; a little more than that is not a fault (see `embedAll`). */
const bytesPerToken = 3

export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** The beginning that has at most so many tokens by the estimate; never half a character. */
export function cutToTokens(text: string, tokens: number): string {
  const bytes = Buffer.from(text)
  let end = Math.floor(tokens) * bytesPerToken
  if (bytes.length <= end) return text
  // The bytes of a character after its first one begin with the bits 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** First and last (not included) place of each call, in order. A text alone may be larger than the limit of a call. */
export function planBatches(
  tokens: readonly number[],
  { inputs, tokens: most }: Pick<EmbedderLimits, 'inputs' | 'tokens'>,
): { from: number; to: number }[] {
  const batches: { from: number; to: number }[] = []
  let from = 0
  let sum = 0
  for (const [at, count] of tokens.entries()) {
    if (at > from && (at - from >= inputs || sum + count > most)) {
      batches.push({ from, to: at })
      from = at
      sum = 0
    }
    sum += count
  }
  if (from < tokens.length) batches.push({ from, to: tokens.length })
  return batches
}
