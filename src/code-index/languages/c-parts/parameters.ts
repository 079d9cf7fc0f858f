/** Parameter lists of C and C++, and those of macros. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import { parameter } from '../parameter.ts'
import { nameOf } from './declarators.ts'

export function parameters(syntax: Syntax, list: number): Parameter[] {
  // `(void)` is an empty list.
  if (/^\(\s*void\s*\)$/.test(syntax.text(list).slice(0, 30))) return []
  const found = syntax.children(list).map((node) => {
    if (syntax.is(node, 'identifier')) return parameter(syntax, node)
    if (syntax.is(node, 'variadic_parameter')) return parameter(syntax, '...', { variadic: true })
    const name = nameOf(syntax, syntax.child(node, 'declarator'))
    const known = syntax.is(name, 'identifier') ? name : ''
    return { ...parameter(syntax, known, isOptional(syntax, node)), type: writtenType(syntax, node, name) }
  })
  const text = syntax.text(list)
  const hasDots = /\.\.\.\s*\)$/.test(text.slice(-20)) && !found.some((one) => one.variadic)
  return hasDots ? [...found, parameter(syntax, '...', { variadic: true })] : found
}

function isOptional(syntax: Syntax, node: number): { optional: boolean; variadic: boolean } {
  return {
    optional: syntax.is(node, 'optional_parameter_declaration'),
    variadic: syntax.is(node, 'variadic_parameter_declaration'),
  }
}

/** `const char *path` is of the type `const char *`: all but the name and its default. */
function writtenType(syntax: Syntax, node: number, name: number): string {
  const value = syntax.child(node, 'default_value')
  const end = value === none ? syntax.end(node) : syntax.start(value)
  const text =
    name === none || name < node
      ? syntax.source.slice(syntax.start(node), end)
      : syntax.source.slice(syntax.start(node), syntax.start(name)) +
        syntax.source.slice(syntax.end(name), end)
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?=? ?$/, '')
    .trim()
    .slice(0, 300)
}
