/** Sums of money in words. An unknown price is said to be unknown, and is never nothing. */

/** `$0.0312`, `less than $0.0001`, `price unknown`. */
export function usdWords(usd: number | null): string {
  if (usd === null) return 'price unknown'
  if (usd === 0) return '$0'
  return usd < 0.0001 ? 'less than $0.0001' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}
