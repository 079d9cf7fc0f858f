/** Calls that fitted at the base and fit nothing at the head. */
import type { Reference } from '../../../code-index/contract.ts'
import type { Definition, Meaning, World } from '../../../code-index/resolve/contract.ts'
import { typeMember } from '../../../code-index/resolve/members.ts'
import { languageOf } from '../../../code-index/resolve/registry.ts'
import { isType, symbolOf } from '../../../code-index/resolve/symbols.ts'
import { type Fit, matchArguments } from './arity.ts'
import { shapeOf } from './callable-shape.ts'
import type { Sides } from './sides.ts'

type Defined = Extract<Meaning, { kind: 'defined' }>
export type Misfit = { failure: 'arity' | 'keyword'; words: string; certain: boolean }

export async function judgeCall(
  reference: Reference,
  { base, head, headPlace }: Sides,
  was: Defined,
  is: Defined,
): Promise<Misfit | null> {
  if (reference.role !== 'call' || !reference.call) return null
  const [before, after] = await Promise.all([fits(base, reference, was), fits(head, reference, is)])
  if (!before.some((answer) => answer.fits === true)) return null
  if (after.length === 0 || after.some((answer) => answer.fits !== false)) return null
  const [first] = after
  if (first?.fits !== false) return null
  // Plain JavaScript runs on; whether it goes wrong is for its author to say.
  return { failure: first.kind, words: first.words, certain: headPlace.facts.language !== 'javascript' }
}

async function fits(world: World, reference: Reference, meaning: Defined): Promise<Fit[]> {
  const called = await callables(world, meaning)
  const { call } = reference
  if (!called || !call) return [{ fits: null }]
  if (called === 'nothing to pass') return [matchArguments([], call)]
  return Promise.all(
    called.map(async (definition): Promise<Fit> => {
      const { kind, signature } = symbolOf(definition)
      if (definition.facts.language === 'javascript') return { fits: null }
      if (kind !== 'function' && kind !== 'method') return { fits: null }
      const shape = await shapeOf(world, definition)
      if (shape === 'unknown') return { fits: null }
      const unbound = shape === 'method' && reference.receiver !== null && !meaning.bound
      const passed = unbound ? { ...call, positional: Math.max(0, call.positional - 1) } : call
      return matchArguments(signature.parameters, passed)
    }),
  )
}

/** A called type means its constructor; null when that is not known. */
async function callables(
  world: World,
  { definitions }: Defined,
): Promise<readonly Definition[] | 'nothing to pass' | null> {
  const types = definitions.filter((definition) => isType(symbolOf(definition)))
  const [type] = types
  if (!type) return definitions
  const language = languageOf(type.facts.language)
  const name = language?.constructorName(symbolOf(type)) ?? null
  if (!language || name === null) return null
  const made = await typeMember(language, world, types, name, true)
  if (made.kind === 'missing' && language.implicitConstructor) return 'nothing to pass'
  return made.kind === 'defined' ? made.definitions : null
}
