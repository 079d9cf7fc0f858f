/** What exactly changed between two signatures of one symbol. */
import type { CodeSymbol, Parameter, SignatureDelta } from '../../../domain/code-symbol.ts'

/** Null when the two say the same. */
export function signatureDelta(before: CodeSymbol, after: CodeSymbol): SignatureDelta | null {
  const old = before.signature.parameters ?? []
  const now = after.signature.parameters ?? []
  const kept = old.filter((parameter) => now.some(({ name }) => name === parameter.name))
  const delta: SignatureDelta = {
    parametersAdded: now.filter((parameter) => !old.some(({ name }) => name === parameter.name)),
    parametersRemoved: old.filter((parameter) => !kept.includes(parameter)),
    reordered: isReordered(kept, now),
    parametersChanged: kept.flatMap((parameter) => {
      const twin = now.find(({ name }) => name === parameter.name)
      return twin && !isSame(parameter, twin)
        ? [{ name: parameter.name, before: parameter, after: twin }]
        : []
    }),
    returnType: change(before.signature.returnType, after.signature.returnType),
    visibility: change(before.visibility, after.visibility),
  }
  const isEmpty =
    delta.parametersAdded.length + delta.parametersRemoved.length + delta.parametersChanged.length === 0 &&
    !delta.reordered &&
    delta.returnType === null &&
    delta.visibility === null
  // The same parameters, types and visibility may still be in other words: `async`, type parameters, a base class.
  return isEmpty && nameless(before) === nameless(after) ? null : delta
}

/** The text of the signature without the symbol's own name, so that a rename alone is no other signature. */
function nameless({ name, signature }: CodeSymbol): string {
  return signature.text
    .split(/([\p{L}\p{N}_$]+)/u)
    .map((word) => (word === name ? '' : word))
    .join('')
    .replace(/\s+/g, ' ')
}

function isReordered(kept: readonly Parameter[], now: readonly Parameter[]): boolean {
  const order = now
    .map(({ name }) => name)
    .filter((name) => kept.some((parameter) => parameter.name === name))
  return kept.some(({ name }, index) => order[index] !== name)
}

function isSame(a: Parameter, b: Parameter): boolean {
  return (
    a.type === b.type &&
    a.optional === b.optional &&
    a.variadic === b.variadic &&
    a.keywordOnly === b.keywordOnly
  )
}

function change<Value>(before: Value, after: Value): { before: Value; after: Value } | null {
  return before === after ? null : { before, after }
}
