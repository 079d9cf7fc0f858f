/** TypeScript, and TSX with the grammar of its own. */
import { none, type Syntax } from '../extraction/syntax.ts'
import { type DefinitionReader, defined, type LanguageTable } from '../extraction/table.ts'
import { ecmascript, markupPlaces } from './ecmascript.ts'
import { classField } from './ecmascript-definitions.ts'
import { parameterField } from './shared-readers.ts'

export const typescript: LanguageTable = {
  ...ecmascript,
  id: 'typescript',
  grammar: 'typescript',
  names: { ...ecmascript.names, type_identifier: 'type' },
  definitions: {
    ...ecmascript.definitions,
    function_signature: { kind: 'function' },
    abstract_class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    type_alias_declaration: typeAlias,
    enum_declaration: { kind: 'enum' },
    internal_module: { kind: 'module' },
    module: namedModule,
    public_field_definition: classField('name'),
    abstract_method_signature: { kind: 'method' },
    method_signature: member('method'),
    property_signature: member('field'),
    required_parameter: parameterProperty,
    optional_parameter: parameterProperty,
  },
  places: {
    ...ecmascript.places,
    'public_field_definition.name': 'ignore',
    'method_signature.name': 'ignore',
    'property_signature.name': 'ignore',
    'required_parameter.pattern': 'local',
    'optional_parameter.pattern': 'local',
    // A name in a tuple type: `[first: A, rest?: B]`.
    'required_parameter.name': 'ignore',
    'optional_parameter.name': 'ignore',
    'type_parameter.name': 'local',
    'mapped_type_clause.name': 'local',
    'infer_type.*': 'local',
    'index_signature.name': 'ignore',
    'type_predicate.name': 'ignore',
    'enum_body.name': 'variable',
    'enum_assignment.name': 'variable',
    'extends_clause.value': 'extends',
    'implements_clause.*': 'extends',
    'extends_type_clause.type': 'extends',
    'generic_type.name': 'climb',
    'nested_type_identifier.name': 'climb',
    'nested_identifier.property': 'climb',
    'internal_module.name': 'ignore',
    'module.name': 'ignore',
    'non_null_expression.*': 'climb',
    'import_require_clause.*': 'import',
    'type_query.*': 'read',
  },
  scopes: {
    ...ecmascript.scopes,
    abstract_class_declaration: 'block',
    interface_declaration: 'block',
    type_alias_declaration: 'block',
    function_signature: 'block',
    method_signature: 'block',
    abstract_method_signature: 'block',
    call_signature: 'block',
    construct_signature: 'block',
    function_type: 'block',
    constructor_type: 'block',
    index_signature: 'block',
    interface_body: 'class',
    object_type: 'class',
    enum_body: 'class',
    'internal_module.body': 'module',
    'module.body': 'module',
  },
  receivers: { ...ecmascript.receivers, nested_type_identifier: 'module', nested_identifier: 'object' },
  wrappers: [...ecmascript.wrappers, 'ambient_declaration'],
  transparentTypes: ['Readonly', 'Partial', 'Required'],
  typed: {
    variable_declarator: { name: 'name', type: 'type', value: 'value' },
    assignment_expression: { name: 'left', type: 'type', value: 'right' },
    public_field_definition: { name: 'name', type: 'type', value: 'value' },
    property_signature: { name: 'name', type: 'type' },
    required_parameter: { name: 'pattern', type: 'type', value: 'value' },
    optional_parameter: { name: 'pattern', type: 'type', value: 'value' },
  },
}

export const tsx: LanguageTable = {
  ...typescript,
  id: 'tsx',
  grammar: 'tsx',
  places: { ...typescript.places, ...markupPlaces },
}

/** An alias of an object type has a body like an interface; of anything else, all of it is the signature. */
function typeAlias(...[syntax, node, level]: Parameters<DefinitionReader>): ReturnType<DefinitionReader> {
  const nameNode = syntax.child(node, 'name')
  const value = syntax.child(node, 'value')
  if (nameNode === none) return null
  const body = syntax.is(value, 'object_type') ? value : none
  return defined({ kind: 'type', name: syntax.text(nameNode), nameNode, node, body, level })
}

/** `declare module 'x' {…}` is named by its string. */
function namedModule(...[syntax, node, level]: Parameters<DefinitionReader>): ReturnType<DefinitionReader> {
  const nameNode = syntax.child(node, 'name')
  const name = syntax.text(nameNode).replace(/^['"]|['"]$/g, '')
  return defined({ kind: 'module', name, nameNode, node, body: syntax.child(node, 'body'), level })
}

/** Members of interfaces and of named object types, and overloads in classes; those of a type written inside a signature are part of it. */
function member(kind: 'method' | 'field'): DefinitionReader {
  return (syntax, node, level) => {
    const nameNode = syntax.child(node, 'name')
    if (!syntax.is(nameNode, 'property_identifier') || !isNamedType(syntax, syntax.parent(node))) return null
    return defined({
      kind,
      name: syntax.text(nameNode),
      nameNode,
      node,
      parameters: syntax.child(node, 'parameters'),
      result: syntax.child(node, kind === 'method' ? 'return_type' : 'type'),
      level,
    })
  }
}

const typeWrappers = ['union_type', 'intersection_type', 'parenthesized_type', 'object_type', 'readonly_type']

function isNamedType(syntax: Syntax, holder: number): boolean {
  let up = holder
  for (let level = 0; level < 20; level++) {
    if (syntax.is(up, 'interface_body', 'class_body', 'type_alias_declaration')) return true
    if (!syntax.is(up, ...typeWrappers, 'property_signature', 'type_annotation')) return false
    up = syntax.parent(up)
  }
  return false
}

/** `constructor(private store: Store)` declares a field of the class. */
function parameterProperty(...[syntax, node]: Parameters<DefinitionReader>): ReturnType<DefinitionReader> {
  const nameNode = syntax.child(node, 'pattern')
  if (!syntax.is(nameNode, 'identifier')) return null
  const before = syntax.source.slice(syntax.start(node), syntax.start(nameNode))
  if (!/\b(?:private|protected|public|readonly)\s/.test(before.slice(-60))) return null
  return parameterField(syntax, node, nameNode)
}
