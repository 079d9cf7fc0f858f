/** Finds small renamed symbols by their place: constants, fields, enumerators, one-line functions. */
import type { Matching } from './matching.ts'
import type { SideSymbol } from './side.ts'
import { maskedTokens } from './similarity.ts'

/** The same parent, the same neighbours, and the same text but for the name. */
export function matchPlaces(matching: Matching): void {
  const standsAlike = (before: SideSymbol, after: SideSymbol): boolean =>
    before.file === after.file &&
    before.symbol.kind === after.symbol.kind &&
    matching.arePartners(before.parent, after.parent) &&
    matching.arePartners(before.previous, after.previous) &&
    matching.arePartners(before.next, after.next)
  const byFile = Map.groupBy(matching.added, ({ file }) => file)
  for (const before of [...matching.removed]) {
    const after = byFile
      .get(before.file)
      ?.find((side) => matching.added.has(side) && standsAlike(before, side))
    if (after && sayTheSame(before, after)) matching.take(before, after, 1)
  }
}

function sayTheSame(before: SideSymbol, after: SideSymbol): boolean {
  const [a, b] = [before, after].map(({ text, symbol }) => maskedTokens(text, symbol.name).join(' '))
  return a === b && a !== ''
}
