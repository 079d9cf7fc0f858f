/** Calls whose definition changed: they no longer fit its parameters, or fit as before and mean something else now. */
import type { Reference } from '../../../code-index/contract.ts'
import { isScript } from '../../../code-index/language-of.ts'
import { argumentsOf } from '../../../code-index/resolve/arguments.ts'
import type { Definition, Meaning, World } from '../../../code-index/resolve/contract.ts'
import { callables, fitsOf, parameterStyle } from '../../../code-index/resolve/fit-call.ts'
import { withKnownArguments } from '../../../code-index/resolve/sole-argument.ts'
import { isType, symbolOf, symbolsIn } from '../../../code-index/resolve/symbols.ts'
import type { Parameter } from '../../../domain/code-symbol.ts'
import { type Sides, type SymbolSubject, symbolKey } from './breakage.ts'
import { acceptsLiteral } from './literal-types.ts'

type Defined = Extract<Meaning, { kind: 'defined' }>
export type Shifted = { failure: 'order' | 'type'; words: string; certain: boolean }

/** For a call that the change leaves as it was. */
export async function judgeMeaning(
  reference: Reference,
  { base, head, headPlace }: Sides,
  was: Defined,
  is: Defined,
): Promise<Shifted | null> {
  const { call } = reference
  if (!call || call.spread || call.positional === 0) return null
  const [before, after] = [
    await onlyOne(await callables(base, was)),
    await onlyOne(await callables(head, is)),
  ]
  if (!before || !after || (await overloadsByHand(head, after))) return null
  const styles = [await parameterStyle(base, before), await parameterStyle(head, after)]
  if (styles[0] !== styles[1] || styles[0] === 'unknown') return null
  // `Type.method(receiver, …)` passes one argument more than there are parameters.
  if (styles[0] === 'method' && reference.receiver !== null && !was.bound && symbolOf(before).scope !== '')
    return null
  // What did not fit before may be what the change repairs.
  if ((await fitsOf(base, reference, was)).every(({ fits }) => fits === false)) return null
  const [old, now] = [byPosition(before), byPosition(after)]
  const given = argumentsOf(headPlace.text ?? '', reference)
  if (!given || given.length < call.positional) return null
  for (let at = 0; at < Math.min(call.positional, old.length, now.length); at++) {
    const [from, to, argument] = [old[at], now[at], given[at]]
    if (!from || !to || argument === undefined) return null
    const shifted = judgeArgument({ argument, from, to, old, now, language: before.facts.language })
    if (shifted) return shifted
  }
  return null
}

type Argument = {
  argument: string
  from: Parameter
  to: Parameter
  old: readonly Parameter[]
  now: readonly Parameter[]
  language: string
}

function judgeArgument({ argument, from, to, old, now, language }: Argument): Shifted | null {
  const has = (list: readonly Parameter[], name: string) => list.some((parameter) => parameter.name === name)
  if (from.name === to.name) {
    if (from.type === to.type || from.type === null || to.type === null) return null
    const accepted =
      acceptsLiteral(language, from.type, argument) && acceptsLiteral(language, to.type, argument) === false
    return accepted
      ? {
          failure: 'type',
          words: `passes \`${argument.slice(0, 60)}\` for \`${to.name}\`, which is \`${to.type.slice(0, 60)}\` now`,
          certain: false,
        }
      : null
  }
  const isShifted =
    has(old, to.name) || now.some(({ name, optional }) => name === from.name && (!optional || to.optional))
  if (!isShifted || sameWord(argument, to.name) || takesBoth(from, to)) return null
  return {
    failure: 'order',
    words: `its \`${argument.slice(0, 60)}\` was \`${from.name}\` and is \`${to.name}\` now`,
    certain: true,
  }
}

/** The caller names its own variable like the new parameter, so it meant that one all along. */
function sameWord(argument: string, name: string): boolean {
  const word = argument.split(/[^\p{L}\p{N}_$]/u).at(-1) ?? ''
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '')
  return letters(word) === letters(name)
}

/** An overload by hand: the new parameter still takes what the old one took. */
function takesBoth(from: Parameter, to: Parameter): boolean {
  return from.type !== null && to.type !== null && from.type !== to.type && to.type.includes(from.type)
}

function byPosition(definition: Definition): Parameter[] {
  const parameters = symbolOf(definition).signature.parameters ?? []
  const end = parameters.findIndex(({ variadic, keywordOnly }) => variadic || keywordOnly)
  return end < 0 ? parameters : parameters.slice(0, end)
}

/** Overloads may take the arguments in several orders. */
async function onlyOne(called: readonly Definition[] | 'nothing to pass' | null): Promise<Definition | null> {
  if (!Array.isArray(called) || called.length !== 1) return null
  const [definition] = called
  if (!definition) return null
  const { kind } = symbolOf(definition)
  return kind === 'function' || kind === 'method' ? definition : null
}

/** `arguments.length`, `typeof options === 'function'`, and `callback = options`, in the body. */
export async function overloadsByHand(world: World, definition: Definition): Promise<boolean> {
  if (!isScript(definition.facts.language)) return false
  const { signature, nameLine, endLine } = symbolOf(definition)
  const names = (signature.parameters ?? []).map(({ name }) => name).filter((name) => /^[\w$]+$/.test(name))
  const text = await world.text(definition.path)
  const body =
    text
      ?.split('\n')
      .slice(nameLine - 1, endLine)
      .join('\n') ?? ''
  if (/\barguments\b/.test(body) || /\btypeof\s+[\w$]+\s*===?\s*['"]function['"]/.test(body)) return true
  return [...body.matchAll(/(?<![\w$.])([\w$]+)\s*=\s*([\w$]+)(?![\w$.(])/g)].some(
    ([, to = '', from = '']) => to !== from && names.includes(to) && names.includes(from),
  )
}

type Misfit = { failure: 'arity' | 'keyword' | 'required'; words: string; certain: boolean }

/** Calls that fitted the parameters at the base and no longer do at the head: by number and names, not by types. */
export async function judgeCall(
  reference: Reference,
  { base, head, headPlace }: Sides,
  was: Defined,
  is: Defined,
): Promise<Misfit | null> {
  if (reference.role !== 'call' || !reference.call) return null
  // Plain JavaScript runs with any number of arguments; whether that is wrong is for its author to say.
  if (headPlace.facts.language === 'javascript') return null
  const fitsIn = async (world: World, meaning: Defined) =>
    await fitsOf(world, await withKnownArguments(world, headPlace, reference), meaning)
  const [before, after] = await Promise.all([fitsIn(base, was), fitsIn(head, is)])
  if (!before.some((answer) => answer.fits === true)) return null
  if (after.length === 0 || after.some((answer) => answer.fits !== false)) return null
  const [first] = after
  if (first?.fits !== false) return null
  const called = await callables(head, is)
  if (Array.isArray(called) && called[0] && (await overloadsByHand(head, called[0]))) return null
  return { failure: first.kind, words: first.words, certain: true }
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
