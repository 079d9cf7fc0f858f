/** Finds renamed and moved symbols by their content, and small ones by their position, across all files of the change. */
import { remembered } from '../../../base/remembered.ts'
import { familyOf, hasBody, type Matching, type SideSymbol } from './matching.ts'

/** Within one file, or with the same name; elsewhere, code that merely looks alike must not match. */
const enoughNearby = 0.6
const enoughElsewhere = 0.8

/** Names so common that they prove nothing. */
const commonName = /^(?:default|main|init|new|run|setup|constructor|__\w+__)$/

const enoughLines = 3
const enoughTokens = 15

/** Look-ups of trigrams in one review; symbols left after that are reported as removed and added. */
const mostWork = 20_000_000
/** What keeping a score costs, in look-ups. */
const costOfScore = 20

/** Moved to another file: name, signature and body unchanged, and unique on each side. */
export function matchUnchanged(matching: Matching): void {
  const keyOf = (side: SideSymbol) =>
    `${side.language}\0${side.symbol.kind}\0${side.symbol.name}\0${side.symbol.signatureHash}\0${side.symbol.bodyHash}`
  const topLevel = (sides: Iterable<SideSymbol>) => [...sides].filter(({ parent }) => parent === null)
  takeUnique(matching, topLevel(matching.removed), topLevel(matching.added), keyOf)
}

/** The same body under another name or elsewhere, if only one symbol on each side has it. */
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
  const shape = (side: SideSymbol): Shape =>
    remembered(shapes, side, () => shapeOf(side.text, side.symbol.name))
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
  // Methods of unrelated classes often have the same name and look alike.
  if (!matching.arePartners(before.parent, after.parent)) return enoughElsewhere
  if (before.file === after.file) return enoughNearby
  const { name } = before.symbol
  return name === after.symbol.name && !commonName.test(name) ? enoughNearby : enoughElsewhere
}

/** Symbols with enough of a body to be recognised by it: one-line bodies are alike by chance. */
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

/**
 * Small renamed symbols (constants, fields, enumerators, one-line functions): the same parent, the same neighbours, and the
 * same text but for the name.
 */
export function matchPlaces(matching: Matching): void {
  const isInPosition = (before: SideSymbol, after: SideSymbol): boolean =>
    before.file === after.file &&
    before.symbol.kind === after.symbol.kind &&
    matching.arePartners(before.parent, after.parent) &&
    matching.arePartners(before.previous, after.previous) &&
    matching.arePartners(before.next, after.next)
  // Whatever is in position follows the same symbol, or is the first in the same one: few candidates in a long file.
  const anchorOf = ({ previous, parent }: SideSymbol): SideSymbol | null => previous ?? parent
  const byAnchor = Map.groupBy(matching.added, anchorOf)
  for (const before of [...matching.removed]) {
    const anchor = anchorOf(before)
    const partner = anchor && matching.partnerOf(anchor)
    if (anchor && !partner) continue
    const after = byAnchor
      .get(partner)
      ?.find((side) => matching.added.has(side) && isInPosition(before, side))
    if (after && isSameText(before, after)) matching.take(before, after, 1)
  }
}

function isSameText(before: SideSymbol, after: SideSymbol): boolean {
  const [a, b] = [before, after].map(({ text, symbol }) => maskedTokens(text, symbol.name).join(' '))
  return a === b && a !== ''
}

const token = /[\p{L}_$][\p{L}\p{N}_$]*|\d+|[^\s\p{L}\p{N}_$]/gu

/** Definitions longer than this are compared by their beginning. */
const tokenLimit = 4_000
const textLimit = 40_000

type Shape = { trigrams: ReadonlyMap<string, number>; total: number }

/** The tokens of a text, with `name` masked so that a rename does not count as a difference. */
export function maskedTokens(text: string, name: string): string[] {
  const tokens = text.slice(0, textLimit).match(token) ?? []
  return tokens.slice(0, tokenLimit).map((word) => (word === name ? '·' : word))
}

/** The token trigrams of a text with their counts. */
export function shapeOf(text: string, name: string): Shape {
  const tokens = maskedTokens(text, name)
  const trigrams = new Map<string, number>()
  for (let i = 0; i + 2 < tokens.length; i++) {
    const trigram = `${tokens[i]} ${tokens[i + 1]} ${tokens[i + 2]}`
    trigrams.set(trigram, (trigrams.get(trigram) ?? 0) + 1)
  }
  return { trigrams, total: Math.max(0, tokens.length - 2) }
}

/** Dice coefficient, 0 to 1; 0 when either is too short to have a trigram. */
export function similarity(a: Shape, b: Shape): number {
  const total = a.total + b.total
  if (total === 0) return 0
  let common = 0
  const [small, large] = a.trigrams.size <= b.trigrams.size ? [a, b] : [b, a]
  for (const [trigram, times] of small.trigrams) common += Math.min(times, large.trigrams.get(trigram) ?? 0)
  return (2 * common) / total
}

/** False when their lengths alone rule out a similarity above `enough`. */
function couldBeAlike(a: Shape, b: Shape, enough: number): boolean {
  return 2 * Math.min(a.total, b.total) > enough * (a.total + b.total)
}
