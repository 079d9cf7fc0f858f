/** Rust. */
import type { Parameter, Visibility } from '../../domain/code-symbol.ts'
import type { ImportFact } from '../contract.ts'
import { fold, none, type Syntax, typeText } from '../extraction/syntax.ts'
import {
  type DefinitionReader,
  defined,
  type LanguageTable,
  type PlaceRule,
  type SymbolContext,
} from '../extraction/table.ts'
import { docBefore } from './shared-readers.ts'

// What names are in Rust: patterns bind small names and compare with big ones, macros hold bare tokens.

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

/** Inside macros: a word before a bracket is called, one behind a dot is a member, and one before a colon a field or a key. */
const token: PlaceRule = (syntax, name) => {
  const behind = syntax.source.slice(syntax.end(name), syntax.end(name) + 2)
  if (/^!?\(/.test(behind)) return 'call'
  return syntax.source[syntax.start(name) - 1] === '.' || /^:(?!:)/.test(behind) ? 'property' : 'plain'
}

/** `a.b::` before a name inside a macro, also on the line before; `()` for an expression. */
function looseReceiver(syntax: Syntax, name: number): string | null {
  if (!syntax.is(syntax.parent(name), 'token_tree')) return null
  const before = syntax.source
    .slice(Math.max(0, syntax.start(name) - 100), syntax.start(name))
    .replace(/\s{0,80}\.\s{0,80}$/, '.')
  if (before.endsWith('..')) return null
  const path = /^(.*\w)(?:\.|::)$/.exec(before.split(/[^\w.:]/).at(-1) ?? '')?.[1]
  if (path !== undefined && !/^\d/.test(path)) return path
  return before.endsWith('.') ? '()' : null
}

const places: LanguageTable['places'] = {
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

// Rust's parameter lists without `self`, and values that show their type.

function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    if (syntax.is(node, 'self_parameter', 'attribute_item')) return []
    const variadic = syntax.is(node, 'variadic_parameter')
    const type = syntax.child(node, 'type')
    const pattern = syntax.child(node, 'pattern')
    return [
      {
        name: fold(syntax.text(pattern === none ? node : pattern).slice(0, 200)),
        type: type === none ? null : typeText(syntax, type),
        optional: variadic,
        variadic,
        keywordOnly: false,
      },
    ]
  })
}

/** `T::new(…)`, `T::from(…)`, `T { … }`, also behind `&` and `?`. */
function constructed(syntax: Syntax, value: number): string | null {
  if (syntax.is(value, 'reference_expression')) return constructed(syntax, syntax.child(value, 'value'))
  if (syntax.is(value, 'try_expression')) return constructed(syntax, syntax.children(value)[0] ?? none)
  if (syntax.is(value, 'struct_expression')) return ownType(syntax.text(syntax.child(value, 'name')))
  const callee = syntax.is(value, 'call_expression') ? syntax.child(value, 'function') : none
  if (!syntax.is(callee, 'scoped_identifier')) return null
  const makes = /^(?:new(?:_\w+)?|default|from(?:_\w+)?|with_\w+)$/.test(
    syntax.text(syntax.child(callee, 'name')),
  )
  return makes ? ownType(syntax.text(syntax.child(callee, 'path'))) : null
}

function ownType(text: string): string | null {
  return /(?:^|::)[A-Z]\w*(?:::)?(?:<|$)/.test(text) && text !== 'Self' ? text : null
}

// Rust's `impl` blocks are symbols named by their type.

const implementation: DefinitionReader = (syntax, node, level) => {
  const nameNode = plainType(syntax, syntax.child(node, 'type'))
  if (nameNode === none) return null
  const name = syntax.text(nameNode).replace(/\s+/g, '').slice(0, 100)
  return defined({ kind: 'impl', name, nameNode, node, body: syntax.child(node, 'body'), level })
}

/** `&mut a::P<T>` → `P`. */
function plainType(syntax: Syntax, type: number): number {
  let at = type
  for (let step = 0; step < 8; step++) {
    if (syntax.is(at, 'generic_type', 'reference_type', 'pointer_type')) at = syntax.child(at, 'type')
    else if (syntax.is(at, 'scoped_type_identifier')) at = syntax.child(at, 'name')
    else break
  }
  return at
}

// Rust's use trees, flattened: one fact per name, with the path before it as its source.

const deepestTree = 20

function useDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const reexport = syntax.childOf(node, 'visibility_modifier') !== none
  return treeFacts(syntax, syntax.child(node, 'argument'), '', reexport, 0)
}

function treeFacts(
  syntax: Syntax,
  tree: number,
  prefix: string,
  reexport: boolean,
  depth: number,
): ImportFact[] {
  if (tree === none || depth > deepestTree) return []
  const base = { line: syntax.startLine(tree), reexport, typeOnly: false }
  if (syntax.is(tree, 'scoped_use_list', 'use_list')) {
    const path = join(prefix, pathText(syntax, syntax.child(tree, 'path')))
    const list = syntax.is(tree, 'use_list') ? tree : syntax.child(tree, 'list')
    return syntax.children(list).flatMap((inner) => treeFacts(syntax, inner, path, reexport, depth + 1))
  }
  if (syntax.is(tree, 'use_wildcard')) {
    const path = join(prefix, pathText(syntax, syntax.children(tree)[0] ?? none))
    return [{ ...base, source: path, imported: '*', local: null }]
  }
  const renamed = syntax.is(tree, 'use_as_clause')
  const written = pathText(syntax, renamed ? syntax.child(tree, 'path') : tree)
  const alias = renamed ? syntax.child(tree, 'alias') : none
  const whole = join(prefix, written === 'self' && prefix !== '' ? '' : written)
  const cut = whole.lastIndexOf('::')
  const name = whole.slice(cut < 0 ? 0 : cut + 2)
  // `use Trait as _` puts the trait in scope without a name.
  const local = renamed ? (alias === none || syntax.text(alias) === '_' ? null : syntax.text(alias)) : name
  if (cut < 0 || written === 'self') return [{ ...base, source: whole, imported: '*', local }]
  return [{ ...base, source: whole.slice(0, cut), imported: name, local }]
}

function externCrate(syntax: Syntax, node: number): ImportFact[] {
  const source = syntax.text(syntax.child(node, 'name'))
  const alias = syntax.child(node, 'alias')
  const local = alias === none ? source : syntax.text(alias)
  const reexport = syntax.childOf(node, 'visibility_modifier') !== none
  return [{ line: syntax.startLine(node), source, imported: '*', local, reexport, typeOnly: false }]
}

/** `mod x;` includes another file, as `self::x`. */
function moduleFile(syntax: Syntax, node: number): ImportFact[] {
  if (syntax.child(node, 'body') !== none) return []
  const local = syntax.text(syntax.child(node, 'name'))
  const reexport = syntax.childOf(node, 'visibility_modifier') !== none
  return [
    {
      line: syntax.startLine(node),
      source: `self::${local}`,
      imported: '*',
      local,
      reexport,
      typeOnly: false,
    },
  ]
}

function pathText(syntax: Syntax, node: number): string {
  return syntax.text(node).replace(/\s+/g, '')
}

function join(prefix: string, path: string): string {
  return prefix === '' || path === '' ? prefix + path : `${prefix}::${path}`
}

// What Rust says about symbols around them: `pub`, traits, attributes.

function visibility({ syntax, definition, container }: SymbolContext): Visibility {
  const modifier = syntax.childOf(definition.node, 'visibility_modifier')
  if (modifier !== none) return syntax.text(modifier) === 'pub' ? 'exported' : 'internal'
  // Variants and their fields are as visible as the enum, what a trait asks for as the trait.
  if (definition.kind === 'enumerator' || container?.kind === 'enumerator') return 'exported'
  if (definition.kind === 'impl' || container?.kind === 'interface') return 'exported'
  if (definition.kind === 'macro')
    return hasAttribute(syntax, definition.node, /^#\[macro_export\b/) ? 'exported' : 'internal'
  const ofTrait = container?.kind === 'impl' && syntax.child(container.node, 'trait') !== none
  return ofTrait ? 'exported' : 'private'
}

/** `#[test]` and its relatives on functions, `#[cfg(test)]` on modules. */
function isTest({ syntax, definition: { kind, node } }: SymbolContext): boolean {
  if (kind === 'module') return hasAttribute(syntax, node, /^#\[cfg\(test\)\]/)
  if (kind !== 'function' && kind !== 'method') return false
  return hasAttribute(syntax, node, /^#\[(?:\w+::)*(?:test|bench|rstest|test_case|quickcheck|proptest)\b/)
}

function hasAttribute(syntax: Syntax, node: number, pattern: RegExp): boolean {
  for (let before = syntax.previous(node); before !== none; before = syntax.previous(before)) {
    if (syntax.isComment(before)) continue
    if (!syntax.is(before, 'attribute_item')) return false
    if (pattern.test(syntax.text(before).slice(0, 200))) return true
  }
  return false
}

export const rust: LanguageTable = {
  id: 'rust',
  grammar: 'rust',
  comments: ['line_comment', 'block_comment'],
  names: {
    identifier: 'read',
    type_identifier: 'type',
    field_identifier: 'property',
    shorthand_field_identifier: 'property',
  },
  places,
  scopes: {
    function_item: 'function',
    closure_expression: 'function',
    function_signature_item: 'block',
    block: 'block',
    match_arm: 'block',
    if_expression: 'block',
    while_expression: 'block',
    for_expression: 'block',
    impl_item: 'block',
    trait_item: 'block',
    struct_item: 'block',
    enum_item: 'block',
    union_item: 'block',
    type_item: 'block',
    field_declaration_list: 'class',
    enum_variant_list: 'class',
    'impl_item.body': 'class',
    'trait_item.body': 'class',
    'mod_item.body': 'module',
  },
  receivers: { field_expression: 'value', scoped_identifier: 'path', scoped_type_identifier: 'path' },
  looseReceiver,
  calls: { call_expression: 'arguments' },
  definitions: {
    function_item: { kind: 'function', inClass: 'method' },
    function_signature_item: { kind: 'function', inClass: 'method' },
    struct_item: { kind: 'struct' },
    union_item: { kind: 'struct' },
    enum_item: { kind: 'enum' },
    enum_variant: { kind: 'enumerator' },
    trait_item: { kind: 'interface' },
    impl_item: implementation,
    mod_item: { kind: 'module' },
    macro_definition: { kind: 'macro' },
    const_item: { kind: 'constant', body: 'value', result: 'type' },
    static_item: { kind: 'constant', body: 'value', result: 'type' },
    type_item: { kind: 'type' },
    associated_type: { kind: 'type' },
    field_declaration: { kind: 'field', result: 'type' },
  },
  variable: () => null,
  leading: ['attribute_item'],
  parameters,
  typed: {
    let_declaration: { name: 'pattern', type: 'type', value: 'value' },
    parameter: { name: 'pattern', type: 'type' },
    field_declaration: { name: 'name', type: 'type' },
    const_item: { name: 'name', type: 'type' },
    static_item: { name: 'name', type: 'type' },
  },
  transparentTypes: ['Box', 'Rc', 'Arc', 'std::rc::Rc', 'std::sync::Arc'],
  constructed,
  imports: {
    use_declaration: useDeclaration,
    extern_crate_declaration: externCrate,
    mod_item: moduleFile,
  },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/(?:\/\/(?!\/)|\*\*)/),
}
