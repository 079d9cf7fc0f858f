/** One parameter of a signature, from the nodes that say what it is. */
import type { Parameter } from '../../domain/code-symbol.ts'
import { typeText } from '../extraction/signature.ts'
import { none, type Syntax } from '../extraction/syntax.ts'

const longestName = 200

/** A variadic parameter may always be left out. */
export function parameter(
  syntax: Syntax,
  name: number | string,
  {
    type = none,
    optional = false,
    variadic = false,
    keywordOnly = false,
  }: { type?: number; optional?: boolean; variadic?: boolean; keywordOnly?: boolean } = {},
): Parameter {
  return {
    name: (typeof name === 'string' ? name : syntax.text(name)).slice(0, longestName),
    type: type === none ? null : typeText(syntax, type),
    optional: optional || variadic,
    variadic,
    keywordOnly,
  }
}
