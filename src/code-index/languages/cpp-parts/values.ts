/** What C++ values are made of, and what `using` takes in. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import { nameOf } from '../c-parts/declarators.ts'

/** `new Row(…)`, `Row{…}`, `Row(…)` by a capital, `std::make_unique<Row>(…)`. */
export function constructed(syntax: Syntax, value: number): string | null {
  if (syntax.is(value, 'new_expression', 'compound_literal_expression'))
    return syntax.text(syntax.child(value, 'type')) || null
  if (!syntax.is(value, 'call_expression')) return null
  const callee = syntax.text(syntax.child(value, 'function')).slice(0, 200)
  const made = /^(?:std::)?make_(?:unique|shared)<([\w:]+)>$/.exec(callee)?.[1]
  return made ?? (/^[A-Z][A-Z\d_]*[a-z]\w*$/.test(callee) ? callee : null)
}

export function loopVariable(syntax: Syntax, node: number): { name: number; type: number }[] {
  const name = nameOf(syntax, syntax.child(node, 'declarator'))
  const written = syntax.child(node, 'type')
  if (!syntax.is(name, 'identifier')) return []
  return [{ name, type: syntax.is(written, 'placeholder_type_specifier') ? none : written }]
}

/** `using a::b` names `b`; `using namespace a` opens all of `a`. */
export function usingDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.text(syntax.children(node).at(-1) ?? none).replace(/\s+/g, '')
  const base = { line: syntax.startLine(node), reexport: false, typeOnly: false }
  if (/^using\s+namespace\b/.test(syntax.text(node).slice(0, 60)))
    return [{ ...base, source: path, imported: '*', local: null }]
  const cut = path.lastIndexOf('::')
  const name = cut < 0 ? path : path.slice(cut + 2)
  return [{ ...base, source: path.slice(0, Math.max(0, cut)), imported: name, local: name }]
}
