/**
 * Pairs the symbols of the base with those of the head: first by name, then what is left over by content.
 * Source of the thresholds: prototypes on 2,682 real file changes; see docs/how-it-works.md.
 */
import { qualifiedName, type SideSymbol } from './side.ts'
import { type Shape, shapeOf, similarity } from './similarity.ts'

export type Pair = { before: SideSymbol; after: SideSymbol; similarity: number | null }
export type Pairing = { pairs: Pair[]; removed: SideSymbol[]; added: SideSymbol[] }

const enoughAlike = 0.6
const enoughTokens = 15
/** Leftovers of one kind beyond this are not compared with each other: the cost is a product. */
const comparisonLimit = 400

export function pairSymbols(before: readonly SideSymbol[], after: readonly SideSymbol[]): Pairing {
  const left = new Set(before)
  const right = new Set(after)
  const pairs: Pair[] = []
  const take = (a: SideSymbol, b: SideSymbol, alike: number | null) => {
    left.delete(a)
    right.delete(b)
    pairs.push({ before: a, after: b, similarity: alike })
  }
  // Overloads share a name: those with an unchanged signature go first, the others in their order.
  pairByKey(left, right, (s) => `${s.path}\0${nameKey(s)}\0${s.symbol.signatureHash}`, take)
  pairByKey(left, right, (s) => `${s.path}\0${nameKey(s)}`, take)
  // The kind may change with the name kept: a function that becomes an arrow function, an interface a type.
  pairByKey(left, right, (s) => `${s.path}\0${qualifiedName(s)}`, take)
  pairByBody(left, right, take)
  pairBySimilarity(left, right, take)
  return { pairs, removed: [...left], added: [...right] }
}

function nameKey(side: SideSymbol): string {
  return `${side.symbol.kind}\0${qualifiedName(side)}`
}

type Take = (before: SideSymbol, after: SideSymbol, alike: number | null) => void

function pairByKey(
  left: Set<SideSymbol>,
  right: Set<SideSymbol>,
  keyOf: (s: SideSymbol) => string,
  take: Take,
): void {
  const waiting = Map.groupBy(right, keyOf)
  for (const before of [...left]) {
    const after = waiting.get(keyOf(before))?.shift()
    if (after) take(before, after, null)
  }
}

/** The same body under another name or in another place. A body shared by several on one side proves nothing. */
function pairByBody(left: Set<SideSymbol>, right: Set<SideSymbol>, take: Take): void {
  const keyOf = (side: SideSymbol) => `${side.language}\0${side.symbol.kind}\0${side.symbol.bodyHash}`
  const newOnes = Map.groupBy(right, keyOf)
  for (const [key, oldOnes] of Map.groupBy([...left].filter(hasSubstance), keyOf)) {
    const candidates = (newOnes.get(key) ?? []).filter(hasSubstance)
    const named = oldOnes.flatMap((before) => {
      const after = candidates.find(({ symbol }) => symbol.name === before.symbol.name)
      return after ? [{ before, after }] : []
    })
    const [before] = oldOnes
    const [after] = candidates
    if (oldOnes.length === 1 && candidates.length === 1 && before && after) take(before, after, 1)
    else for (const pair of named) if (right.has(pair.after)) take(pair.before, pair.after, 1)
  }
}

function pairBySimilarity(left: Set<SideSymbol>, right: Set<SideSymbol>, take: Take): void {
  const shapes = new Map<SideSymbol, Shape>()
  const shape = (side: SideSymbol): Shape => {
    const known = shapes.get(side) ?? shapeOf(side.text, side.symbol.name)
    shapes.set(side, known)
    return known
  }
  const kindOf = (side: SideSymbol) => `${side.language}\0${side.symbol.kind}`
  const newOnes = Map.groupBy([...right].filter(hasSubstance), kindOf)
  const scored: { before: SideSymbol; after: SideSymbol; score: number }[] = []
  for (const before of [...left].filter(hasSubstance).slice(0, comparisonLimit))
    for (const after of (newOnes.get(kindOf(before)) ?? []).slice(0, comparisonLimit)) {
      const score = similarity(shape(before), shape(after))
      if (score > enoughAlike) scored.push({ before, after, score })
    }
  // Best first; on a tie the order of the files decides, so the result does not depend on anything else.
  scored.sort((a, b) => b.score - a.score)
  for (const { before, after, score } of scored)
    if (left.has(before) && right.has(after)) take(before, after, score)
}

/** A one-line body is alike to many others by chance. */
function hasSubstance({ symbol, text }: SideSymbol): boolean {
  return symbol.endLine - symbol.startLine >= 2 || (text.match(/\w+|[^\s\w]/g)?.length ?? 0) >= enoughTokens
}
