/** What exactly changed between two signatures of one symbol. */
import type { CodeSymbol, Parameter, SignatureDelta } from '../../../domain/code-symbol.ts'

/**
 * Null when the two say the same. All parts may be empty: the signatures then differ in other words (`async`, a
 * decorator, type parameters, a base class).
 */
export function signatureDelta(before: CodeSymbol, after: CodeSymbol): SignatureDelta | null {
  const old = byName(before.signature.parameters ?? [])
  const now = byName(after.signature.parameters ?? [])
  const kept = [...old.keys()].filter((name) => now.has(name))
  const order = [...now.keys()].filter((name) => old.has(name))
  const delta: SignatureDelta = {
    parametersAdded: [...now].flatMap(([name, parameter]) => (old.has(name) ? [] : [parameter])),
    parametersRemoved: [...old].flatMap(([name, parameter]) => (now.has(name) ? [] : [parameter])),
    reordered: kept.some((name, index) => order[index] !== name),
    parametersChanged: kept.flatMap((key) => {
      const [one, other] = [old.get(key), now.get(key)]
      return one && other && !isSame(one, other) ? [{ name: one.name, before: one, after: other }] : []
    }),
    returnType: change(before.signature.returnType, after.signature.returnType),
    visibility: change(before.visibility, after.visibility),
  }
  const isEmpty =
    delta.parametersAdded.length + delta.parametersRemoved.length + delta.parametersChanged.length === 0 &&
    !delta.reordered &&
    delta.returnType === null &&
    delta.visibility === null
  return isEmpty && saysTheSame(before, after) ? null : delta
}

/** By name; where several share one (`_`), the second is another than the first. */
function byName(parameters: readonly Parameter[]): Map<string, Parameter> {
  const named = new Map<string, Parameter>()
  for (const parameter of parameters) {
    let key = parameter.name
    while (named.has(key)) key += '\0'
    named.set(key, parameter)
  }
  return named
}

/** The hash covers the symbol's own name; without it a rename alone is no other signature. Layout never is. */
function saysTheSame(before: CodeSymbol, after: CodeSymbol): boolean {
  if (before.name === after.name) return before.signatureHash === after.signatureHash
  return nameless(before) === nameless(after)
}

function nameless({ name, signature }: CodeSymbol): string {
  const words = signature.text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? []
  return words
    .map((word) => (word === name ? '·' : word))
    .join(' ')
    .replace(/, (?=[)\]}>])/g, '')
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
