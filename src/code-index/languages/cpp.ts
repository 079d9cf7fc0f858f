/** C++, on top of C. */
import { oncePer, remembered } from '../../base/remembered.ts'
import { upperBound } from '../../base/upper-bound.ts'
import type { Visibility } from '../../domain/code-symbol.ts'
import type { ImportFact } from '../contract.ts'
import { withoutGenerics } from '../extraction/references.ts'
import { fold, none, type Syntax } from '../extraction/syntax.ts'
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
  c,
  declarationOf,
  declaredTypes,
  isMarkedPointer,
  isPointer,
  isStatic,
  nameOf,
  places as placesOfC,
  record as recordOfC,
} from './c.ts'
import { titledTest } from './shared-readers.ts'

// What names are in C++, beyond C.

const declaredByLoop: PlaceRule = (syntax, name) => (syntax.is(name, 'identifier') ? 'local' : 'plain')

const typeVariable: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter ? 'local' : 'plain'

export const places: LanguageTable['places'] = {
  ...placesOfC,
  'reference_declarator.*': 'climb',
  'variadic_declarator.*': 'climb',
  'structured_binding_declarator.*': 'climb',
  'optional_parameter_declaration.declarator': 'local',
  'variadic_parameter_declaration.declarator': 'local',
  'for_range_loop.declarator': declaredByLoop,
  'type_parameter_declaration.*': typeVariable,
  'variadic_type_parameter_declaration.*': typeVariable,
  'optional_type_parameter_declaration.name': 'local',
  'base_class_clause.*': 'extends',
  'qualified_identifier.name': 'climb',
  'qualified_identifier.scope': 'plain',
  'nested_namespace_specifier.*': 'ignore',
  'namespace_definition.name': 'ignore',
  'namespace_alias_definition.name': 'ignore',
  'template_function.name': 'climb',
  'template_method.name': 'climb',
  'template_type.name': 'climb',
  'template_argument_list.*': 'type',
  'type_descriptor.type': 'climb',
  'destructor_name.*': 'ignore',
  'new_expression.type': 'call',
  'using_declaration.*': 'import',
  'field_initializer#0': 'write',
  'lambda_capture_specifier.*': 'plain',
}

/** `a::b::f`: every scope before the name, which may be a scope itself; `x.f<T>` and `p->f<T>`, where the arguments of the template are between. */
export function looseReceiver(syntax: Syntax, name: number): string | number | null {
  const template = syntax.parent(name)
  const holder = syntax.is(template, 'template_function', 'template_method', 'template_type')
    ? template
    : name
  const around = syntax.parent(holder)
  if (syntax.is(around, 'field_expression') && syntax.field(holder) === 'field')
    return holder === name ? null : syntax.child(around, 'argument')
  if (!syntax.is(around, 'qualified_identifier')) return null
  const scope = syntax.child(around, 'scope')
  if (scope === none) return null
  const end = holder === scope ? syntax.start(around) : syntax.end(scope)
  let outermost = around
  for (let up = syntax.parent(around); syntax.is(up, 'qualified_identifier'); up = syntax.parent(up))
    outermost = up
  const text = syntax.source.slice(syntax.start(outermost), end).slice(0, 480)
  return withoutGenerics(text.replace(/\s+/g, '').replace(/^::|::$/g, '')).slice(0, 120) || null
}

// What C++ values are made of, and what `using` takes in.

/** `new Row(…)`, `Row{…}`, `Row(…)` by a capital, `std::make_unique<Row>(…)`. */
function constructed(syntax: Syntax, value: number): string | null {
  if (syntax.is(value, 'new_expression', 'compound_literal_expression'))
    return syntax.text(syntax.child(value, 'type')) || null
  if (!syntax.is(value, 'call_expression')) return null
  const callee = syntax.text(syntax.child(value, 'function')).slice(0, 200)
  const made = /^(?:std::)?make_(?:unique|shared)<([\w:]+)>$/.exec(callee)?.[1]
  return made ?? (/^[A-Z][A-Z\d_]*[a-z]\w*$/.test(callee) ? callee : null)
}

function loopVariable(syntax: Syntax, node: number): { name: number; type: number }[] {
  const name = nameOf(syntax, syntax.child(node, 'declarator'))
  const written = syntax.child(node, 'type')
  if (!syntax.is(name, 'identifier')) return []
  return [{ name, type: syntax.is(written, 'placeholder_type_specifier') ? none : written }]
}

/** `using a::b` names `b`; `using namespace a` opens all of `a`. */
function usingDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.text(syntax.children(node).at(-1) ?? none).replace(/\s+/g, '')
  const base = { line: syntax.startLine(node), reexport: false, typeOnly: false }
  if (/^using\s+namespace\b/.test(syntax.text(node).slice(0, 60)))
    return [{ ...base, source: path, imported: '*', local: null }]
  const cut = path.lastIndexOf('::')
  const name = cut < 0 ? path : path.slice(cut + 2)
  return [{ ...base, source: path.slice(0, Math.max(0, cut)), imported: name, local: name }]
}

// What C++ defines, beyond C.

/** Functions and methods, in a class or out of it (`int Store::count()`), defined or declared; tests of gtest. */
const functionIn: DefinitionReader = (syntax, node, level) => {
  const heart = nameOf(syntax, node)
  const declaration = declarationOf(syntax, node)
  if (heart === none || isPointer(syntax, node) || isMarkedPointer(syntax, node)) return null
  const isDefinition = syntax.is(declaration, 'function_definition')
  const inClass = syntax.is(syntax.parent(unwrapped(syntax, declaration)), 'field_declaration_list')
  if (!isDefinition && (level === 'function' || !syntax.is(declaration, 'declaration', 'field_declaration')))
    return null
  const parameters = syntax.child(node, 'parameters')
  const body = syntax.child(declaration, 'body')
  const parts = { node: declaration, body, parameters, result: syntax.child(declaration, 'type') }
  const macro = syntax.text(heart)
  if (isDefinition && gtestMacros.has(macro)) return gtest(syntax, { ...parts, heart })
  const { nameNode, owner } = split(syntax, heart)
  const name = fold(syntax.text(nameNode)).replace(/^operator\s+(?=\W)/, 'operator')
  const isMethod = inClass || owner !== null
  return defined({
    ...parts,
    kind: isMethod ? 'method' : 'function',
    name,
    nameNode,
    owner,
    level: isMethod ? 'class' : 'module',
  })
}

function unwrapped(syntax: Syntax, declaration: number): number {
  const around = syntax.parent(declaration)
  return syntax.is(around, 'template_declaration') ? around : declaration
}

/** `app::Store::count` is `count` of `Store`. */
function split(syntax: Syntax, heart: number): { nameNode: number; owner: Definition['owner'] } {
  let nameNode = heart
  let scope = none
  for (let step = 0; step < 16 && syntax.is(nameNode, 'qualified_identifier'); step++) {
    scope = syntax.child(nameNode, 'scope')
    nameNode = syntax.child(nameNode, 'name')
  }
  if (syntax.is(nameNode, 'template_function', 'template_method')) nameNode = syntax.child(nameNode, 'name')
  const holder = syntax.is(scope, 'template_type') ? syntax.child(scope, 'name') : scope
  return { nameNode, owner: holder === none ? null : { name: syntax.text(holder) } }
}

const gtestMacros = new Set(['TEST', 'TEST_F', 'TEST_P', 'TYPED_TEST', 'TYPED_TEST_P'])

/** `TEST(Suite, Name) {}`: a test called by both of its words. */
function gtest(
  syntax: Syntax,
  { heart, parameters, node, body }: { heart: number; parameters: number; node: number; body: number },
): Definition | null {
  const words = syntax.children(parameters).map((word) => syntax.text(word))
  if (words.length !== 2) return null
  return defined({ kind: 'function', name: words.join('.'), nameNode: heart, node, body, level: 'module' })
}

const caseMacros = /^(?:TEST_CASE|SCENARIO|TEST_CASE_METHOD|TEMPLATE_TEST_CASE|BOOST_AUTO_TEST_CASE)$/

/** Catch2 and doctest: `TEST_CASE("loads") {…}` is a call and, as the grammar sees it, a block of its own behind it. */
const testCase: DefinitionReader = (syntax, node, level) => {
  const call = syntax.childOf(node, 'call_expression')
  if (call === none || !caseMacros.test(syntax.text(syntax.child(call, 'function')).slice(0, 40))) return null
  const list = syntax.child(call, 'arguments')
  const title = syntax.children(list).find((argument) => syntax.is(argument, 'string_literal')) ?? none
  const body = syntax.after(node)
  const isBlock = syntax.is(body, 'compound_statement') && syntax.parent(body) === syntax.parent(node)
  const found = titledTest(syntax, { node, title, body: isBlock ? body : none, level })
  return found && { ...found, span: { first: node, last: body } }
}

/** Classes and structs with a body. A specialisation is called by the name of its template. */
const record: DefinitionReader = (syntax, node, level) => {
  const path = syntax.child(node, 'name')
  if (path === none) return recordOfC(syntax, node, level)
  const body = syntax.child(node, 'body')
  if (body === none) return null
  const { nameNode, owner } = split(syntax, path)
  const bare = syntax.is(nameNode, 'template_type') ? syntax.child(nameNode, 'name') : nameNode
  const kind = syntax.is(node, 'class_specifier') ? 'class' : 'struct'
  return defined({ kind, name: syntax.text(bare), nameNode: bare, node, body, owner, level })
}

const enumeration: DefinitionReader = (syntax, node, level) => {
  const found = record(syntax, node, level)
  return found && { ...found, kind: 'enum' }
}

/** A namespace without a name holds what belongs to this file only; it is no symbol. */
const namespace: DefinitionReader = (syntax, node, level: Level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const name = syntax.text(nameNode).replace(/\s+/g, '')
  return defined({ kind: 'module', name, nameNode, node, body: syntax.child(node, 'body'), level })
}

const concept: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const body = syntax.children(node).find((child) => child > nameNode) ?? none
  return defined({ kind: 'type', name: syntax.text(nameNode), nameNode, node, body, level })
}

// What C++ says about symbols by sections, storage class and names.

const sections: Readonly<Record<string, Visibility>> = {
  public: 'exported',
  protected: 'internal',
  private: 'private',
}

/** In a class the section decides; elsewhere `static` and nameless namespaces keep a name in its file. */
function visibility({ syntax, definition: { node, kind } }: SymbolContext): Visibility {
  const around = syntax.ancestor(node, 'field_declaration_list', 'namespace_definition')
  if (syntax.is(around, 'field_declaration_list')) return sectionOf(syntax, node, around)
  if (around !== none && syntax.child(around, 'name') === none) return 'private'
  const hidden = (kind === 'function' || kind === 'variable' || kind === 'constant') && isStatic(syntax, node)
  return hidden ? 'private' : 'exported'
}

/** The last `public:`, `protected:` or `private:` before it; else what the word `class` or `struct` says. */
function sectionOf(syntax: Syntax, node: number, list: number): Visibility {
  // Each member asks, so a list is gone through once.
  const specifiers = remembered(sectionsIn(syntax), list, () =>
    syntax.children(list).filter((child) => syntax.is(child, 'access_specifier')),
  )
  const last = specifiers[upperBound(specifiers, node) - 1]
  const unsaid = syntax.is(syntax.parent(list), 'class_specifier') ? 'private' : 'exported'
  return last === undefined ? unsaid : (sections[syntax.text(last)] ?? unsaid)
}

const sectionsIn = oncePer((_: Syntax) => new Map<number, number[]>())

/** gtest, Catch2, doctest and Boost by their macros; plain functions by name. */
function isTest({ syntax, definition: { kind, name, nameNode, node } }: SymbolContext): boolean {
  if (kind !== 'function') return false
  return (
    syntax.is(node, 'expression_statement') ||
    /^(?:TEST|TYPED_TEST)(?:_[FP])?$/.test(syntax.text(nameNode)) ||
    /^test_/.test(name)
  )
}

export const cpp: LanguageTable = {
  ...c,
  id: 'cpp',
  grammar: 'cpp',
  names: { ...c.names, namespace_identifier: 'read' },
  places,
  scopes: {
    ...c.scopes,
    lambda_expression: 'function',
    catch_clause: 'block',
    for_range_loop: 'block',
    template_declaration: 'block',
    'namespace_definition.body': 'module',
  },
  looseReceiver,
  calls: { ...c.calls, new_expression: 'arguments' },
  spreadArguments: ['parameter_pack_expansion'],
  definitions: {
    ...c.definitions,
    function_declarator: functionIn,
    struct_specifier: record,
    class_specifier: record,
    enum_specifier: enumeration,
    namespace_definition: namespace,
    alias_declaration: { kind: 'type', body: 'type' },
    concept_definition: concept,
    expression_statement: testCase,
  },
  wrappers: ['template_declaration'],
  typed: {
    ...c.typed,
    optional_parameter_declaration: declaredTypes,
    for_range_loop: loopVariable,
  },
  transparentTypes: [
    'std::unique_ptr',
    'std::shared_ptr',
    'std::weak_ptr',
    'std::optional',
    'unique_ptr',
    'shared_ptr',
    'optional',
  ],
  constructed,
  imports: { ...c.imports, using_declaration: usingDeclaration },
  visibility,
  isTest,
}
