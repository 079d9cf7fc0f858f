/** Matches symbols by name: within their file, and within a container that was renamed or moved. */
import { remembered } from '../../../base/remembered.ts'
import { type Matching, qualifiedName, type SideSymbol } from './matching.ts'

/**
 * From the strictest to the loosest. Overloads, and the `impl` blocks of a type, share a name: those with an unchanged
 * signature go first, then those with an unchanged body, the others in their order.
 */
const keys: ((side: SideSymbol, name: string) => string | null)[] = [
  (side, name) => `${strict(side, name)}\0${side.symbol.bodyHash}\0${side.parent?.symbol.signatureHash}`,
  (side, name) => `${strict(side, name)}\0${side.parent?.symbol.signatureHash}`,
  strict,
  (side, name) => `${kindAndName(side, name)}\0${side.symbol.bodyHash}`,
  kindAndName,
  // The kind may change with the name kept: a function becomes an arrow function, an interface a type.
  (side, name) => (mayChangeKind(side) ? name : null),
]

/** The first of the keys under which two that differ can be one. */
const firstLoose = 3

/** Both lists are of one file. */
export function matchNames(
  matching: Matching,
  removed: readonly SideSymbol[],
  added: readonly SideSymbol[],
): void {
  takeByKeys(matching, removed, added, (side, keyOf) => keyOf(side, qualifiedName(side)))
}

/** `keyFor` may leave a symbol out by giving null. */
function takeByKeys(
  matching: Matching,
  removed: readonly SideSymbol[],
  added: readonly SideSymbol[],
  keyFor: (side: SideSymbol, keyOf: (typeof keys)[number]) => string | null,
): void {
  const repeated = repeatedFields(removed, added)
  for (const [at, keyOf] of keys.entries()) {
    if (at === firstLoose) matchBesideMatched(matching, repeated)
    matching.takeByKey(
      removed.filter((side) => matching.removed.has(side)),
      added.filter((side) => matching.added.has(side)),
      (side) => (at >= firstLoose && repeated.has(side) ? null : keyFor(side, keyOf)),
    )
  }
}

/** Fields that share name and type with others, as the members of a union do: their order says nothing about which is which. */
function repeatedFields(...sides: readonly (readonly SideSymbol[])[]): ReadonlySet<SideSymbol> {
  const fields = sides.map((side) =>
    Map.groupBy(
      side.filter(({ symbol }) => symbol.kind === 'field'),
      qualifiedName,
    ),
  )
  const names = new Set(
    fields.flatMap((groups) => [...groups].flatMap(([name, { length }]) => (length > 1 ? [name] : []))),
  )
  return new Set(fields.flatMap((groups) => [...names].flatMap((name) => groups.get(name) ?? [])))
}

/** Of fields that share a name, those that stand beside the same field as before. */
function matchBesideMatched(matching: Matching, repeated: ReadonlySet<SideSymbol>): void {
  const left = [...repeated]
  for (const neighbour of ['previous', 'next'] as const) {
    const candidates = new Map(
      left.flatMap((side) => (matching.added.has(side) ? [[side[neighbour], side] as const] : [])),
    )
    for (const before of left) {
      const beside = before[neighbour]
      const after = candidates.get(beside && matching.partnerOf(beside))
      const isSame =
        after !== undefined &&
        matching.removed.has(before) &&
        matching.added.has(after) &&
        matching.arePartners(beside, after[neighbour]) &&
        qualifiedName(before) === qualifiedName(after)
      if (isSame) matching.take(before, after)
    }
  }
}

/** Members of a container that was renamed or moved, by their own names. */
export function followContainers(matching: Matching, depth: number): void {
  const homes = new Map<SideSymbol, number>()
  const homeOf = (container: SideSymbol): number => remembered(homes, container, () => homes.size)
  // Members of one that is where it was were matched by name already.
  const stayed = (container: SideSymbol): boolean => {
    const partner = matching.partnerOf(container)
    return partner?.file === container.file && qualifiedName(partner) === qualifiedName(container)
  }
  const removed = [...matching.removed].filter(
    ({ parent, depth: own }) => own === depth && parent !== null && !stayed(parent),
  )
  const homeKey = (side: SideSymbol): number | null => {
    const container = side.parent && (matching.partnerOf(side.parent) ?? side.parent)
    return container && homeOf(container)
  }
  const wanted = new Set(removed.map(homeKey))
  const added = [...matching.added].filter((side) => side.parent !== null && wanted.has(homeKey(side)))
  takeByKeys(matching, removed, added, (side, keyOf) => {
    const key = keyOf(side, side.symbol.name)
    return key === null ? null : `${homeKey(side)}\0${key}`
  })
}

function strict(side: SideSymbol, name: string): string {
  return `${kindAndName(side, name)}\0${side.symbol.signatureHash}`
}

function kindAndName({ symbol }: SideSymbol, name: string): string {
  return `${symbol.kind}\0${name}`
}

/** An `impl` block has the name of its type but is something else. */
function mayChangeKind({ symbol }: SideSymbol): boolean {
  return symbol.kind !== 'impl' && symbol.kind !== 'module' && symbol.kind !== 'package'
}
