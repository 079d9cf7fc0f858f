/** Calls that fitted the parameters at the base and no longer do at the head: by number and names, not by types. */
import type { Reference } from '../../../code-index/contract.ts'
import type { Definition, Meaning, World } from '../../../code-index/resolve/contract.ts'
import { callables, fitsOf } from '../../../code-index/resolve/fit-call.ts'
import { isType, symbolOf, symbolsIn } from '../../../code-index/resolve/symbols.ts'
import { type Sides, type SymbolSubject, symbolKey } from './breakage.ts'
import { overloadsByHand } from './overloads-by-hand.ts'

type Defined = Extract<Meaning, { kind: 'defined' }>
export type Misfit = { failure: 'arity' | 'keyword' | 'required'; words: string; certain: boolean }

export async function judgeCall(
  reference: Reference,
  { base, head, headPlace }: Sides,
  was: Defined,
  is: Defined,
): Promise<Misfit | null> {
  if (reference.role !== 'call' || !reference.call) return null
  const [before, after] = await Promise.all([fitsOf(base, reference, was), fitsOf(head, reference, is)])
  if (!before.some((answer) => answer.fits === true)) return null
  if (after.length === 0 || after.some((answer) => answer.fits !== false)) return null
  const [first] = after
  if (first?.fits !== false) return null
  const called = await callables(head, is)
  if (Array.isArray(called) && called[0] && (await overloadsByHand(head, called[0]))) return null
  // Plain JavaScript runs all the same; whether that is wrong is for its author to say.
  return { failure: first.kind, words: first.words, certain: headPlace.facts.language !== 'javascript' }
}

/** The changed constructor of a type: one that it had at the base, or has now. */
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
