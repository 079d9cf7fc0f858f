/** Go. */
import type { Parameter, Visibility } from '../../domain/code-symbol.ts'
import type { ImportFact } from '../contract.ts'
import { none, type Syntax, typeText } from '../extraction/syntax.ts'
import {
  type Definition,
  type DefinitionReader,
  defined,
  definedBy,
  type LanguageTable,
  type Level,
  type PlaceRule,
  type SymbolContext,
} from '../extraction/table.ts'
import { docBefore } from './shared-readers.ts'

// Go's parameter lists: several names may share a type, and names may be left out.

function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    const type = syntax.child(node, 'type')
    const variadic = syntax.is(node, 'variadic_parameter_declaration')
    const names = syntax.children(node, 'name').map((name) => syntax.text(name))
    return (names.length === 0 ? ['_'] : names).map((name) => ({
      name,
      type: type === none ? null : typeText(syntax, type),
      optional: variadic,
      variadic,
      keywordOnly: false,
    }))
  })
}

// Go's definitions that the usual fields do not describe.

/** A method belongs to its receiver's type, wherever that is. */
const method: DefinitionReader = (syntax, node) => {
  const found = definedBy({ kind: 'method', result: 'result' }, syntax, node, 'class')
  const [receiver] = syntax.children(syntax.child(node, 'receiver'))
  const type = receiver === undefined ? '' : syntax.text(syntax.child(receiver, 'type'))
  const name = /^\*?\s*(\w+)/.exec(type)?.[1]
  return found && name !== undefined ? { ...found, owner: { name } } : found
}

const interfaceMethod: DefinitionReader = (syntax, node) =>
  definedBy({ kind: 'method', result: 'result' }, syntax, node, 'class')

const typeSpec: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const type = syntax.child(node, 'type')
  const isStruct = syntax.is(type, 'struct_type')
  const isInterface = syntax.is(type, 'interface_type')
  return defined({
    kind: isStruct ? 'struct' : isInterface ? 'interface' : 'type',
    name: syntax.text(nameNode),
    nameNode,
    node: aloneIn(syntax, node),
    body: isStruct ? syntax.childOf(type, 'field_declaration_list') : isInterface ? type : none,
    level,
  })
}

/** Package variables, constants, and fields of structs; inside functions they are locals. */
function variable(syntax: Syntax, name: number, declaration: number, level: Level): Definition | null {
  const text = syntax.text(name)
  if (level === 'function' || text === '_') return null
  const names = syntax.children(declaration, 'name')
  const [value = none] = syntax.children(syntax.child(declaration, 'value'))
  const isField = syntax.is(declaration, 'field_declaration')
  const base = { name: text, nameNode: name, level, contains: names.length === 1 }
  if (names.length === 1 && syntax.is(value, 'func_literal'))
    return defined({
      ...base,
      kind: 'function',
      node: aloneIn(syntax, declaration),
      body: syntax.child(value, 'body'),
      parameters: syntax.child(value, 'parameters'),
      result: syntax.child(value, 'result'),
    })
  return defined({
    ...base,
    kind: isField ? 'field' : syntax.is(declaration, 'const_spec') ? 'constant' : 'variable',
    node: isField ? declaration : aloneIn(syntax, declaration),
    body: syntax.child(declaration, 'value'),
    result: syntax.child(declaration, 'type'),
  })
}

/** `var x = 1` is all of it; in `var ( … )` each line is one. */
function aloneIn(syntax: Syntax, spec: number): number {
  const holder = syntax.parent(spec)
  const grouped = syntax.is(holder, 'var_spec_list') || /^\w+\s*\(/.test(syntax.text(holder).slice(0, 40))
  return grouped ? spec : holder
}

// Go's imports: a package is called by its alias, or by the last word of its path that is no version.

function importSpec(syntax: Syntax, node: number): ImportFact[] {
  const source = syntax.text(syntax.child(node, 'path')).slice(1, -1)
  const alias = syntax.child(node, 'name')
  const word = syntax.text(alias)
  const local = alias === none ? packageOf(source) : word === '.' || word === '_' ? null : word
  return [{ line: syntax.startLine(node), source, imported: '*', local, reexport: false, typeOnly: false }]
}

/** `github.com/x/go-yaml/v3` → `go-yaml`, `gopkg.in/yaml.v3` → `yaml`. The package clause may say otherwise. */
function packageOf(source: string): string {
  const parts = source.split('/')
  const last = parts.at(-1) ?? ''
  const word = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last
  return word.replace(/\.v\d+$/, '')
}

// What Go says by convention: capitals and names of tests.

function visibility({ definition }: SymbolContext): Visibility {
  return /^\p{Lu}/u.test(definition.name) ? 'exported' : 'internal'
}

/** Told by name and parameter, so that the facts do not depend on the file's name. */
function isTest({ syntax, definition: { kind, name, parameters, level } }: SymbolContext): boolean {
  if (kind !== 'function' || level !== 'module') return false
  const [, word] = /^(Test|Benchmark|Fuzz|Example)(?![a-z])/.exec(name) ?? []
  if (word === undefined) return false
  const list = syntax.text(parameters).slice(0, 100)
  return word === 'Example' ? /^\(\s*\)$/.test(list) : /\*testing\.[TBFM]\b/.test(list)
}

const written: PlaceRule = (syntax, name) => (syntax.text(name) === '_' ? 'ignore' : 'write')

/** A field without a name is an embedded type. */
const fieldType: PlaceRule = (syntax, _name, field) =>
  syntax.child(field, 'name') === none ? 'extends' : 'type'

/** The same in an interface, unless it is one of several alternatives. */
const element: PlaceRule = (syntax, _name, element) =>
  syntax.is(syntax.parent(element), 'interface_type') && syntax.children(element).length === 1
    ? 'extends'
    : 'plain'

/** `Engine{Name: …}` names a field; the keys of a map are values. */
const literalKey: PlaceRule = (syntax, _name, element) => {
  const isKey = syntax.field(element) === 'key'
  const literal = syntax.ancestor(element, 'composite_literal')
  return isKey && !syntax.is(syntax.child(literal, 'type'), 'map_type') ? 'property' : 'plain'
}

export const go: LanguageTable = {
  id: 'go',
  grammar: 'go',
  comments: ['comment'],
  names: {
    identifier: 'read',
    type_identifier: 'type',
    field_identifier: 'property',
    package_identifier: 'read',
  },
  places: {
    'expression_list.*': 'climb',
    'short_var_declaration.left': 'local after',
    'receive_statement.left': 'local after',
    'range_clause.left': 'local after',
    'type_switch_statement.alias': 'local',
    'var_spec.name': 'variable after',
    'const_spec.name': 'variable after',
    'parameter_declaration.name': 'local',
    'variadic_parameter_declaration.name': 'local',
    'type_parameter_declaration.name': 'local',
    'field_declaration.name': 'variable',
    'field_declaration.type': fieldType,
    'type_elem.*': element,
    'qualified_type.name': 'climb',
    'generic_type.type': 'climb',
    'call_expression.function': 'call',
    'type_conversion_expression.type': 'call',
    'selector_expression.field': 'member',
    'assignment_statement.left': written,
    'inc_statement.*': 'write',
    'dec_statement.*': 'write',
    'literal_element.*': literalKey,
    'import_spec.name': 'ignore',
    'package_clause.*': 'ignore',
  },
  scopes: {
    function_declaration: 'function',
    method_declaration: 'function',
    func_literal: 'function',
    function_type: 'block',
    method_elem: 'block',
    type_spec: 'block',
    block: 'block',
    if_statement: 'block',
    for_statement: 'block',
    expression_switch_statement: 'block',
    type_switch_statement: 'block',
    expression_case: 'block',
    type_case: 'block',
    default_case: 'block',
    communication_case: 'block',
    field_declaration_list: 'class',
    interface_type: 'class',
  },
  receivers: { selector_expression: 'operand', qualified_type: 'package' },
  calls: { call_expression: 'arguments' },
  spreadArguments: ['variadic_argument'],
  expandingArguments: ['call_expression'],
  definitions: {
    function_declaration: { kind: 'function', result: 'result' },
    method_declaration: method,
    method_elem: interfaceMethod,
    type_spec: typeSpec,
    type_alias: typeSpec,
  },
  variable,
  parameters,
  typed: {
    parameter_declaration: { name: 'name', type: 'type' },
    var_spec: { name: 'name', type: 'type', value: 'value' },
    field_declaration: { name: 'name', type: 'type' },
    short_var_declaration: { name: 'left', value: 'right' },
  },
  valueLists: ['expression_list'],
  constructed,
  imports: { import_spec: importSpec },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/(?:\*|\/(?!go:|line ))/),
  packageNames: (syntax) => [
    syntax.text(syntax.childOf(syntax.childOf(0, 'package_clause'), 'package_identifier')),
  ],
}

/** `T{…}`, `&T{…}` and `new(T)`. */
function constructed(syntax: Syntax, value: number): string | null {
  if (syntax.is(value, 'unary_expression')) {
    const operand = syntax.child(value, 'operand')
    return syntax.is(operand, 'composite_literal') ? constructed(syntax, operand) : null
  }
  if (syntax.is(value, 'composite_literal')) return syntax.text(syntax.child(value, 'type'))
  if (!syntax.is(value, 'call_expression') || syntax.text(syntax.child(value, 'function')) !== 'new')
    return null
  return syntax.text(syntax.children(syntax.child(value, 'arguments'))[0] ?? none)
}
