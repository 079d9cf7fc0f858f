/**
 * The syntactic diff: what happened to every symbol in the changed files. Symbols of both sides are matched by name within
 * a file, the rest by container, content and position; then every pair is compared. The thresholds come from prototypes on
 * 2,682 real file changes; docs/quality/diff.md reports what they find.
 */
import type {
  CodeSymbol,
  Parameter,
  SignatureDelta,
  SymbolChange,
  SymbolChangeKind,
} from '../../domain/code-symbol.ts'
import { matchBodies, matchPlaces, matchSimilar, matchUnchanged } from './symbols/match-content.ts'
import { followContainers, matchNames } from './symbols/match-names.ts'
import { Matching, type Pair, type SideSymbol } from './symbols/matching.ts'
import { type FileSide, readSides, type SymbolDiffInput } from './symbols/read-sides.ts'

/**
 * Files that are not source or test code, or whose language has no table, yield nothing; nor do files of which one
 * side cannot be parsed. In order of path and line at the head (at the base for what is gone).
 */
export async function diffSymbols(input: SymbolDiffInput): Promise<SymbolChange[]> {
  const matching = await matchSymbols(input)
  const changes = [
    ...matching.pairs.flatMap((pair) => pairedChange(pair, matching) ?? []),
    ...[...matching.removed].map((side) => describe('removed', side, null)),
    ...[...matching.added].map((side) => describe('added', null, side)),
  ]
  return withoutContainers(changes.filter((change) => !isOpenedAgain(change))).sort(byLocation)
}

/** Characters of unmatched symbols kept for comparison; symbols beyond that are compared by name and hash only. */
const mostText = 48 * 1024 * 1024

async function matchSymbols(input: SymbolDiffInput): Promise<Matching> {
  const matching = new Matching()
  const hidden = new Set<SideSymbol>()
  let room = mostText
  for await (const { before, after } of readSides(input)) {
    for (const side of before.symbols) matching.removed.add(side)
    for (const side of after.symbols) matching.added.add(side)
    matchNames(matching, before.symbols, after.symbols)
    for (const side of mayBeHidden(before, after, matching.removed)) hidden.add(side)
    for (const side of mayBeHidden(after, before, matching.added)) hidden.add(side)
    dropOrphans(matching, hidden, before, after)
    room = keepTexts(before, matching.removed, room)
    room = keepTexts(after, matching.added, room)
  }
  matchLeftovers(matching)
  for (const side of hidden) matching.removed.delete(side)
  for (const side of hidden) matching.added.delete(side)
  return matching
}

/** Containers before their members, so that the members of a renamed class follow it. */
function matchLeftovers(matching: Matching): void {
  matchUnchanged(matching)
  const deepest = [...matching.removed].reduce((depth, side) => Math.max(depth, side.depth), 0)
  let work: number | undefined
  for (let depth = 0; depth <= deepest; depth++) {
    followContainers(matching, depth)
    matchBodies(matching, depth)
    work = matchSimilar(matching, depth, work)
  }
  // Symbols that moved into a container or out of one.
  matchBodies(matching, null)
  matchSimilar(matching, null, work)
  for (let depth = 1; depth <= deepest; depth++) followContainers(matching, depth)
  matchPlaces(matching)
}

/** Unmatched symbols whose name occurs in unparsed lines of the other side, where they may well be defined. */
function mayBeHidden(own: FileSide, other: FileSide, leftover: ReadonlySet<SideSymbol>): SideSymbol[] {
  return own.symbols.filter((side) => leftover.has(side) && other.mayHide(side.symbol.name))
}

/**
 * Where the head of a class could not be parsed, its members stand outside of it on that side. They are no other symbols
 * than before, and were not removed or moved.
 */
function dropOrphans(
  matching: Matching,
  hidden: ReadonlySet<SideSymbol>,
  before: FileSide,
  after: FileSide,
): void {
  for (const [own, lost, other, found] of [
    [before, matching.removed, after, matching.added],
    [after, matching.added, before, matching.removed],
  ] as const) {
    const members = own.symbols.filter((side) => lost.has(side) && isInside(side, hidden))
    const orphans = Map.groupBy(
      other.symbols.filter((side) => found.has(side)),
      ({ symbol }) => symbol.name,
    )
    for (const side of members) {
      const same = orphans.get(side.symbol.name)
      if (same === undefined) continue
      lost.delete(side)
      for (const orphan of same) found.delete(orphan)
    }
  }
}

function isInside({ parent }: SideSymbol, containers: ReadonlySet<SideSymbol>): boolean {
  return parent !== null && (containers.has(parent) || isInside(parent, containers))
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

/** Null when nothing about the symbol itself changed. */
function pairedChange({ before, after, similarity }: Pair, matching: Matching): SymbolChange | null {
  const delta = signatureDelta(before.symbol, after.symbol)
  const bodyChanged = before.symbol.bodyHash !== after.symbol.bodyHash
  // A member follows a container that was renamed or moved; only the container counts as renamed or moved.
  const follows = before.parent !== null && matching.arePartners(before.parent, after.parent)
  const renamed = before.symbol.name !== after.symbol.name
  const moved = !follows && (before.path !== after.path || before.symbol.scope !== after.symbol.scope)
  if (!renamed && !moved && delta === null && !bodyChanged) return null
  const kind = renamed ? 'renamed' : moved ? 'moved' : delta ? 'signature-changed' : 'body-changed'
  return { ...describe(kind, before, after), delta, bodyChanged, similarity }
}

function describe(kind: SymbolChangeKind, before: SideSymbol | null, after: SideSymbol | null): SymbolChange {
  return {
    kind,
    language: (after ?? before)?.language ?? '',
    before: before && { path: before.path, symbol: before.symbol },
    after: after && { path: after.path, symbol: after.symbol },
    delta: null,
    bodyChanged: false,
    similarity: null,
  }
}

/** A namespace of C++ has a block in every file that adds to it; none of them is the namespace. */
function isOpenedAgain({ language, before, after }: SymbolChange): boolean {
  return language === 'cpp' && (after ?? before)?.symbol.kind === 'module'
}

/** Without the changed body of a class when a member of it changed too: the member says it better. */
function withoutContainers(changes: readonly SymbolChange[]): SymbolChange[] {
  const scopes = new Set(
    changes.flatMap(({ before, after }) =>
      [before, after].flatMap((end) => {
        const parts = end?.symbol.scope.split('.') ?? []
        return parts.map((_, index) => `${end?.path}\0${parts.slice(0, index + 1).join('.')}`)
      }),
    ),
  )
  return changes.filter(({ kind, after }) => {
    if (kind !== 'body-changed' || !after) return true
    const { scope, name } = after.symbol
    return !scopes.has(`${after.path}\0${scope === '' ? name : `${scope}.${name}`}`)
  })
}

function byLocation(a: SymbolChange, b: SymbolChange): number {
  const [x, y] = [a.after ?? a.before, b.after ?? b.before]
  if (!x || !y) return 0
  if (x.path !== y.path) return x.path < y.path ? -1 : 1
  return x.symbol.startLine - y.symbol.startLine
}

/**
 * What changed between two signatures of one symbol; null when nothing did. All parts may be empty: the signatures then
 * differ in something else (`async`, a decorator, type parameters, a base class).
 */
export function signatureDelta(before: CodeSymbol, after: CodeSymbol): SignatureDelta | null {
  const old = byName(before.signature.parameters ?? [])
  const now = byName(after.signature.parameters ?? [])
  const kept = [...old.keys()].filter((name) => now.has(name))
  const order = [...now.keys()].filter((name) => old.has(name))
  const delta: SignatureDelta = {
    parametersAdded: [...now].flatMap(([name, parameter]) => (old.has(name) ? [] : [parameter])),
    parametersRemoved: [...old].flatMap(([name, parameter]) => (now.has(name) ? [] : [parameter])),
    reordered: kept.some((name, index) => order[index] !== name),
    parametersChanged: kept.flatMap((key) => {
      const [one, other] = [old.get(key), now.get(key)]
      return one && other && !isSame(one, other) ? [{ name: one.name, before: one, after: other }] : []
    }),
    returnType: change(before.signature.returnType, after.signature.returnType),
    visibility: change(before.visibility, after.visibility),
  }
  const isEmpty =
    delta.parametersAdded.length + delta.parametersRemoved.length + delta.parametersChanged.length === 0 &&
    !delta.reordered &&
    delta.returnType === null &&
    delta.visibility === null
  return isEmpty && isSameText(before, after) ? null : delta
}

/** By name; several parameters may share one (`_`) and are kept apart. */
function byName(parameters: readonly Parameter[]): Map<string, Parameter> {
  const named = new Map<string, Parameter>()
  for (const parameter of parameters) {
    let key = parameter.name
    while (named.has(key)) key += '\0'
    named.set(key, parameter)
  }
  return named
}

/** Apart from layout and from the symbol's own name, which the hash covers. */
function isSameText(before: CodeSymbol, after: CodeSymbol): boolean {
  if (before.name === after.name) return before.signatureHash === after.signatureHash
  return nameless(before) === nameless(after)
}

function nameless({ name, signature }: CodeSymbol): string {
  const words = signature.text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? []
  return words
    .map((word) => (word === name ? '·' : word))
    .join(' ')
    .replace(/, (?=[)\]}>])/g, '')
}

function isSame(a: Parameter, b: Parameter): boolean {
  return (
    a.type === b.type &&
    a.optional === b.optional &&
    a.variadic === b.variadic &&
    a.keywordOnly === b.keywordOnly
  )
}

function change<Value>(before: Value, after: Value): { before: Value; after: Value } | null {
  return before === after ? null : { before, after }
}
