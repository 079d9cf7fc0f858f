/** Room for several that want some of it: small wishes are met, and what they leave is divided evenly among the larger ones. */

/** In the order of the wishes, together no more than the room. */
export function fairShares(wishes: readonly number[], room: number): number[] {
  const shares = wishes.map(() => 0)
  let left = room
  const smallestFirst = [...wishes.keys()].sort((a, b) => (wishes[a] ?? 0) - (wishes[b] ?? 0))
  for (const [done, at] of smallestFirst.entries()) {
    const share = Math.min(wishes[at] ?? 0, Math.floor(left / (wishes.length - done)))
    shares[at] = share
    left -= share
  }
  return shares
}
