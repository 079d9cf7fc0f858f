/** Finds renamed and moved symbols by what is in them, across all files of the change. */
import type { Matching } from './matching.ts'
import { familyOf, hasBody, type SideSymbol } from './side.ts'
import { couldBeAlike, maskedTokens, type Shape, shapeOf, similarity } from './similarity.ts'

/** In one place, or with the name as a witness; anywhere else code that merely looks alike must not pass. */
const enoughWithWitness = 0.6
const enoughElsewhere = 0.8

/** Names that so many things bear that they say nothing. */
const commonName = /^(?:default|main|init|new|run|setup|constructor|__\w+__)$/

const enoughLines = 3
const enoughTokens = 15

/** Look-ups of trigrams in one review; a change that needs more has its last leftovers reported as removed and added. */
const mostWork = 20_000_000
/** What keeping a score costs, in look-ups. */
const costOfScore = 20

/** Name, signature and body unchanged, and the only one of that name on each side: it went to another file. */
export function matchUnchanged(matching: Matching): void {
  const keyOf = (side: SideSymbol) =>
    `${side.language}\0${side.symbol.kind}\0${side.symbol.name}\0${side.symbol.signatureHash}\0${side.symbol.bodyHash}`
  const topLevel = (sides: Iterable<SideSymbol>) => [...sides].filter(({ parent }) => parent === null)
  takeUnique(matching, topLevel(matching.removed), topLevel(matching.added), keyOf)
}

/** The same body under another name or elsewhere. A body shared by several on one side proves nothing. */
export function matchBodies(matching: Matching, depth: number | null): void {
  const [removed, added] = leftovers(matching, depth)
  const keyOf = (side: SideSymbol) => `${familyOf(side)}\0${side.symbol.bodyHash}`
  takeUnique(matching, removed, added, (side) => `${keyOf(side)}\0${side.symbol.name}`)
  takeUnique(
    matching,
    removed.filter((side) => matching.removed.has(side)),
    added.filter((side) => matching.added.has(side)),
    keyOf,
  )
}

/** The most alike first. On a tie the order of files and lines decides. Returns the work that is left. */
export function matchSimilar(matching: Matching, depth: number | null, work = mostWork): number {
  const [removed, added] = leftovers(matching, depth)
  const shapes = new Map<SideSymbol, Shape>()
  const shape = (side: SideSymbol): Shape => {
    const known = shapes.get(side) ?? shapeOf(side.text, side.symbol.name)
    shapes.set(side, known)
    return known
  }
  const newOnes = Map.groupBy(added, familyOf)
  const scored: { before: SideSymbol; after: SideSymbol; score: number }[] = []
  let left = work
  for (const before of removed) {
    for (const after of newOnes.get(familyOf(before)) ?? []) {
      if (left <= 0) break
      const enough = threshold(matching, before, after)
      const [a, b] = [shape(before), shape(after)]
      left--
      if (!couldBeAlike(a, b, enough)) continue
      left -= costOfScore + Math.min(a.trigrams.size, b.trigrams.size)
      const score = similarity(a, b)
      if (score > enough) scored.push({ before, after, score })
    }
  }
  scored.sort((a, b) => b.score - a.score)
  for (const { before, after, score } of scored)
    if (matching.removed.has(before) && matching.added.has(after)) matching.take(before, after, score)
  return Math.max(0, left)
}

function threshold(matching: Matching, before: SideSymbol, after: SideSymbol): number {
  // Methods of unrelated classes are called alike, and look alike.
  if (!matching.arePartners(before.parent, after.parent)) return enoughElsewhere
  if (before.file === after.file) return enoughWithWitness
  const { name } = before.symbol
  return name === after.symbol.name && !commonName.test(name) ? enoughWithWitness : enoughElsewhere
}

/** What has enough of a body to be known by it: a one-line body is alike to many others by chance. */
function leftovers(matching: Matching, depth: number | null): [SideSymbol[], SideSymbol[]] {
  const some = (sides: Iterable<SideSymbol>) =>
    [...sides].filter((side) => (depth === null || side.depth === depth) && hasSubstance(side))
  return [some(matching.removed), some(matching.added)]
}

function hasSubstance(side: SideSymbol): boolean {
  const { startLine, endLine, signature } = side.symbol
  if (!hasBody(side) || side.text === '') return false
  if (endLine - startLine + 1 >= enoughLines) return true
  return maskedTokens(side.text, '').length - maskedTokens(signature.text, '').length >= enoughTokens
}

function takeUnique(
  matching: Matching,
  removed: readonly SideSymbol[],
  added: readonly SideSymbol[],
  keyOf: (side: SideSymbol) => string,
): void {
  const newOnes = Map.groupBy(added, keyOf)
  for (const [key, oldOnes] of Map.groupBy(removed, keyOf)) {
    const candidates = newOnes.get(key) ?? []
    const [before, after] = [oldOnes[0], candidates[0]]
    if (oldOnes.length === 1 && candidates.length === 1 && before && after) matching.take(before, after, 1)
  }
}
