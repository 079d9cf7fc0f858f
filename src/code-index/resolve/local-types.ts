/** The types of locals as the facts have them. */
import { oncePer, remembered } from '../../base/remembered.ts'
import type { FileFacts, TypedName } from '../contract.ts'
import type { Language, UseSite } from './contract.ts'
import { around, isType, referencesNamed } from './symbols.ts'

/** The written type of a local, parameter or global of this name around here; innermost scope first. */
export function localType(
  language: Language,
  place: UseSite,
  name: string,
  line: number,
): { type: string; line: number } | 'conflict' | null {
  const candidates = typedIn(place.facts).get(name)
  if (!candidates) return null
  const local = isLocal(place, name, line)
  for (const scope of [...around(place), null]) {
    const symbol = scope === null ? undefined : place.facts.symbols[scope]
    const outside = scope === null || (symbol !== undefined && isType(symbol, place.facts))
    if (outside && local) return null
    // Fields need a receiver, except where the language has them in scope.
    if (symbol && isType(symbol, place.facts) && !language.bareMembers) continue
    const here = candidates.get(scope)
    if (here === 'conflict') return 'conflict'
    if (here) return here
  }
  return null
}

/** The extraction says of every bare name whether a local of that name is in scope. */
export function isLocal({ facts }: UseSite, name: string, line: number): boolean {
  const lines = shadowedLines(facts, name)
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((lines[middle] ?? 0) < line - furthestAbove) low = middle + 1
    else high = middle
  }
  return (lines[low] ?? Number.POSITIVE_INFINITY) <= line
}

/** A chain of calls may spread over lines; its first name is a little above the last. */
const furthestAbove = 12

/** Where a local of this name is used by its bare name, ascending. */
function shadowedLines(facts: FileFacts, name: string): Uint32Array {
  return remembered(shadowed(facts), name, () => {
    const uses = referencesNamed(facts, name).filter(
      (reference) => reference.receiver === null && reference.shadowed,
    )
    return Uint32Array.from(uses, (reference) => reference.line).sort()
  })
}

const shadowed = oncePer((_: FileFacts) => new Map<string, Uint32Array>())

/** By scope: the first with a written type, unless others there have another one. */
type TypedScopes = Map<number | null, TypedName | 'conflict'>

const typedIn = oncePer(({ typedNames }: FileFacts) => {
  const byName = new Map<string, TypedScopes>()
  for (const one of typedNames) {
    const scopes = remembered(byName, one.name, (): TypedScopes => new Map())
    const first = scopes.get(one.enclosing)
    const isOther = first !== undefined && first !== 'conflict' && first.type !== one.type
    if (isOther || first === undefined) scopes.set(one.enclosing, isOther ? 'conflict' : one)
  }
  return byName
})
