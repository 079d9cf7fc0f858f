/** How figures are spread: the one in the middle, and the one that all but a twentieth stay below. */
export type Spread = { median: number; p95: number; most: number }

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = [...figures].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  return { median: at(0.5), p95: at(0.95), most: at(1) }
}
