/**
 * Go: `f(g())` passes as many arguments as `g` gives results, which the call alone does not say. Here it is looked up: a call with one
 * argument, itself a call of something that is known to give one result, passes one.
 */
import type { Reference } from '../contract.ts'
import { argumentsOf } from './arguments.ts'
import type { Definition, UseSite, World } from './contract.ts'
import { resolveReference } from './resolve.ts'
import { isType, symbolOf } from './symbols.ts'

/** The call with the number of its arguments, where that can be known; else as it was. */
export async function withKnownArguments(
  world: World,
  place: UseSite,
  reference: Reference,
): Promise<Reference> {
  const { call } = reference
  if (!call?.spread || place.facts.language !== 'go' || place.text === null) return reference
  const [only, ...others] = argumentsOf(place.text, reference) ?? []
  const name = only === undefined || others.length > 0 ? null : calledLast(only)
  if (name === null || !(await givesOne(world, place, reference, name))) return reference
  return { ...reference, call: { ...call, positional: 1, spread: false } }
}

/** `d` of `a.b(c).d(e)`; null where the text is anything but a call, or has brackets in texts. */
function calledLast(argument: string): string | null {
  if (!argument.endsWith(')') || /["'`][^"'`()[\]]{0,200}[()[\]][^"'`]{0,200}["'`]/.test(argument))
    return null
  let depth = 0
  for (let at = argument.length - 1; at >= 0; at--) {
    if (argument[at] === ')') depth++
    else if (argument[at] === '(' && --depth === 0)
      return /(?<![\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]{0,200}$/u.exec(argument.slice(0, at))?.[0] ?? null
  }
  return null
}

/** Conversions and built-in functions with one result. */
const single =
  /^(?:append|cap|complex|imag|len|make|max|min|new|real|any|bool|byte|complex64|complex128|error|float32|float64|u?int(?:8|16|32|64)?|uintptr|rune|string)$/

async function givesOne(world: World, place: UseSite, outer: Reference, name: string): Promise<boolean> {
  const [inner, ...others] = place.facts.references.filter(
    (one) => one.role === 'call' && one.name === name && outer.line <= one.line && one.line <= outer.endLine,
  )
  // Of several calls of one name, which is meant would have to be guessed.
  if (!inner || others.length > 0 || inner === outer) return false
  const meaning = await resolveReference(world, place, inner)
  if (meaning.kind === 'defined')
    return meaning.certainty === 'certain' && meaning.definitions.every(isSingle)
  return single.test(name) && inner.receiver === null && !inner.shadowed && meaning.kind !== 'missing'
}

function isSingle(definition: Definition): boolean {
  const symbol = symbolOf(definition)
  if (isType(symbol, definition.facts)) return true
  const { returnType } = symbol.signature
  const isFunction = symbol.kind === 'function' || symbol.kind === 'method'
  return isFunction && returnType !== null && !/^\(.*,/s.test(returnType.trim())
}
