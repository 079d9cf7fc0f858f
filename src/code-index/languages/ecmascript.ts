/** The table that JavaScript and TypeScript share; each adds what its grammar has besides. */
import type { Parameter, Visibility } from '../../domain/code-symbol.ts'
import { fold, none, type Syntax, typeText } from '../extraction/syntax.ts'
import {
  type Definition,
  type DefinitionReader,
  defined,
  type LanguageTable,
  type Level,
  type PlaceRule,
  type SymbolContext,
} from '../extraction/table.ts'
import {
  assignedFunction,
  definedByValue,
  isFunction,
  method,
  pair,
  partsOfFunction,
  testCall,
} from './ecmascript-definitions.ts'
import {
  callImport,
  commonJsExport,
  exportFrom,
  exportStatement,
  importStatement,
  requiredSource,
} from './ecmascript-modules.ts'
import { isModuleBody } from './ecmascript-wrappers.ts'
import { docBefore } from './shared-readers.ts'

// What names are and which nodes open scopes, in JavaScript and in everything built on it.

/** `<div>` is markup, `<Card>` uses a component. */
const element: PlaceRule = (syntax, name) => (/^[a-z]/.test(syntax.text(name)) ? 'ignore' : 'call')

/** `export { a } from` names something of another file. */
const exported: PlaceRule = (syntax, _name, specifier) =>
  syntax.child(syntax.parent(syntax.parent(specifier)), 'source') >= 0 ? 'import' : 'export'

const names: LanguageTable['names'] = {
  identifier: 'read',
  property_identifier: 'property',
  private_property_identifier: 'property',
  shorthand_property_identifier: 'read',
  shorthand_property_identifier_pattern: 'read',
}

const places: LanguageTable['places'] = {
  'variable_declarator.name': 'climb',
  'lexical_declaration.*': 'variable',
  'variable_declaration.*': 'variable hoisted',
  'object_pattern.*': 'climb',
  'array_pattern.*': 'climb',
  'rest_pattern.*': 'climb',
  'pair_pattern.value': 'climb',
  'pair_pattern.key': 'property',
  'assignment_pattern.left': 'climb',
  'object_assignment_pattern.left': 'climb',
  'formal_parameters.*': 'local',
  'arrow_function.parameter': 'local',
  'catch_clause.parameter': 'local',
  'for_in_statement.left': 'local',
  'function_expression.name': 'local',
  'generator_function.name': 'local',
  'class.name': 'local',
  'method_definition.name': 'ignore',
  'pair.key': 'property',
  'call_expression.function': 'call',
  'new_expression.constructor': 'call',
  'member_expression.property': 'member',
  'assignment_expression.left': 'write',
  'augmented_assignment_expression.left': 'write',
  'update_expression.argument': 'write',
  'class_heritage.*': 'extends',
  'decorator.*': 'decorator',
  'import_specifier.name': 'import',
  'import_specifier.alias': 'ignore',
  'import_clause.*': 'import',
  'namespace_import.*': 'ignore',
  'namespace_export.*': 'ignore',
  'export_specifier.name': exported,
  'export_specifier.alias': 'ignore',
  'export_statement.*': 'export',
}

/** For the grammars that read markup. */
export const markupPlaces: LanguageTable['places'] = {
  'jsx_opening_element.name': element,
  'jsx_self_closing_element.name': element,
  'jsx_closing_element.name': 'ignore',
  'jsx_attribute.*': 'property',
}

const scopes: LanguageTable['scopes'] = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  function_expression: 'function',
  generator_function: 'function',
  arrow_function: 'function',
  method_definition: 'function',
  class_static_block: 'function',
  statement_block: (syntax, body) => (isModuleBody(syntax, body) ? 'module' : 'block'),
  catch_clause: 'block',
  for_statement: 'block',
  for_in_statement: 'block',
  switch_body: 'block',
  class_declaration: 'block',
  class: 'block',
  class_body: 'class',
  object: 'class',
}

export const ecmascript = {
  comments: ['comment', 'html_comment'],
  names,
  places,
  scopes,
  receivers: { member_expression: 'object' },
  calls: { call_expression: 'arguments', new_expression: 'arguments' },
  spreadArguments: ['spread_element'],
  unknownArguments: ['template_string'],
  decorators: ['decorator'],
  definitions: {
    function_declaration: { kind: 'function' },
    generator_function_declaration: { kind: 'function' },
    class_declaration: { kind: 'class' },
    method_definition: method,
    pair,
    assignment_expression: assignedFunction,
    call_expression: testCall,
    export_statement: defaultExport,
  },
  variable,
  wrappers: ['export_statement', 'expression_statement'],
  leading: ['decorator'],
  parameters,
  constructed,
  imports: {
    import_statement: importStatement,
    export_statement: exportFrom,
    call_expression: callImport,
  },
  exports: { export_statement: exportStatement, assignment_expression: commonJsExport },
  visibility,
  isTest: ({ syntax, definition }) => syntax.is(definition.node, 'call_expression'),
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/\*\*/),
  borders: ['return_statement'],
} satisfies Partial<LanguageTable>

/** `const x = …`: a function or class when its value is one. Names of imported things are no symbols. */
function variable(
  syntax: Syntax,
  name: number,
  declaration: number,
  level: Level,
): Definition | 'imported' | null {
  if (syntax.is(declaration, 'enum_body', 'enum_assignment')) {
    const node = syntax.is(declaration, 'enum_body') ? name : declaration
    const value = syntax.child(node, 'value')
    return defined({ kind: 'enumerator', name: syntax.text(name), nameNode: name, node, body: value, level })
  }
  const declarator = syntax.ancestor(name, 'variable_declarator')
  if (declarator === none) return null
  const value = syntax.child(declarator, 'value')
  if (importsSomething(syntax, value)) return 'imported'
  const direct = syntax.parent(name) === declarator
  const named = direct && (isFunction(syntax, value) || syntax.is(value, 'class'))
  if (level === 'function' && !named) return null
  const alone = syntax.children(declaration).length === 1
  const kind = syntax.source.startsWith('const', syntax.start(declaration)) ? 'constant' : 'variable'
  const parts = { nameNode: name, node: declarator, value, level, kind, functionKind: 'function' } as const
  const found = definedByValue(syntax, parts)
  const node = alone ? declaration : declarator
  return direct ? { ...found, node } : { ...found, kind, node, contains: false, parameters: none }
}

function importsSomething(syntax: Syntax, value: number): boolean {
  let at = value
  for (let step = 0; step < 4; step++) {
    if (requiredSource(syntax, at) !== null) return true
    if (syntax.is(at, 'member_expression')) at = syntax.child(at, 'object')
    else if (syntax.is(at, 'await_expression', 'parenthesized_expression'))
      at = syntax.children(at)[0] ?? none
    else return false
  }
  return false
}

/** `export default` of something without a name of its own. */
function defaultExport(...[syntax, node, level]: Parameters<DefinitionReader>): Definition | null {
  const value = syntax.child(node, 'value')
  if (value === none || syntax.is(value, 'identifier') || level !== 'module') return null
  const base = { name: 'default', nameNode: value, node, level } as const
  if (isFunction(syntax, value))
    return defined({ ...base, kind: 'function', ...partsOfFunction(syntax, value) })
  if (syntax.is(value, 'class')) return defined({ ...base, kind: 'class', body: syntax.child(value, 'body') })
  return defined({ ...base, kind: 'constant', body: value })
}

/** `list` may be the one bare parameter of an arrow function. A leading `this` is not passed by callers. */
function parameters(syntax: Syntax, list: number): Parameter[] {
  const nodes = syntax.is(list, 'formal_parameters') ? syntax.children(list) : [list]
  return nodes.flatMap((node) => {
    const written = syntax.child(node, 'pattern')
    const assigned = syntax.is(node, 'assignment_pattern')
    const pattern = written !== none ? written : assigned ? syntax.child(node, 'left') : node
    if (syntax.is(node, 'decorator') || syntax.is(pattern, 'this')) return []
    const variadic = syntax.is(pattern, 'rest_pattern')
    const type = syntax.child(node, 'type')
    const optional =
      variadic || assigned || syntax.is(node, 'optional_parameter') || syntax.child(node, 'value') !== none
    return [
      {
        name: fold(syntax.text(pattern).slice(0, 200)).replace(/^\.\.\.\s*/, ''),
        type: type === none ? null : typeText(syntax, type),
        optional,
        variadic,
        keywordOnly: false,
      },
    ]
  })
}

function constructed(syntax: Syntax, value: number): string | null {
  if (syntax.is(value, 'new_expression')) return syntax.text(syntax.child(value, 'constructor'))
  if (syntax.is(value, 'as_expression')) return syntax.text(syntax.children(value)[1] ?? none)
  return null
}

function visibility({ syntax, definition, container, listed }: SymbolContext): Visibility {
  const { node, name, level } = definition
  if (syntax.is(node, 'call_expression')) return 'private'
  const modifier = syntax.text(syntax.childOf(node, 'accessibility_modifier'))
  if (modifier === 'private' || name.startsWith('#')) return 'private'
  if (modifier === 'protected') return 'internal'
  if (level === 'class') return container?.level === 'function' ? 'private' : 'exported'
  const wrapped = [node, syntax.parent(node), syntax.parent(syntax.parent(node))]
  if (wrapped.some((up) => syntax.is(up, 'export_statement'))) return 'exported'
  return container === null && listed?.has(name) ? 'exported' : 'private'
}
