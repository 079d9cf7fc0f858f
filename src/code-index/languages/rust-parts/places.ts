/** What names are in Rust: patterns bind small names and compare with big ones, macros hold bare tokens. */
import type { Syntax } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

/** In a pattern `x` binds, `None` and `MAX` compare. */
const bound =
  (place: 'local' | 'local after'): PlaceRule =>
  (syntax, name) =>
    /^[A-Z]/.test(syntax.text(name)) || syntax.is(syntax.parent(name), 'scoped_identifier') ? 'plain' : place

/** `P { x, y: z }`: the short form names a field and binds it. */
const fieldName: PlaceRule = (syntax, name) =>
  syntax.is(name, 'shorthand_field_identifier') ? 'climb' : 'property'

const traitBound: PlaceRule = (syntax, _name, bounds) =>
  syntax.is(syntax.parent(bounds), 'trait_item') ? 'extends' : 'plain'

/** Inside macros: a word before a bracket is called, a word behind a dot is a member. */
const token: PlaceRule = (syntax, name) => {
  if (/^!?\(/.test(syntax.source.slice(syntax.end(name), syntax.end(name) + 2))) return 'call'
  return syntax.source[syntax.start(name) - 1] === '.' ? 'property' : 'plain'
}

/** `a.b::` before a name inside a macro. */
export function looseReceiver(syntax: Syntax, name: number): string | null {
  if (!syntax.is(syntax.parent(name), 'token_tree')) return null
  const before = syntax.source.slice(Math.max(0, syntax.start(name) - 100), syntax.start(name))
  const path = /^(.*\w)(?:\.|::)$/.exec(before.split(/[^\w.:]/).at(-1) ?? '')?.[1]
  return path === undefined || /^\d/.test(path) ? null : path
}

export const places: LanguageTable['places'] = {
  'let_declaration.pattern': bound('local after'),
  'let_condition.pattern': bound('local after'),
  'for_expression.pattern': bound('local'),
  'match_pattern.*': bound('local'),
  'match_pattern.condition': 'plain',
  'parameter.pattern': bound('local'),
  'closure_parameters.*': bound('local'),
  'tuple_pattern.*': 'climb',
  'slice_pattern.*': 'climb',
  'ref_pattern.*': 'climb',
  'mut_pattern.*': 'climb',
  'reference_pattern.*': 'climb',
  'or_pattern.*': 'climb',
  'captured_pattern.*': 'climb',
  'tuple_struct_pattern.*': 'climb',
  'tuple_struct_pattern.type': 'plain',
  'struct_pattern.*': 'climb',
  'struct_pattern.type': 'plain',
  'field_pattern.name': fieldName,
  'field_pattern.pattern': 'climb',
  'type_parameter.name': 'local',
  'const_parameter.name': 'local',
  'lifetime.*': 'ignore',
  'label.*': 'ignore',
  'call_expression.function': 'call',
  'generic_function.function': 'climb',
  'field_expression.field': 'member',
  'scoped_identifier.name': 'climb',
  'scoped_type_identifier.name': 'climb',
  'generic_type.type': 'climb',
  'macro_invocation.macro': 'call',
  'token_tree.*': token,
  'assignment_expression.left': 'write',
  'compound_assignment_expr.left': 'write',
  'attribute.*': 'decorator',
  'trait_bounds.*': traitBound,
  'impl_item.trait': 'extends',
  'use_declaration.argument': 'import',
  'use_list.*': 'import',
  'use_as_clause.path': 'import',
  'use_as_clause.alias': 'ignore',
  'extern_crate_declaration.name': 'import',
  'extern_crate_declaration.alias': 'ignore',
}
