/**
 * Matches the symbols of both sides: by name within a file, then what is left over by container, content and place.
 * Source of the thresholds: prototypes on 2,682 real file changes; docs/quality/diff.md has what they find.
 */
import { matchBodies, matchSimilar, matchUnchanged } from './match-content.ts'
import { followContainers, matchNames } from './match-names.ts'
import { matchPlaces } from './match-place.ts'
import { Matching } from './matching.ts'
import { type FileSide, readSides, type SymbolDiffInput } from './read-sides.ts'
import type { SideSymbol } from './side.ts'

/** Characters of leftover symbols kept for comparing; those beyond are known by name and hash only. */
const mostText = 48 * 1024 * 1024

export async function matchSymbols(input: SymbolDiffInput): Promise<Matching> {
  const matching = new Matching()
  const hidden = new Set<SideSymbol>()
  let room = mostText
  for await (const { before, after } of readSides(input)) {
    for (const side of before.symbols) matching.removed.add(side)
    for (const side of after.symbols) matching.added.add(side)
    matchNames(matching, before.symbols, after.symbols)
    for (const side of unseen(before, after, matching.removed)) hidden.add(side)
    for (const side of unseen(after, before, matching.added)) hidden.add(side)
    room = keepTexts(before, matching.removed, room)
    room = keepTexts(after, matching.added, room)
  }
  matchLeftovers(matching)
  for (const side of hidden) matching.removed.delete(side)
  for (const side of hidden) matching.added.delete(side)
  return matching
}

/** Containers before what they contain, so that members of a renamed class follow it. */
function matchLeftovers(matching: Matching): void {
  matchUnchanged(matching)
  const deepest = [...matching.removed].reduce((depth, side) => Math.max(depth, side.depth), 0)
  let work: number | undefined
  for (let depth = 0; depth <= deepest; depth++) {
    followContainers(matching, depth)
    matchBodies(matching, depth)
    work = matchSimilar(matching, depth, work)
  }
  // What moved into a container or out of one.
  matchBodies(matching, null)
  matchSimilar(matching, null, work)
  for (let depth = 1; depth <= deepest; depth++) followContainers(matching, depth)
  matchPlaces(matching)
}

/** Left over, but named in lines of the other side that could not be parsed: it may well be there. */
function unseen(own: FileSide, other: FileSide, leftover: ReadonlySet<SideSymbol>): SideSymbol[] {
  return own.symbols.filter((side) => leftover.has(side) && other.mayHide(side.symbol.name))
}

function keepTexts(own: FileSide, leftover: ReadonlySet<SideSymbol>, room: number): number {
  let left = room
  for (const side of own.symbols) {
    if (!leftover.has(side)) continue
    const text = own.textOf(side)
    if (text.length > left) continue
    left -= text.length
    side.text = text
  }
  return left
}
