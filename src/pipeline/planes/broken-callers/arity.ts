/** Does a call fit a parameter list? Only numbers and names are looked at; types are a compiler's matter. */
import { count } from '../../../base/count.ts'
import type { CallShape } from '../../../code-index/contract.ts'
import type { Parameter } from '../../../domain/code-symbol.ts'

export type Fit =
  | { fits: true }
  | { fits: false; kind: 'arity' | 'keyword' | 'required'; words: string }
  /** A spread, or parameters that are not known. */
  | { fits: null }

export function matchArguments(parameters: readonly Parameter[] | null, call: CallShape): Fit {
  if (parameters === null || call.spread) return { fits: null }
  const named = parameters.filter((parameter) => !parameter.variadic)
  const positional = named.filter((parameter) => !parameter.keywordOnly)
  const anyNumber = parameters.some((parameter) => parameter.variadic && !isKeywordBag(parameter))
  const anyKeyword = parameters.some(isKeywordBag)

  const byPosition = positional.slice(0, call.positional)
  const strangers = call.keywords.filter((keyword) => !named.some((parameter) => parameter.name === keyword))
  const [stranger] = strangers
  if (stranger !== undefined && !anyKeyword)
    return { fits: false, kind: 'keyword', words: `passes \`${stranger}\`, which it does not take` }
  if (call.positional > positional.length && !anyNumber)
    return {
      fits: false,
      kind: 'arity',
      words: `passes ${count(call.positional, 'argument')}, it takes ${takes(parameters)}`,
    }
  const twice = byPosition.find((parameter) => call.keywords.includes(parameter.name))
  if (twice) return { fits: false, kind: 'arity', words: `passes \`${twice.name}\` twice` }
  const absent = named.filter(
    (parameter) =>
      !parameter.optional && !byPosition.includes(parameter) && !call.keywords.includes(parameter.name),
  )
  const [first] = absent
  if (!first) return { fits: true }
  return call.keywords.length > 0 || first.keywordOnly
    ? { fits: false, kind: 'required', words: `does not pass \`${first.name}\`` }
    : {
        fits: false,
        kind: 'arity',
        words: `passes ${count(call.positional, 'argument')}, it takes ${takes(parameters)}`,
      }
}

/** `2`, `1 to 3`, `at least 1`. */
export function takes(parameters: readonly Parameter[]): string {
  const plain = parameters.filter((parameter) => !parameter.variadic)
  const required = plain.filter((parameter) => !parameter.optional).length
  if (parameters.some((parameter) => parameter.variadic)) return `at least ${required}`
  return required === plain.length ? `${required}` : `${required} to ${plain.length}`
}

function isKeywordBag(parameter: Parameter): boolean {
  return parameter.variadic && (parameter.keywordOnly || parameter.name.startsWith('**'))
}
