/** Ruby's parameter lists. Blocks are passed behind the arguments, so they are left out. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import { parameter } from '../parameter.ts'

export function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    const name = syntax.child(node, 'name')
    switch (syntax.kind(node)) {
      case 'block_parameter':
        return []
      case 'optional_parameter':
        return [parameter(syntax, name, { optional: true })]
      case 'keyword_parameter':
        return [
          parameter(syntax, name, { optional: syntax.child(node, 'value') !== none, keywordOnly: true }),
        ]
      case 'splat_parameter':
        return [parameter(syntax, name, { variadic: true })]
      case 'hash_splat_parameter':
        return [parameter(syntax, name, { variadic: true, keywordOnly: true })]
      case 'forward_parameter':
        return [parameter(syntax, '...', { variadic: true })]
      default:
        return [parameter(syntax, node)]
    }
  })
}
