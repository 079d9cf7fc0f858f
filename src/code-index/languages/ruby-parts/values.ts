/** Ruby's calls: their arguments, what they make, what they load. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

/** Without the block. */
export function argumentsOf(syntax: Syntax, call: number): number[] {
  return syntax
    .children(syntax.child(call, 'arguments'))
    .filter((argument) => !syntax.is(argument, 'block_argument'))
}

/** `Row.new(…)`. */
export function constructed(syntax: Syntax, value: number): string | null {
  if (!syntax.is(value, 'call') || syntax.text(syntax.child(value, 'method')) !== 'new') return null
  const type = syntax.child(value, 'receiver')
  // These make a class, not a value of theirs.
  if (/^(?:Struct|Class|Module|Data)$/.test(syntax.text(type))) return null
  return syntax.is(type, 'constant', 'scope_resolution') ? syntax.text(type) : null
}

/** A required file brings all it defines. */
export function requireCall(syntax: Syntax, node: number): ImportFact[] {
  const word = syntax.text(syntax.child(node, 'method'))
  if (!/^(?:require|require_relative|load|autoload)$/.test(word)) return []
  if (syntax.child(node, 'receiver') !== none) return []
  const path = syntax.children(syntax.child(node, 'arguments')).at(-1) ?? none
  if (!syntax.is(path, 'string')) return []
  const source = syntax.text(path).slice(1, -1)
  const relative = word === 'require_relative' && !/^\.{0,2}\//.test(source) ? `./${source}` : source
  return [
    {
      line: syntax.startLine(node),
      source: relative,
      imported: '*',
      local: null,
      reexport: false,
      typeOnly: false,
    },
  ]
}
