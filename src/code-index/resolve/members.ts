/** Looks a member up in a type and what it inherits from, nearest first. */
import type { Definition, Language, Meaning, World } from './contract.ts'
import { defined, fullName, missing, symbolOf, unknown } from './symbols.ts'

/** More types than this are not walked; the answer is then `unknown`. */
const mostTypes = 60

/** `bound`: the receiver is an instance, so it fills the first parameter where the language passes it. */
export async function typeMember(
  language: Language,
  world: World,
  types: readonly Definition[],
  name: string,
  bound: boolean,
): Promise<Meaning> {
  const seen = new Set<string>()
  const found: Definition[] = []
  let level = types
  let inherited = false
  let open = false
  for (let depth = 0; level.length > 0; depth++) {
    const next: Definition[] = []
    for (const type of level) {
      const key = keyOf(type)
      if (seen.has(key)) continue
      seen.add(key)
      if (seen.size > mostTypes) return unknown('too many base types')
      const own = await language.ownMembers(world, type, name)
      if (own.length > 0 && depth > 0 && found.length === 0) inherited = true
      found.push(...own)
      if (own.length > 0 && !language.inheritsOverloads) continue
      const bases = await language.baseTypes(world, type)
      open ||= bases.open
      next.push(...bases.types)
    }
    if (found.length > 0 && !language.inheritsOverloads) break
    level = next
  }
  if (found.length > 0) return defined(found, { how: inherited ? 'inherited' : 'receiver type', bound })
  const [first] = types
  if (open || !first) return unknown('a base type is not in this repository')
  return missing('member', fullName(symbolOf(first)))
}

export function keyOf({ path, facts, index }: Definition): string {
  const symbol = facts.symbols[index]
  return symbol ? `${path}\n${symbol.scope}\n${symbol.name}` : path
}
