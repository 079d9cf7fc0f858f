/** Tokens and bytes, where no model has counted yet: three bytes make a token, which errs to the safe side. */

const bytesPerToken = 3

export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

export function bytesOfTokens(tokens: number): number {
  return tokens * bytesPerToken
}
