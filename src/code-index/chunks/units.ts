/** Which definitions become chunks of their own, and which are only split into those inside them. */
import type { FileFacts } from '../contract.ts'

export type Unit = {
  /** Index of the symbol. */
  index: number
  from: number
  to: number
  /** Not empty: the unit is a container, and these and its head are the chunks. */
  inner: Unit[]
}

const callables: ReadonlySet<string> = new Set(['function', 'method', 'macro'])
const containers: ReadonlySet<string> = new Set(['class', 'interface', 'impl', 'module', 'enum', 'struct'])

/** Shorter types stay with what stands around them. */
const leastTypeLines = 3

/** In source order, never overlapping. `whole`: a function longer than this is split if it holds others. */
export function unitsOf(facts: FileFacts, whole: number): Unit[] {
  const members = Map.groupBy(facts.symbols.keys(), (index) => holderOf(facts, index))
  const inside = (holder: number | null, after: number, depth: number): Unit[] => {
    const found: Unit[] = []
    let end = after
    for (const index of members.get(holder) ?? []) {
      const symbol = facts.symbols[index]
      // Damaged files may nest without end, and several definitions may share a line.
      if (!symbol || index === holder || depth > 50 || symbol.startLine <= end) continue
      const { kind, startLine: from, endLine: to } = symbol
      const isCallable = callables.has(kind)
      const maySplit = containers.has(kind) || (isCallable && to - from >= whole)
      const inner = maySplit ? inside(index, from, depth + 1).filter((unit) => unit.to <= to) : []
      const isWorthIt = isCallable || (containers.has(kind) && to - from + 1 >= leastTypeLines)
      if (inner.length === 0 && !isWorthIt) continue
      found.push({ index, from, to, inner })
      end = to
    }
    return found
  }
  return inside(null, 0, 0)
}

/** The innermost symbol that holds it by lines; a method of Go belongs to its type and stands outside of it. */
function holderOf({ symbols, parents }: FileFacts, index: number): number | null {
  const symbol = symbols[index]
  const seen = new Set([index])
  for (let at = parents[index] ?? null; at !== null && !seen.has(at); at = parents[at] ?? null) {
    const around = symbols[at]
    if (symbol && around && around.startLine <= symbol.startLine && symbol.endLine <= around.endLine)
      return at
    seen.add(at)
  }
  return null
}
