/** Matches symbols by name: within their file, and within a container that was renamed or moved. */
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

/** Both lists are of one file. */
export function matchNames(
  matching: Matching,
  removed: readonly SideSymbol[],
  added: readonly SideSymbol[],
): void {
  for (const keyOf of keys)
    matching.takeByKey(
      removed.filter((side) => matching.removed.has(side)),
      added.filter((side) => matching.added.has(side)),
      (side) => keyOf(side, qualifiedName(side)),
    )
}

/** Members of a container that was renamed or moved, by their own names. */
export function followContainers(matching: Matching, depth: number): void {
  const homes = new Map<SideSymbol, number>()
  const homeOf = (container: SideSymbol): number => {
    const home = homes.get(container) ?? homes.size
    homes.set(container, home)
    return home
  }
  const removed = [...matching.removed].filter(({ parent, depth: own }) => own === depth && parent !== null)
  const homeKey = (side: SideSymbol): number | null => {
    const container = side.parent && (matching.partnerOf(side.parent) ?? side.parent)
    return container && homeOf(container)
  }
  const wanted = new Set(removed.map(homeKey))
  const added = [...matching.added].filter((side) => side.parent !== null && wanted.has(homeKey(side)))
  for (const keyOf of keys)
    matching.takeByKey(
      removed.filter((side) => matching.removed.has(side)),
      added.filter((side) => matching.added.has(side)),
      (side) => {
        const key = keyOf(side, side.symbol.name)
        return key === null ? null : `${homeKey(side)}\0${key}`
      },
    )
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
