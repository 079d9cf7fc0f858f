/** Searches in ascending numbers. */

/** How many of the ascending values are not above `value`. */
export function upperBound(values: Int32Array | Uint32Array | readonly number[], value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}
