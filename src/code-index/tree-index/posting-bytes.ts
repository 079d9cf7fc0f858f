/** Postings as bytes: the step from the unit before, shifted by two, and the flags, seven bits to a byte. */

/** `postings`: unit, shifted by two, and the flags; ascending. */
export function appendPostings(bytes: number[], postings: Uint32Array): void {
  let before = 0
  for (const posting of postings) {
    const unit = posting >>> 2
    let left = (unit - before) * 4 + (posting & 3)
    before = unit
    for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left & 0x7f) | 0x80)
    bytes.push(left)
  }
}

export function readPostings(bytes: Uint8Array, start: number, end: number): Uint32Array {
  const found = new Uint32Array(end - start)
  let count = 0
  let unit = 0
  for (let at = start; at < end; at++) {
    let number = (bytes[at] ?? 0) & 0x7f
    for (let scale = 0x80; (bytes[at] ?? 0) >= 0x80; scale *= 0x80)
      number += ((bytes[++at] ?? 0) & 0x7f) * scale
    unit += number >>> 2
    found[count++] = unit * 4 + (number & 3)
  }
  return found.subarray(0, count)
}
