/** The types of locals as the facts have them. */
import type { Language, Place } from './contract.ts'
import { around, isType, referencesNamed } from './symbols.ts'

/** The written type of a local, parameter or global of this name around here; innermost scope first. */
export function localType(
  language: Language,
  place: Place,
  name: string,
  line: number,
): { type: string; line: number } | 'conflict' | null {
  const candidates = place.facts.typedNames.filter((typed) => typed.name === name)
  if (candidates.length === 0) return null
  const local = isLocal(place, name, line)
  for (const scope of [...around(place), null]) {
    const symbol = scope === null ? undefined : place.facts.symbols[scope]
    const outside = scope === null || (symbol !== undefined && isType(symbol))
    if (outside && local) return null
    // Fields need a receiver, except where the language has them in scope.
    if (symbol && isType(symbol) && !language.bareMembers) continue
    const here = candidates.filter(({ enclosing }) => enclosing === scope)
    const [first] = here
    if (here.some(({ type }) => type !== first?.type)) return 'conflict'
    if (first) return first
  }
  return null
}

/** The extraction says of every bare name whether a local of that name is in scope. */
export function isLocal({ facts }: Place, name: string, line: number): boolean {
  return referencesNamed(facts, name).some(
    (reference) => reference.receiver === null && reference.shadowed && near(reference.line, line),
  )
}

/** A chain of calls may spread over lines; its first name is a little above the last. */
function near(line: number, target: number): boolean {
  return line <= target && line >= target - 12
}
