/** Python. */

import { none, type Syntax } from '../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../extraction/table.ts'
import { classOrTest, docString, isDocString, visibility } from './python-parts/conventions.ts'
import { allNames, importFrom, importStatement } from './python-parts/modules.ts'
import { parameters } from './python-parts/parameters.ts'
import { selfField, typeAlias, variable } from './python-parts/variables.ts'

/** `a.b = 1` writes a property and binds nothing. */
const unlessMember =
  (place: 'variable hoisted' | 'local hoisted' | 'local'): PlaceRule =>
  (syntax, name) =>
    syntax.is(syntax.parent(name), 'attribute') ? 'write' : place

const baseClass: PlaceRule = (syntax, _name, list) =>
  syntax.is(syntax.parent(list), 'class_definition') ? 'extends' : 'climb'

/** `Generic[T]` among base classes is one; any other subscript is an expression. */
const subscripted: PlaceRule = (syntax, _name, subscript) =>
  isBaseList(syntax, syntax.parent(subscript)) ? 'extends' : 'plain'

/** In `case x:` a bare name is bound, `case mod.X:` compares. */
const casePattern: PlaceRule = (syntax, name) =>
  syntax.children(syntax.parent(name)).length === 1 ? 'local hoisted' : 'plain'

function isBaseList(syntax: Syntax, node: number): boolean {
  return syntax.is(node, 'argument_list') && syntax.is(syntax.parent(node), 'class_definition')
}

export const python: LanguageTable = {
  id: 'python',
  grammar: 'python',
  comments: ['comment'],
  names: { identifier: 'read' },
  places: {
    'assignment.left': unlessMember('variable hoisted'),
    'augmented_assignment.left': 'write',
    'named_expression.name': 'local hoisted',
    'pattern_list.*': 'climb',
    'tuple_pattern.*': 'climb',
    'list_pattern.*': 'climb',
    'tuple.*': 'climb',
    'list_splat_pattern.*': 'climb',
    'dictionary_splat_pattern.*': 'climb',
    'parameters.*': 'local',
    'lambda_parameters.*': 'local',
    'default_parameter.name': 'local',
    'typed_parameter#0': 'local',
    'typed_default_parameter.name': 'local',
    'for_statement.left': unlessMember('local hoisted'),
    'for_in_clause.left': unlessMember('local'),
    'as_pattern_target.*': unlessMember('local hoisted'),
    'as_pattern#+': 'local hoisted',
    'case_pattern.*': casePattern,
    'class_pattern#0': 'read',
    'keyword_pattern#0': 'property',
    'keyword_pattern#+': casePattern,
    'union_pattern.*': 'climb',
    'splat_pattern.*': 'local hoisted',
    'call.function': 'call',
    'attribute.attribute': 'member',
    'decorator.*': 'decorator',
    'type.*': 'type',
    'generic_type.*': 'climb',
    'binary_operator.*': 'climb',
    'argument_list.*': baseClass,
    'subscript.value': subscripted,
    'keyword_argument.name': 'property',
    'dotted_name.*': 'climb',
    'import_statement.name': 'import',
    'import_from_statement.name': 'import',
    'import_from_statement.module_name': 'ignore',
    'future_import_statement.*': 'ignore',
    'aliased_import.name': 'climb',
    'aliased_import.alias': 'ignore',
    'relative_import.*': 'climb',
    'global_statement.*': 'outer',
    'nonlocal_statement.*': 'outer',
  },
  scopes: {
    function_definition: 'function',
    lambda: 'function',
    class_definition: 'class',
    list_comprehension: 'block',
    set_comprehension: 'block',
    dictionary_comprehension: 'block',
    generator_expression: 'block',
  },
  receivers: { attribute: 'object' },
  calls: { call: 'arguments' },
  keywordArguments: { keyword_argument: 'name' },
  spreadArguments: ['list_splat', 'dictionary_splat'],
  soleArguments: ['generator_expression'],
  decorators: ['decorator'],
  definitions: {
    function_definition: { kind: 'function', inClass: 'method' },
    class_definition: { kind: 'class' },
    type_alias_statement: typeAlias,
    attribute: selfField,
  },
  variable,
  wrappers: ['decorated_definition', 'expression_statement'],
  parameters,
  typed: {
    typed_parameter: { name: '#0', type: 'type' },
    typed_default_parameter: { name: 'name', type: 'type' },
    assignment: { name: 'left', type: 'type', value: 'right' },
  },
  transparentTypes: ['Optional', 'Final', 'ClassVar', 'typing.Optional', 't.Optional'],
  constructed,
  imports: { import_statement: importStatement, import_from_statement: importFrom },
  exports: { assignment: allNames, augmented_assignment: allNames },
  visibility,
  isTest: classOrTest,
  doc: docString,
  silent: { expression_statement: isDocString },
  borders: ['block', 'expression_statement', 'return_statement', 'tuple'],
  variantOf: (path) => (/(?:^|\/)__init__\.pyi?$/.test(path) ? 'init' : ''),
}

/** `Foo(…)` and `pkg.Foo(…)`: classes start with a capital by convention. */
function constructed(syntax: Syntax, value: number): string | null {
  const callee = syntax.is(value, 'call') ? syntax.child(value, 'function') : none
  const text = syntax.text(callee)
  return syntax.is(callee, 'identifier', 'attribute') && /(?:^|\.)[A-Z]\w*$/.test(text) ? text : null
}
