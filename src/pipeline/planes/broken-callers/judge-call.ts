/** Calls that fitted at the base and fit nothing at the head. */
import type { Reference } from '../../../code-index/contract.ts'
import type { Meaning, World } from '../../../code-index/resolve/contract.ts'
import { symbolOf } from '../../../code-index/resolve/symbols.ts'
import { type Fit, matchArguments } from './arity.ts'
import { shapeOf } from './callable-shape.ts'
import { callables } from './constructors.ts'
import type { Sides } from './sides.ts'

type Defined = Extract<Meaning, { kind: 'defined' }>
export type Misfit = { failure: 'arity' | 'keyword' | 'required'; words: string; certain: boolean }

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
