/** Counts and sums of money in words. */

/** `3 files`, `1 file`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}

/** `$0.0312`, `less than $0.0001`; null is `price unknown`, never nothing. */
export function usdWords(usd: number | null): string {
  if (usd === null) return 'price unknown'
  if (usd === 0) return '$0'
  return usd < 0.0001 ? 'less than $0.0001' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}

/** `a`, `a and b`, `a, b and c`. */
export function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
