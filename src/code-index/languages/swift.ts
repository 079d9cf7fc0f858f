/** Swift. */
import type { Parameter, SymbolKind, Visibility } from '../../domain/code-symbol.ts'
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
import { docBefore, parameter } from './shared-readers.ts'

// What names are in Swift.

/** The names that a pattern binds, and not the types and cases it compares with. */
const bound: PlaceRule = (syntax, name) => (syntax.is(name, 'simple_identifier') ? 'climb' : 'plain')

const boundBy =
  (place: 'variable' | 'variable after' | 'local'): PlaceRule =>
  (syntax, name) =>
    syntax.is(name, 'simple_identifier') ? place : 'plain'

const parameterName: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter && syntax.is(name, 'simple_identifier') ? 'local' : 'plain'

const typeVariable: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter && syntax.is(name, 'type_identifier') ? 'local' : 'plain'

/** `guard let x` binds for what follows, `if let x` for its block; what it is given is outside. */
const optionalBinding: PlaceRule = (syntax, _name, statement) =>
  syntax.is(statement, 'guard_statement') ? 'local hoisted given' : 'local given'

/** `case let x` binds; `case .red` and `case Foo.bar` compare. */
const casePattern: PlaceRule = (syntax, name) =>
  syntax.field(name) === 'bound_identifier' ? 'local' : 'plain'

const called: PlaceRule = (syntax, _name, call) =>
  syntax.is(syntax.childOf(call, 'call_suffix'), 'call_suffix') ? 'call' : 'plain'

/** Only `a.b = …` and `a = …`; what is in brackets is read. */
const assigned: PlaceRule = (syntax, name) =>
  syntax.ancestor(name, 'value_arguments', 'directly_assignable_expression') ===
  syntax.ancestor(name, 'directly_assignable_expression')
    ? 'write'
    : 'plain'

const places: LanguageTable['places'] = {
  'pattern.*': bound,
  'property_declaration.name': boundBy('variable after'),
  'protocol_property_declaration.name': boundBy('variable'),
  'for_statement.item': boundBy('local'),
  'catch_block.error': casePattern,
  'switch_pattern.*': casePattern,
  'if_statement.bound_identifier': optionalBinding,
  'guard_statement.bound_identifier': optionalBinding,
  'while_statement.bound_identifier': 'local given',
  'parameter.name': parameterName,
  'parameter.external_name': 'ignore',
  'lambda_parameter.*': parameterName,
  'type_parameter#0': typeVariable,
  'call_expression#0': called,
  'navigation_suffix.suffix': 'member',
  'navigation_expression.suffix': 'climb',
  'value_argument_label.*': 'property',
  'directly_assignable_expression.*': assigned,
  'user_type#0': 'climb',
  'user_type#+': 'climb',
  'inheritance_specifier.inherits_from': 'extends',
  'inheritance_constraint.inherits_from': 'type',
  'class_declaration.name': 'type',
  'attribute.*': 'decorator',
  'identifier.*': (syntax, name, path) =>
    syntax.is(syntax.parent(path), 'import_declaration') && syntax.children(path).at(-1) !== name
      ? 'ignore'
      : 'climb',
  'import_declaration.*': 'import',
  'enum_entry.name': 'ignore',
  'precedence_group_declaration.*': 'ignore',
}

/** The name after a dot is in a suffix; what is before it is the target of the expression around. */
function looseReceiver(syntax: Syntax, name: number): number | null {
  const suffix = syntax.parent(name)
  if (syntax.is(suffix, 'user_type')) {
    const [first = none] = syntax.children(suffix)
    return first === name || !syntax.is(name, 'type_identifier') ? null : first
  }
  return syntax.is(suffix, 'navigation_suffix') ? syntax.child(syntax.parent(suffix), 'target') : null
}

// Where Swift writes arguments and types.

type Typed = { name: number; type?: number; value?: number }

/** Those in brackets, labelled ones still wrapped, then closures behind them. */
function argumentsOf(syntax: Syntax, call: number): number[] {
  const suffix = syntax.childOf(call, 'call_suffix')
  const listed = syntax.children(syntax.childOf(suffix, 'value_arguments'))
  const closures = syntax.children(suffix).filter((child) => syntax.is(child, 'lambda_literal'))
  return [...listed, ...closures]
}

/** Names and types share a field: the identifier is the name, what follows is the type. */
function parameterType(syntax: Syntax, node: number): Typed[] {
  const [name = none, type = none] = syntax.children(node, 'name')
  return syntax.is(name, 'simple_identifier') ? [{ name, type: plainType(syntax, type) }] : []
}

function declaredType(syntax: Syntax, node: number): Typed[] {
  const children = syntax.children(node)
  return children.flatMap((child, index) => {
    if (!syntax.is(child, 'pattern') || syntax.field(child) !== 'name') return []
    const name = syntax.child(child, 'bound_identifier')
    const [next = none, after = none] = [children[index + 1], children[index + 2]]
    const annotation = syntax.is(next, 'type_annotation') ? next : none
    const value = annotation === none ? next : after
    return [
      {
        name,
        type: plainType(syntax, syntax.child(annotation, 'name')),
        value: syntax.field(value) === 'value' ? value : none,
      },
    ]
  })
}

/** `Row?` has the members of `Row`, as far as a reader is concerned. */
function plainType(syntax: Syntax, type: number): number {
  if (syntax.is(type, 'optional_type')) return plainType(syntax, syntax.child(type, 'wrapped'))
  return syntax.is(type, 'user_type') ? type : none
}

// Swift's parameters are in the declaration itself, each default behind its parameter.

/** Called by its label, when it has one: `from others:` is `from`, `_ row:` is `row` by place. */
function parameters(syntax: Syntax, declaration: number): Parameter[] {
  const nodes = syntax.children(declaration)
  const byPlace = syntax.is(declaration, 'subscript_declaration')
  return nodes.flatMap((node, index) => {
    if (!syntax.is(node, 'parameter')) return []
    const [name = none, type = none] = syntax.children(node, 'name')
    const label = syntax.text(syntax.child(node, 'external_name'))
    const next = nodes[index + 1] ?? none
    const end = next === none ? syntax.end(declaration) : syntax.start(next)
    const text = syntax.source.slice(syntax.end(node) - 3, Math.min(end, syntax.end(node) + 20))
    const variadic = /^(?:\.{3}|\S{0,3}\s*\.{3})/.test(text)
    return [
      parameter(syntax, label === '' || label === '_' ? name : label, {
        type,
        optional: syntax.field(next) === 'default_value',
        variadic,
        keywordOnly: label !== '_' && !byPlace,
      }),
    ]
  })
}

// What Swift defines.

const kinds: Readonly<Record<string, SymbolKind>> = {
  class: 'class',
  actor: 'class',
  struct: 'struct',
  enum: 'enum',
  extension: 'impl',
}

/** Classes, structs, enums, actors and extensions: the grammar has one kind for all of them. */
const container: DefinitionReader = (syntax, node, level) => {
  const written = syntax.child(node, 'name')
  if (written === none) return null
  const nameNode = syntax.is(written, 'user_type') ? (syntax.children(written).at(-1) ?? none) : written
  const before = syntax.source.slice(
    Math.max(syntax.start(node), syntax.start(written) - 60),
    syntax.start(written),
  )
  const word = before.trimEnd().split(/\W/).at(-1) ?? ''
  const kind = kinds[word] ?? 'class'
  const body = syntax.child(node, 'body')
  return defined({ kind, name: syntax.text(nameNode), nameNode, node, body, level })
}

/** Functions, initialisers, deinitialisers and subscripts, the last three called by their keywords. */
const callable: DefinitionReader = (syntax, node, level) => {
  const children = syntax.children(node)
  const named = children.find((child) => syntax.field(child) === 'name') ?? none
  const firstParameter = children.find((child) => syntax.is(child, 'parameter')) ?? none
  const body = syntax.child(node, 'body')
  const hasName = syntax.is(named, 'simple_identifier') && (firstParameter === none || named < firstParameter)
  const name = hasName ? syntax.text(named) : keywordOf(syntax, node)
  const property = syntax.childOf(node, 'computed_property')
  return defined({
    kind: level === 'class' ? 'method' : 'function',
    name,
    nameNode: hasName ? named : node,
    node,
    body: body === none ? property : body,
    parameters: syntax.is(node, 'deinit_declaration') ? none : node,
    result: resultOf(syntax, children, hasName ? named : none, body),
    level,
  })
}

function keywordOf(syntax: Syntax, node: number): string {
  if (syntax.is(node, 'deinit_declaration')) return 'deinit'
  if (syntax.is(node, 'subscript_declaration')) return 'subscript'
  // An operator is a name without a node.
  const text = syntax.text(node).slice(0, 400)
  return /\bfunc\s+([^\s\w(]{1,10})\s*[(<]/.exec(text)?.[1] ?? 'init'
}

/** The type behind the arrow has the field of a name. */
function resultOf(syntax: Syntax, children: readonly number[], name: number, body: number): number {
  const types = children.filter((child) => syntax.field(child) === 'name' && child !== name)
  const last = types.at(-1) ?? none
  return last !== none && (body === none || last < body) ? last : none
}

/** `let` and `var`, several to a declaration; what a property computes is its body. */
function property(syntax: Syntax, name: number, node: number, level: Level): Definition | null {
  if (level === 'function') return null
  const children = syntax.children(node)
  const patterns = children.filter((child) => syntax.field(child) === 'name')
  const own = patterns.findLast((pattern) => pattern <= name) ?? none
  const rest = children.filter(
    (child) => child > own && (patterns.find((other) => other > own) ?? child + 1) > child,
  )
  const annotation = rest.find((child) => syntax.is(child, 'type_annotation')) ?? none
  const value = rest.find((child) => ['value', 'computed_value'].includes(syntax.field(child))) ?? none
  return defined({
    kind: level === 'class' ? 'field' : 'variable',
    name: syntax.text(name),
    nameNode: name,
    node: patterns.length === 1 ? node : own,
    body: value,
    result: syntax.child(annotation, 'name'),
    level,
  })
}

/** `case red, green`: each name is an enumerator. */
const enumerator: DefinitionReader = (syntax, node, level) => {
  const entry = syntax.parent(node)
  if (!syntax.is(entry, 'enum_entry') || syntax.field(node) !== 'name') return null
  const alone = syntax.children(entry, 'name').length === 1
  return defined({
    kind: 'enumerator',
    name: syntax.text(node),
    nameNode: node,
    node: alone ? entry : node,
    level,
  })
}

// What Swift imports: modules, seldom single declarations of them.

/** `import A` imports all of `A`; `import struct A.B` names `B`. */
function importDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.text(syntax.childOf(node, 'identifier')).replace(/\s+/g, '')
  const text = syntax.text(node).slice(0, 300)
  const base = { line: syntax.startLine(node), reexport: /@_exported\b/.test(text), typeOnly: false }
  const cut = path.lastIndexOf('.')
  if (cut < 0 || !/\bimport\s+(?:struct|class|enum|protocol|typealias|func|let|var)\s/.test(text))
    return [{ ...base, source: path, imported: '*', local: null }]
  const name = path.slice(cut + 1)
  return [{ ...base, source: path.slice(0, cut), imported: name, local: name }]
}

// What Swift says about symbols by modifiers and names.

/** Members of a protocol are seen as far as it is; cases of an enum as far as the enum. */
function visibility({ syntax, definition, container }: SymbolContext): Visibility {
  const own = wordOf(syntax, definition.node)
  const inherits = container?.kind === 'interface' || definition.kind === 'enumerator'
  const word = own === '' && inherits && container ? wordOf(syntax, container.node) : own
  if (word === 'public' || word === 'open') return 'exported'
  return word === 'private' || word === 'fileprivate' ? 'private' : 'internal'
}

/** `public private(set)` is public: only setting is private. */
function wordOf(syntax: Syntax, node: number): string {
  const declaration = syntax.is(node, 'pattern', 'simple_identifier') ? syntax.parent(node) : node
  return (
    syntax
      .children(syntax.childOf(declaration, 'modifiers'))
      .filter((child) => syntax.is(child, 'visibility_modifier'))
      .map((child) => syntax.text(child))
      .find((text) => !text.includes('(')) ?? ''
  )
}

/** XCTest by names, Swift Testing by its attribute. */
function isTest({ syntax, definition: { kind, name, node, parameters } }: SymbolContext): boolean {
  if (kind === 'class' || kind === 'struct') return /(?:Tests?|TestCase)$/.test(name)
  if (kind !== 'method' && kind !== 'function') return false
  const modifiers = syntax.text(syntax.childOf(node, 'modifiers')).slice(0, 500)
  if (/@Test\b/.test(modifiers)) return true
  const takesNothing = !syntax.children(parameters).some((child) => syntax.is(child, 'parameter'))
  return kind === 'method' && /^test(?:[A-Z_\d]|$)/.test(name) && takesNothing
}

export const swift: LanguageTable = {
  id: 'swift',
  grammar: 'swift',
  comments: ['comment', 'multiline_comment'],
  names: { simple_identifier: 'read', type_identifier: 'type' },
  places,
  scopes: {
    class_declaration: 'block',
    protocol_declaration: 'block',
    class_body: 'class',
    enum_class_body: 'class',
    protocol_body: 'class',
    function_declaration: 'function',
    deinit_declaration: 'function',
    subscript_declaration: 'function',
    protocol_function_declaration: 'block',
    computed_property: 'function',
    computed_getter: 'function',
    computed_setter: 'function',
    lambda_literal: 'function',
    if_statement: 'block',
    for_statement: 'block',
    while_statement: 'block',
    catch_block: 'block',
    switch_entry: 'block',
    do_statement: 'block',
  },
  receivers: {},
  looseReceiver,
  calls: { call_expression: argumentsOf },
  keywordArguments: { value_argument: 'name' },
  decorators: ['attribute'],
  definitions: {
    class_declaration: container,
    protocol_declaration: { kind: 'interface' },
    function_declaration: callable,
    protocol_function_declaration: callable,
    subscript_declaration: callable,
    deinit_declaration: callable,
    typealias_declaration: { kind: 'type' },
    associatedtype_declaration: { kind: 'type' },
    simple_identifier: enumerator,
  },
  variable: property,
  parameters,
  typed: { parameter: parameterType, property_declaration: declaredType },
  constructed: (syntax: Syntax, value: number) => {
    const callee = syntax.children(value)[0] ?? none
    const name = syntax.text(callee)
    const isType = syntax.is(callee, 'simple_identifier') && /^[A-Z]/.test(name)
    return syntax.is(value, 'call_expression') && isType ? name : null
  },
  imports: { import_declaration: importDeclaration },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/(?:\/\/|\*\*)/),
}
