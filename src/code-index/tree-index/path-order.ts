/** The order git has paths in: by their UTF-8 bytes, which is not the order of UTF-16 units beyond the basic plane. */

export function comparePaths(one: string, two: string): number {
  const end = Math.min(one.length, two.length)
  for (let at = 0; at < end; at++) {
    const a = one.charCodeAt(at)
    const b = two.charCodeAt(at)
    if (a !== b) return byteRank(a) - byteRank(b)
  }
  return one.length - two.length
}

/** Surrogates stand for what comes behind all other units. */
function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
