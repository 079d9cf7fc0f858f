/** Java. */
import type { Parameter, Visibility } from '../../domain/code-symbol.ts'
import type { ImportFact } from '../contract.ts'
import { none, type Syntax, typeText } from '../extraction/syntax.ts'
import {
  type Definition,
  defined,
  type LanguageTable,
  type Level,
  type PlaceRule,
  type SymbolContext,
} from '../extraction/table.ts'
import { docBefore, recordField } from './shared-readers.ts'

// What names are in Java.

/** Where the grammar names no fields: the identifier is the variable, the type identifier its type. */
const variableOfTwo: PlaceRule = (syntax, name) => (syntax.is(name, 'identifier') ? 'local' : 'plain')

const typeVariable: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter && syntax.is(name, 'type_identifier') ? 'local' : 'plain'

const listedType: PlaceRule = (syntax, _name, list) =>
  syntax.is(syntax.parent(list), 'super_interfaces', 'extends_interfaces') ? 'extends' : 'plain'

/** The packages before an imported name are not worth finding. */
const qualifier: PlaceRule = (syntax, name) =>
  syntax.ancestor(name, 'import_declaration', 'package_declaration') === none ? 'plain' : 'ignore'

/** `var` is no type. */
const localType: PlaceRule = (syntax, name) => (syntax.text(name) === 'var' ? 'ignore' : 'plain')

const places: LanguageTable['places'] = {
  'variable_declarator.name': 'climb',
  'field_declaration.declarator': 'variable',
  'constant_declaration.declarator': 'variable',
  'local_variable_declaration.declarator': 'local here',
  'local_variable_declaration.type': localType,
  'formal_parameter.name': 'local',
  'spread_parameter.*': variableOfTwo,
  'catch_formal_parameter.name': 'local',
  'resource.name': 'local',
  'enhanced_for_statement.name': 'local',
  'instanceof_expression.name': 'local',
  'record_pattern_component.*': variableOfTwo,
  'type_pattern.*': variableOfTwo,
  'inferred_parameters.*': 'local',
  'lambda_expression.parameters': 'local',
  'type_parameter.*': typeVariable,
  'method_invocation.name': 'call',
  'object_creation_expression.type': 'call',
  'method_reference#+': 'call',
  'generic_type.*': 'climb',
  'scoped_type_identifier#0': 'plain',
  'scoped_type_identifier#+': 'climb',
  'superclass.*': 'extends',
  'type_list.*': listedType,
  'annotation.name': 'decorator',
  'marker_annotation.name': 'decorator',
  'element_value_pair.key': 'property',
  'field_access.field': 'member',
  'assignment_expression.left': 'write',
  'update_expression.*': 'write',
  'scoped_identifier.name': 'climb',
  'scoped_identifier.scope': qualifier,
  'import_declaration.*': 'import',
  'package_declaration.*': 'ignore',
  'labeled_statement#0': 'ignore',
  'break_statement.*': 'ignore',
  'continue_statement.*': 'ignore',
}

// Java's parameter lists.

function parameters(syntax: Syntax, list: number): Parameter[] {
  const nodes = syntax.is(list, 'identifier') ? [list] : syntax.children(list)
  return nodes.flatMap((node) => {
    if (syntax.is(node, 'receiver_parameter')) return []
    const variadic = syntax.is(node, 'spread_parameter')
    const name = variadic
      ? syntax.child(syntax.childOf(node, 'variable_declarator'), 'name')
      : syntax.child(node, 'name')
    const text = syntax.text(name === none ? node : name)
    // `Foo this` only carries annotations.
    if (text === 'this') return []
    const type = variadic ? spreadType(syntax, node) : syntax.child(node, 'type')
    return [
      {
        name: text.slice(0, 200),
        type: type === none ? null : typeText(syntax, type),
        optional: variadic,
        variadic,
        keywordOnly: false,
      },
    ]
  })
}

function spreadType(syntax: Syntax, node: number): number {
  return syntax.children(node).find((child) => !syntax.is(child, 'modifiers', 'variable_declarator')) ?? none
}

// Java's fields, imports and package.

function field(syntax: Syntax, name: number, declaration: number, level: Level): Definition | null {
  if (level === 'function') return null
  const declarator = syntax.parent(name)
  const alone = syntax.children(declaration, 'declarator').length === 1
  const words = modifierWords(syntax, declaration)
  const fixed = words.includes('static') && words.includes('final')
  return defined({
    kind: fixed || syntax.is(declaration, 'constant_declaration') ? 'constant' : 'field',
    name: syntax.text(name),
    nameNode: name,
    node: alone ? declaration : declarator,
    body: syntax.child(declarator, 'value'),
    result: syntax.child(declaration, 'type'),
    level: 'class',
  })
}

/** `import static a.B.c` names `c` of `a.B`; `import a.B` names `B` of the file that `a.B` stands for. */
function importDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.childOf(node, 'scoped_identifier', 'identifier')
  const whole = compact(syntax.text(path))
  const cut = whole.lastIndexOf('.')
  const base = { line: syntax.startLine(node), reexport: false, typeOnly: false }
  if (syntax.childOf(node, 'asterisk') !== none)
    return [{ ...base, source: whole, imported: '*', local: null }]
  const name = whole.slice(cut + 1)
  const isStatic = /^import\s+static\b/.test(syntax.text(node).slice(0, 100))
  return [
    { ...base, source: isStatic ? whole.slice(0, Math.max(0, cut)) : whole, imported: name, local: name },
  ]
}

function packageOf(syntax: Syntax, declaration: number): string {
  return compact(syntax.text(syntax.childOf(declaration, 'scoped_identifier', 'identifier')))
}

function compact(path: string): string {
  return path.replace(/\s+/g, '')
}

// What Java says about symbols by modifiers, annotations and names.

function visibility({ syntax, definition, container }: SymbolContext): Visibility {
  // Whatever is in a method is its own, anonymous classes too.
  if (container?.kind === 'method') return 'private'
  const words = modifierWords(syntax, definition.node)
  if (words.includes('public')) return 'exported'
  if (words.includes('private')) return 'private'
  if (words.includes('protected')) return 'internal'
  if (definition.kind === 'enumerator' || container?.kind === 'interface') return 'exported'
  return 'internal'
}

/** `public static final`, without the annotations among them. */
export function modifierWords(syntax: Syntax, node: number): string[] {
  const declaration = syntax.is(node, 'variable_declarator') ? syntax.parent(node) : node
  const modifiers = syntax.childOf(declaration, 'modifiers')
  if (modifiers === none) return []
  let from = syntax.start(modifiers)
  const pieces: string[] = []
  for (const annotation of syntax.children(modifiers)) {
    pieces.push(syntax.source.slice(from, syntax.start(annotation)))
    from = syntax.end(annotation)
  }
  pieces.push(syntax.source.slice(from, syntax.end(modifiers)))
  return pieces.join(' ').split(/\s+/)
}

const testAnnotations = new Set([
  'Test',
  'ParameterizedTest',
  'RepeatedTest',
  'TestFactory',
  'TestTemplate',
  'Theory',
])

/** JUnit: annotated methods, `testX()` without parameters, classes named after tests. */
function isTest({ syntax, definition: { kind, name, node, parameters } }: SymbolContext): boolean {
  if (kind === 'class') return /^Test[A-Z]|(?:Test|Tests|TestCase)$/.test(name)
  if (kind !== 'method') return false
  const annotations = syntax
    .children(syntax.childOf(node, 'modifiers'))
    .map((annotation) => syntax.text(syntax.child(annotation, 'name')).split('.').at(-1) ?? '')
  if (annotations.some((word) => testAnnotations.has(word))) return true
  return /^test[A-Z]/.test(name) && /^\(\s*\)$/.test(syntax.text(parameters))
}

export const java: LanguageTable = {
  id: 'java',
  grammar: 'java',
  comments: ['line_comment', 'block_comment'],
  names: { identifier: 'read', type_identifier: 'type' },
  places,
  scopes: {
    class_declaration: 'block',
    interface_declaration: 'block',
    enum_declaration: 'block',
    record_declaration: 'block',
    class_body: 'class',
    interface_body: 'class',
    enum_body: 'class',
    annotation_type_body: 'class',
    method_declaration: 'function',
    constructor_declaration: 'function',
    compact_constructor_declaration: 'function',
    lambda_expression: 'function',
    static_initializer: 'function',
    block: 'block',
    for_statement: 'block',
    enhanced_for_statement: 'block',
    try_with_resources_statement: 'block',
    catch_clause: 'block',
    switch_block_statement_group: 'block',
    switch_rule: 'block',
  },
  receivers: {
    method_invocation: 'object',
    field_access: 'object',
    scoped_identifier: 'scope',
    scoped_type_identifier: '#0',
    method_reference: '#0',
  },
  calls: { method_invocation: 'arguments', object_creation_expression: 'arguments' },
  callsIgnoreLocals: true,
  decorators: ['annotation', 'marker_annotation'],
  definitions: {
    class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    record_declaration: { kind: 'class' },
    annotation_type_declaration: { kind: 'interface' },
    annotation_type_element_declaration: { kind: 'method', result: 'type' },
    method_declaration: { kind: 'method', result: 'type' },
    constructor_declaration: { kind: 'method' },
    compact_constructor_declaration: { kind: 'method' },
    enum_constant: { kind: 'enumerator' },
    formal_parameter: recordField,
  },
  variable: field,
  parameters,
  typed: {
    formal_parameter: { name: 'name', type: 'type' },
    local_variable_declaration: { name: 'declarator', inner: 'name', type: 'type', value: 'value' },
    field_declaration: { name: 'declarator', inner: 'name', type: 'type', value: 'value' },
    resource: { name: 'name', type: 'type', value: 'value' },
    enhanced_for_statement: { name: 'name', type: 'type' },
    instanceof_expression: { name: 'name', type: 'right' },
  },
  constructed: (syntax: Syntax, value: number) =>
    syntax.is(value, 'object_creation_expression') ? syntax.text(syntax.child(value, 'type')) : null,
  imports: { import_declaration: importDeclaration },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/\*\*/),
  packageNames: (syntax) => [packageOf(syntax, syntax.childOf(0, 'package_declaration'))],
}
