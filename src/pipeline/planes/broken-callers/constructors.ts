/** A call of a type is a call of its constructor, its own or an inherited one. */
import type { Definition, Meaning, World } from '../../../code-index/resolve/contract.ts'
import { languageOf } from '../../../code-index/resolve/languages/registry.ts'
import { isType, symbolOf, symbolsIn, typeMember } from '../../../code-index/resolve/symbols.ts'
import type { Sides } from './sides.ts'
import { type SymbolSubject, symbolKey } from './subject.ts'

type Defined = Extract<Meaning, { kind: 'defined' }>

/** What a call of these definitions runs: themselves, or a constructor; null when that is not known. */
export async function callables(
  world: World,
  { definitions }: Defined,
): Promise<readonly Definition[] | 'nothing to pass' | null> {
  const [type] = definitions.filter((definition) => isType(symbolOf(definition)))
  if (!type) return definitions
  const language = languageOf(type.facts.language)
  const name = language?.constructorName(symbolOf(type)) ?? null
  if (!language || name === null) return null
  const made = await typeMember(language, world, [type], name, true)
  if (made.kind === 'missing' && language.implicitConstructor) return 'nothing to pass'
  return made.kind === 'defined' ? made.definitions : null
}

/** The changed constructor behind a type: one it had at the base, or one it has now. */
export async function constructorSubject(
  { base, head }: Sides,
  was: Meaning,
  symbols: ReadonlyMap<string, SymbolSubject>,
): Promise<SymbolSubject | null> {
  if (was.kind !== 'defined') return null
  const types = was.definitions.filter((definition) => isType(symbolOf(definition)))
  if (types.length === 0) return null
  const before = await callables(base, was)
  const now = await callables(head, { ...was, definitions: await atHead(head, types) })
  for (const made of [before, now])
    for (const definition of Array.isArray(made) ? made : []) {
      const found = symbols.get(symbolKey(definition.path, symbolOf(definition)))
      if (found) return found
    }
  return null
}

async function atHead(head: World, types: readonly Definition[]): Promise<Definition[]> {
  const found: Definition[] = []
  for (const type of types) {
    const facts = await head.facts(type.path)
    const { scope, name } = symbolOf(type)
    if (facts) found.push(...symbolsIn(type.path, facts, scope, name))
  }
  return found
}
