/** Python. */
import type { Parameter, SymbolKind, Visibility } from '../../domain/code-symbol.ts'
import type { ExportFact, ImportFact } from '../contract.ts'
import { none, type Syntax, typeText } from '../extraction/syntax.ts'
import {
  type Definition,
  type DefinitionReader,
  defined,
  type LanguageTable,
  type Level,
  type PlaceRule,
  type SymbolContext,
} from '../extraction/table.ts'
import { firstLine } from './shared-readers.ts'

// Python's parameter lists. The receiver of a method is left out: callers do not pass it.

function parameters(syntax: Syntax, list: number): Parameter[] {
  const found: Parameter[] = []
  let keywordOnly = false
  const nodes = syntax.children(list)
  for (const node of hasReceiver(syntax, list) ? nodes.slice(1) : nodes) {
    if (syntax.is(node, 'keyword_separator')) keywordOnly = true
    if (syntax.is(node, 'keyword_separator', 'positional_separator')) continue
    const named = syntax.child(node, 'name')
    const first = syntax.is(node, 'typed_parameter') ? (syntax.children(node)[0] ?? none) : node
    const pattern = named === none ? first : named
    const variadic = syntax.is(pattern, 'list_splat_pattern', 'dictionary_splat_pattern')
    const type = syntax.child(node, 'type')
    found.push({
      name: syntax
        .text(pattern)
        .replace(/^\*+\s*/, '')
        .slice(0, 200),
      type: type === none ? null : typeText(syntax, type),
      optional: variadic || syntax.child(node, 'value') !== none,
      variadic,
      keywordOnly: keywordOnly || syntax.is(pattern, 'dictionary_splat_pattern'),
    })
    if (syntax.is(pattern, 'list_splat_pattern')) keywordOnly = true
  }
  return found
}

/** A method may be defined for one version of Python and not for another. */
const conditional = [
  'if_statement',
  'elif_clause',
  'else_clause',
  'try_statement',
  'except_clause',
  'finally_clause',
  'with_statement',
] as const

function hasReceiver(syntax: Syntax, list: number): boolean {
  const definition = syntax.parent(list)
  // A lambda that a class gives a name is a method like any other.
  const named = syntax.is(definition, 'lambda') ? syntax.parent(definition) : none
  if (!syntax.is(definition, 'function_definition') && !syntax.is(named, 'assignment')) return false
  const wrapper = syntax.parent(named === none ? definition : syntax.parent(named))
  const decorated = syntax.is(wrapper, 'decorated_definition')
  let around = decorated ? syntax.parent(wrapper) : wrapper
  while (syntax.is(around, 'block', ...conditional)) around = syntax.parent(around)
  if (!syntax.is(around, 'class_definition')) return false
  return !(
    decorated &&
    syntax.children(wrapper).some((child) => /^@\s*staticmethod\b/.test(syntax.text(child).slice(0, 40)))
  )
}

// Names that Python defines by assigning to them.

function variable(syntax: Syntax, name: number, assignment: number, level: Level): Definition | null {
  const text = syntax.text(name)
  if (level === 'function' || text === '__all__') return null
  const value = syntax.child(assignment, 'right')
  const direct = syntax.parent(name) === assignment
  const base = { name: text, nameNode: name, node: assignment, level }
  if (direct && syntax.is(value, 'lambda'))
    return defined({
      ...base,
      kind: level === 'class' ? 'method' : 'function',
      parameters: syntax.child(value, 'parameters'),
      body: syntax.child(value, 'body'),
    })
  return defined({
    ...base,
    kind: kindOf(syntax, text, assignment, level),
    body: value,
    result: direct ? syntax.child(assignment, 'type') : none,
    // The parts of `a, b = …` and `a = b = …` do not contain each other.
    contains: direct && !syntax.is(value, 'assignment'),
  })
}

function kindOf(syntax: Syntax, name: string, assignment: number, level: Level): SymbolKind {
  if (level !== 'class') return /^_{0,2}[A-Z][A-Z\d_]*$/.test(name) ? 'constant' : 'variable'
  const bases = syntax.text(syntax.child(syntax.ancestor(assignment, 'class_definition'), 'superclasses'))
  return /(?:Enum|Flag)\b/.test(bases) ? 'enumerator' : 'field'
}

/** `self.x = …` in a method gives the class a field, the first time it is written. */
const selfField: DefinitionReader = (syntax, node, level) => {
  if (level !== 'function' || !/^(?:self|cls)$/.test(syntax.text(syntax.child(node, 'object')))) return null
  const holder = syntax.parent(node)
  const target = syntax.is(holder, 'pattern_list', 'tuple_pattern') ? holder : node
  const assignment = syntax.parent(target)
  if (!syntax.is(assignment, 'assignment') || syntax.field(target) !== 'left') return null
  const nameNode = syntax.child(node, 'attribute')
  return defined({
    kind: 'field',
    name: syntax.text(nameNode),
    nameNode,
    node: assignment,
    body: syntax.child(assignment, 'right'),
    result: syntax.child(assignment, 'type'),
    owner: 'class',
    contains: false,
    level: 'class',
  })
}

/** `type Name[T] = …`. */
const typeAlias: DefinitionReader = (syntax, node, level) => {
  const left = syntax.child(node, 'left')
  const inner = syntax.childOf(left, 'generic_type')
  const nameNode = syntax.childOf(inner === none ? left : inner, 'identifier')
  if (nameNode === none) return null
  return defined({ kind: 'type', name: syntax.text(nameNode), nameNode, node, level })
}

// Python's imports in all their forms, and `__all__`.

/** `import a.b` is called `a.b` here, because that is what is written before the name. */
function importStatement(syntax: Syntax, node: number): ImportFact[] {
  return syntax.children(node, 'name').map((part) => {
    const { name, alias } = aliased(syntax, part)
    return {
      line: syntax.startLine(part),
      source: name,
      imported: '*',
      local: alias ?? name,
      reexport: false,
      typeOnly: false,
    }
  })
}

/** Names imported by a package's `__init__` are there for others to import from it. */
function importFrom(syntax: Syntax, node: number, variant: string): ImportFact[] {
  const source = compact(syntax.text(syntax.child(node, 'module_name')))
  const base = { source, reexport: variant === 'init', typeOnly: false }
  if (syntax.childOf(node, 'wildcard_import') !== none)
    return [{ ...base, line: syntax.startLine(node), imported: '*', local: null }]
  return syntax.children(node, 'name').map((part) => {
    const { name, alias } = aliased(syntax, part)
    return { ...base, line: syntax.startLine(part), imported: name, local: alias ?? name }
  })
}

function aliased(syntax: Syntax, part: number): { name: string; alias: string | null } {
  if (!syntax.is(part, 'aliased_import')) return { name: compact(syntax.text(part)), alias: null }
  return {
    name: compact(syntax.text(syntax.child(part, 'name'))),
    alias: syntax.text(syntax.child(part, 'alias')),
  }
}

function compact(text: string): string {
  return text.replace(/[\s\\]+/g, '')
}

/** `__all__ = ['a', 'b']`, `__all__ += […]`. */
function allNames(syntax: Syntax, node: number): ExportFact[] {
  if (syntax.text(syntax.child(node, 'left')) !== '__all__') return []
  const list = syntax.child(node, 'right')
  if (!syntax.is(list, 'list', 'tuple', 'expression_list')) return []
  return syntax
    .children(list)
    .filter((item) => syntax.is(item, 'string'))
    .map((item) => {
      const name = syntax.text(syntax.childOf(item, 'string_content'))
      return { exported: name, local: name, line: syntax.startLine(item) }
    })
}

// What Python says by convention: underscores, test names, documentation strings.

function visibility({ definition: { name, level }, container, listed }: SymbolContext): Visibility {
  if (level === 'module' && container === null && listed?.has(name)) return 'exported'
  if (/^__\w+__$/.test(name)) return 'exported'
  if (name.startsWith('_')) return 'private'
  return level === 'module' && listed !== null ? 'internal' : 'exported'
}

/** pytest and unittest: `test_x`, `TestX`, subclasses of a `TestCase`. */
function classOrTest({ syntax, definition: { kind, name, level, node } }: SymbolContext): boolean {
  if (level === 'function') return false
  if (kind === 'function' || kind === 'method') return /^test(?:_|[A-Z]|$)/.test(name)
  if (kind !== 'class') return false
  return (
    /^Test(?:[A-Z_\d]|$)/.test(name) || /TestCase\b/.test(syntax.text(syntax.child(node, 'superclasses')))
  )
}

function docString(syntax: Syntax, { body }: Definition): string | null {
  const [first] = syntax.is(body, 'block') ? syntax.children(body) : []
  if (first === undefined || !isDocString(syntax, first)) return null
  const string = syntax.children(first)[0] ?? none
  return firstLine(syntax.text(syntax.childOf(string, 'string_content')))
}

/** A statement that is nothing but a string. */
function isDocString(syntax: Syntax, statement: number): boolean {
  const [only, more] = syntax.children(statement)
  return only !== undefined && more === undefined && syntax.is(only, 'string')
}

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
  comments: ['comment', 'line_continuation'],
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
