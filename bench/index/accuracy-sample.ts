/** Picks that two runs make alike. */

/** At most `most`, evenly from the first to the last. */
export function everyNth<Item>(all: readonly Item[], most: number): Item[] {
  const step = Math.max(1, all.length / Math.max(1, most))
  return Array.from({ length: Math.min(all.length, most) }, (_, at) => all[Math.floor(at * step)]).flatMap(
    (one) => (one === undefined ? [] : [one]),
  )
}
