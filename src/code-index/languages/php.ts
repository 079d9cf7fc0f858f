/** PHP. */
import type { Parameter, Visibility } from '../../domain/code-symbol.ts'
import type { ImportFact } from '../contract.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import {
  type Definition,
  type DefinitionReader,
  defined,
  type LanguageTable,
  type Level,
  type PlaceRule,
  type SymbolContext,
} from '../extraction/table.ts'
import { docBefore, parameter, parameterField } from './shared-readers.ts'

// What names are in PHP. A `$name` counts by the name behind its sign.

const assigned: PlaceRule = (syntax, name) =>
  syntax.is(syntax.parent(name), 'variable_name') &&
  !syntax.is(syntax.parent(syntax.parent(name)), 'scoped_property_access_expression')
    ? 'local hoisted'
    : 'write'

/** `$this` names no definition. */
const variable: PlaceRule = (syntax, name) => (syntax.text(name) === 'this' ? 'ignore' : 'climb')

const created: PlaceRule = (syntax, name) =>
  syntax.is(syntax.parent(name), 'variable_name') ? 'plain' : 'call'

const scope: PlaceRule = (syntax, name) =>
  syntax.is(syntax.parent(name), 'variable_name') ? 'plain' : 'type'

/** `Foo::class` names the class only. */
const classMember: PlaceRule = (syntax, name) => (syntax.text(name) === 'class' ? 'ignore' : 'property')

const places: LanguageTable['places'] = {
  'variable_name.*': variable,
  'property_element.name': 'climb',
  'property_declaration.*': 'variable',
  'property_promotion_parameter.name': 'local',
  'simple_parameter.name': 'local',
  'variadic_parameter.name': 'local',
  'assignment_expression.left': assigned,
  'reference_assignment_expression.left': assigned,
  'augmented_assignment_expression.left': 'write',
  'update_expression.*': 'write',
  'list_literal.*': 'climb',
  'foreach_statement#+': assigned,
  'pair.*': 'climb',
  'by_ref.*': 'climb',
  'catch_clause.name': 'local hoisted',
  'static_variable_declaration.name': 'local hoisted',
  'global_declaration.*': 'ignore',
  'anonymous_function_use_clause.*': 'local',
  'namespace_name.*': 'ignore',
  'qualified_name.*': 'climb',
  'relative_name.*': 'climb',
  'function_call_expression.function': 'call',
  'member_call_expression.name': 'call',
  'nullsafe_member_call_expression.name': 'call',
  'scoped_call_expression.name': 'call',
  'scoped_call_expression.scope': scope,
  'object_creation_expression#0': created,
  'class_constant_access_expression#0': scope,
  'class_constant_access_expression#+': classMember,
  'member_access_expression.name': 'member',
  'nullsafe_member_access_expression.name': 'member',
  'scoped_property_access_expression.name': 'member',
  'scoped_property_access_expression.scope': scope,
  'named_type.*': 'type',
  'base_clause.*': 'extends',
  'class_interface_clause.*': 'extends',
  'use_declaration.*': 'extends',
  'namespace_use_clause.alias': 'ignore',
  'namespace_use_clause.*': 'import',
  'attribute#0': 'decorator',
  'argument.name': 'property',
  'named_label_statement.*': 'ignore',
  'goto_statement.*': 'ignore',
}

const memberKinds: Readonly<Record<string, string>> = {
  member_call_expression: 'object',
  nullsafe_member_call_expression: 'object',
  member_access_expression: 'object',
  nullsafe_member_access_expression: 'object',
  scoped_call_expression: 'scope',
  scoped_property_access_expression: 'scope',
}

/**
 * What comes before `->`, `?->`, `::` and `\`, with dots for all of them and without dollar signs, so that it fits the
 * names of parameters. The global namespace is called `$`: `\A\b()` has the receiver `$.A`.
 */
function looseReceiver(syntax: Syntax, name: number): string | null {
  const path = syntax.parent(name)
  if (
    syntax.is(path, 'qualified_name', 'relative_name') &&
    !syntax.is(syntax.parent(path), 'namespace_use_clause')
  )
    return dotted(syntax.source.slice(syntax.start(path), Math.max(0, syntax.start(name) - 1))) || '$'
  const holder = syntax.is(syntax.parent(name), 'variable_name') ? syntax.parent(name) : name
  const access = syntax.parent(holder)
  const field = memberKinds[syntax.kind(access)]
  const before = syntax.is(access, 'class_constant_access_expression')
    ? (syntax.children(access)[0] ?? none)
    : field === undefined
      ? none
      : syntax.child(access, field)
  if (before === none || before === holder) return null
  const text = syntax.source.slice(
    syntax.start(before),
    Math.min(syntax.end(before), syntax.start(before) + 480),
  )
  return dotted(text.replace(/\s+/g, ' '))
    .replace(/ ?(?:\?->|->|::) ?/g, '.')
    .replace(/\$(?=\w)/g, '')
    .slice(0, 120)
}

/** `\A\B` → `$.A.B`, `A\B` → `A.B`. */
function dotted(path: string): string {
  return path.replace(/(^|[^\w\\])\\(?=\w)/g, '$1$$.').replaceAll('\\', '.')
}

// Where PHP writes types, names of variables and arguments.

/** The name behind the sign of a declared `$name`. */
function variableName(syntax: Syntax, node: number): number {
  return syntax.childOf(syntax.child(node, 'name'), 'name')
}

/** The type with members: `?Row` and `Row` are both `Row`. One with a path is in the signature only. */
function typeOf(syntax: Syntax, node: number): number {
  const type = syntax.child(node, 'type')
  const named = syntax.is(type, 'optional_type') ? syntax.childOf(type, 'named_type') : type
  return syntax.childOf(named, 'name')
}

/** `new Row(…)`. */
function constructed(syntax: Syntax, value: number): string | null {
  if (!syntax.is(value, 'object_creation_expression')) return null
  const type = syntax.children(value)[0] ?? none
  return syntax.is(type, 'name', 'qualified_name') ? dotted(syntax.text(type)) || null : null
}

/** Arguments are wrapped once more; `f(...)` makes a closure of `f` and calls nothing. */
function argumentsOf(syntax: Syntax, call: number): number[] | null {
  const listed = syntax.children(syntax.childOf(call, 'arguments'))
  if (listed.some((argument) => syntax.is(argument, 'variadic_placeholder'))) return null
  return listed.map((argument) =>
    syntax.is(argument, 'argument') && syntax.child(argument, 'name') === none
      ? (syntax.children(argument).at(-1) ?? argument)
      : argument,
  )
}

// PHP's parameter lists.

/** Any of them may be given by name, so names count without their sign. */
function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    const name = syntax.text(syntax.child(node, 'name')).replace(/^[&$\s]+/, '')
    if (name === '') return []
    const type = syntax.child(node, 'type')
    const optional = syntax.child(node, 'default_value') !== none
    return [parameter(syntax, name, { type, optional, variadic: syntax.is(node, 'variadic_parameter') })]
  })
}

// What PHP defines other than by the usual fields.

/** Properties, several to a declaration. */
function field(syntax: Syntax, name: number, declaration: number, level: Level): Definition | null {
  if (level !== 'class') return null
  const element = syntax.ancestor(name, 'property_element')
  if (element === none) return null
  const elements = syntax.children(declaration).filter((child) => syntax.is(child, 'property_element'))
  return defined({
    kind: 'field',
    name: syntax.text(name),
    nameNode: name,
    node: elements.length === 1 ? declaration : element,
    body: syntax.child(element, 'default_value'),
    result: syntax.child(declaration, 'type'),
    level,
  })
}

/** `const A = 1, B = 2`, at top level and in classes. */
const constant: DefinitionReader = (syntax, node, level) => {
  const [nameNode = none, body = none] = syntax.children(node)
  const declaration = syntax.parent(node)
  if (!syntax.is(nameNode, 'name') || level === 'function') return null
  const elements = syntax.children(declaration).filter((child) => syntax.is(child, 'const_element'))
  return defined({
    kind: 'constant',
    name: syntax.text(nameNode),
    nameNode,
    node: elements.length === 1 ? declaration : node,
    body,
    level,
  })
}

/** A constructor's parameter with a visibility is a property of the class as well. */
const promoted: DefinitionReader = (syntax, node) => {
  const nameNode = syntax.childOf(syntax.child(node, 'name'), 'name')
  if (nameNode === none) return null
  return parameterField(syntax, node, nameNode)
}

// PHP's namespaces and what is taken from them.

/**
 * `use A\B`, `use A\B as C`, `use A\{B, C as D}`: each names `B` of the file that `A\B` stands for;
 * `use function A\b` names `b` of the namespace `A`.
 */
function useDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const group = syntax.child(node, 'body')
  const prefix = group === none ? '' : compact(syntax.text(syntax.childOf(node, 'namespace_name')))
  const isClass = !/^use\s+(?:function|const)\b/i.test(syntax.text(node).slice(0, 100))
  const clauses = syntax.children(group === none ? node : group)
  return clauses
    .filter((clause) => syntax.is(clause, 'namespace_use_clause'))
    .map((clause) => {
      const [path = none] = syntax.children(clause)
      const alias = syntax.child(clause, 'alias')
      const whole = [prefix, compact(syntax.text(path))].filter((part) => part !== '').join('\\')
      const cut = whole.lastIndexOf('\\')
      const name = whole.slice(cut + 1)
      return {
        line: syntax.startLine(clause),
        source: isClass ? whole : whole.slice(0, Math.max(0, cut)),
        imported: name,
        local: alias === none ? name : syntax.text(alias),
        reexport: false,
        typeOnly: false,
      }
    })
}

function namespacesOf(syntax: Syntax): string[] {
  const nodes = syntax.children(0).filter((node) => syntax.is(node, 'namespace_definition'))
  return nodes.map((node) => compact(syntax.text(syntax.child(node, 'name'))))
}

function compact(path: string): string {
  return path.replace(/\s+/g, '').replace(/^\\|\\$/g, '')
}

// What PHP says about symbols by modifiers, attributes and names.

function visibility({ syntax, definition }: SymbolContext): Visibility {
  const { node } = definition
  const several = syntax.is(node, 'property_element', 'const_element')
  const word = syntax.text(syntax.childOf(several ? syntax.parent(node) : node, 'visibility_modifier'))
  if (word === 'private') return 'private'
  return word === 'protected' ? 'internal' : 'exported'
}

const testAttributes = new Set(['Test', 'DataProvider', 'TestWith'])

/** PHPUnit: methods by name, attribute or annotation; classes named after tests. */
function isTest({ syntax, definition: { kind, name, node } }: SymbolContext): boolean {
  if (kind === 'class') return /(?:Test|TestCase|Cest)$/.test(name)
  if (kind !== 'method') return false
  if (
    /^test(?:[A-Z_\d]|$)/.test(name) ||
    attributeNames(syntax, node).some((word) => testAttributes.has(word))
  )
    return true
  const before = syntax.previous(node)
  return syntax.isComment(before) && /@test\b/.test(syntax.text(before).slice(0, 2000))
}

function attributeNames(syntax: Syntax, node: number): string[] {
  const list = syntax.child(node, 'attributes')
  if (list === none) return []
  return syntax
    .children(list)
    .flatMap((group) => syntax.children(group))
    .map(
      (attribute) =>
        syntax
          .text(syntax.children(attribute)[0] ?? none)
          .split('\\')
          .at(-1) ?? '',
    )
}

export const php: LanguageTable = {
  id: 'php',
  grammar: 'php',
  comments: ['comment'],
  names: { name: 'read' },
  places,
  scopes: {
    'class_declaration.body': 'class',
    'interface_declaration.body': 'class',
    'trait_declaration.body': 'class',
    'enum_declaration.body': 'class',
    function_definition: 'function',
    method_declaration: 'function',
    anonymous_function: 'function',
    arrow_function: 'function',
  },
  receivers: {},
  looseReceiver,
  calls: {
    function_call_expression: argumentsOf,
    member_call_expression: argumentsOf,
    nullsafe_member_call_expression: argumentsOf,
    scoped_call_expression: argumentsOf,
    object_creation_expression: argumentsOf,
  },
  keywordArguments: { argument: 'name' },
  spreadArguments: ['variadic_unpacking'],
  callsIgnoreLocals: true,
  definitions: {
    class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    trait_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_case: { kind: 'enumerator', body: 'value' },
    function_definition: { kind: 'function' },
    method_declaration: { kind: 'method' },
    const_element: constant,
    property_promotion_parameter: promoted,
  },
  variable: field,
  parameters,
  typed: {
    simple_parameter: (syntax, node) => [{ name: variableName(syntax, node), type: typeOf(syntax, node) }],
    property_promotion_parameter: (syntax, node) => [
      { name: variableName(syntax, node), type: typeOf(syntax, node) },
    ],
    property_declaration: (syntax, node) =>
      syntax
        .children(node)
        .filter((child) => syntax.is(child, 'property_element'))
        .map((element) => ({ name: variableName(syntax, element), type: typeOf(syntax, node) })),
    assignment_expression: (syntax, node) => [
      {
        name: syntax.childOf(syntax.child(node, 'left'), 'name'),
        value: syntax.child(node, 'right'),
      },
    ],
  },
  constructed,
  imports: { namespace_use_declaration: useDeclaration },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/\*\*/),
  packageNames: namespacesOf,
}
