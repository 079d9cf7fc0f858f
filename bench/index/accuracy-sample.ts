/** Picks that two runs make alike. */

/** At most `most`, evenly from the first to the last. */
export function everyNth<Item>(all: readonly Item[], most: number): Item[] {
  const step = Math.max(1, all.length / Math.max(1, most))
  return Array.from({ length: Math.min(all.length, most) }, (_, at) => all[Math.floor(at * step)]).flatMap(
    (one) => (one === undefined ? [] : [one]),
  )
}

/** `0.987`; `–` for a share of nothing. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : (Math.floor((part / whole) * 1000) / 1000).toFixed(3)
}

export function countUp(counts: Map<string, number>, key: string, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
