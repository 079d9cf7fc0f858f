/** C. */
import type { Parameter, Visibility } from '../../domain/code-symbol.ts'
import type { ImportFact } from '../contract.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import {
  type Definition,
  type DefinitionReader,
  defined,
  type LanguageTable,
  type Level,
  type SymbolContext,
} from '../extraction/table.ts'
import { docBefore, parameter } from './shared-readers.ts'

// Declarators of C and C++: names wrapped in what makes them pointers, arrays and functions.

const wrapping = [
  'pointer_declarator',
  'array_declarator',
  'parenthesized_declarator',
  'attributed_declarator',
  'reference_declarator',
  'init_declarator',
  'variadic_declarator',
  'function_declarator',
]
const longestChain = 32

/** The name at the heart of a declarator, or none for an abstract one. */
export function nameOf(syntax: Syntax, declarator: number): number {
  let at = declarator
  for (let step = 0; step < longestChain && syntax.is(at, ...wrapping); step++) {
    const inner = syntax.child(at, 'declarator')
    at = inner === none ? (syntax.children(at).at(-1) ?? none) : inner
  }
  return syntax.is(at, ...wrapping) ? none : at
}

/** The declaration that a declarator belongs to: the first node around it that is no declarator. */
export function declarationOf(syntax: Syntax, declarator: number): number {
  let at = syntax.parent(declarator)
  for (let step = 0; step < longestChain && syntax.is(at, ...wrapping); step++) at = syntax.parent(at)
  return at
}

/** `int (*compare)(…)` declares a variable: a pointer is between the name and the parameters. */
export function isPointer(syntax: Syntax, functionDeclarator: number): boolean {
  return syntax.is(syntax.child(functionDeclarator, 'declarator'), 'parenthesized_declarator')
}

// What names are in C; C++ adds to it.

/** A pointer to a function is declared by a function's declarator: the name is still that of a variable or field. */
export const places: LanguageTable['places'] = {
  'function_declarator.declarator': (syntax, _, node) =>
    syntax.is(syntax.parent(node), 'function_declarator') ? 'type' : 'climb',
  'pointer_declarator.declarator': 'climb',
  'array_declarator.declarator': 'climb',
  'parenthesized_declarator.*': 'climb',
  'attributed_declarator.*': 'climb',
  'init_declarator.declarator': 'climb',
  'declaration.declarator': 'variable here',
  'field_declaration.declarator': 'variable',
  'parameter_declaration.declarator': 'local',
  'type_definition.declarator': 'ignore',
  'preproc_params.*': 'local',
  'call_expression.function': 'call',
  'field_expression.field': 'member',
  'field_designator.*': 'property',
  'assignment_expression.left': 'write',
  'update_expression.argument': 'write',
  'preproc_ifdef.name': 'read',
  'labeled_statement.label': 'ignore',
}

// Types that C writes beside names.

/** `struct store *self`, `Row made`: the name of the type, for each name of the declaration. */
export function declaredTypes(
  syntax: Syntax,
  node: number,
): { name: number; type: number; value?: number }[] {
  const written = syntax.child(node, 'type')
  const tag = syntax.is(written, 'struct_specifier', 'union_specifier', 'class_specifier', 'enum_specifier')
  const type = tag ? syntax.child(written, 'name') : syntax.is(written, 'primitive_type') ? none : written
  const inferred = syntax.is(written, 'placeholder_type_specifier') || syntax.text(written) === 'auto'
  return syntax.children(node, 'declarator').flatMap((declarator) => {
    const isFunction = syntax.is(declarator, 'function_declarator') && !isPointer(syntax, declarator)
    const name = nameOf(syntax, declarator)
    if (isFunction || !syntax.is(name, 'identifier', 'field_identifier')) return []
    const value = syntax.is(declarator, 'init_declarator') ? syntax.child(declarator, 'value') : none
    return [{ name, type: inferred ? none : type, value }]
  })
}

// Parameter lists of C and C++, and those of macros.

function parameters(syntax: Syntax, list: number): Parameter[] {
  // `(void)` is an empty list.
  if (/^\(\s*void\s*\)$/.test(syntax.text(list).slice(0, 30))) return []
  const found = syntax.children(list).map((node) => {
    if (syntax.is(node, 'identifier')) return parameter(syntax, node)
    if (syntax.is(node, 'variadic_parameter')) return parameter(syntax, '...', { variadic: true })
    const name = nameOf(syntax, syntax.child(node, 'declarator'))
    const known = syntax.is(name, 'identifier') ? name : ''
    return { ...parameter(syntax, known, isOptional(syntax, node)), type: writtenType(syntax, node, name) }
  })
  const text = syntax.text(list)
  const hasDots = /\.\.\.\s*\)$/.test(text.slice(-20)) && !found.some((one) => one.variadic)
  return hasDots ? [...found, parameter(syntax, '...', { variadic: true })] : found
}

function isOptional(syntax: Syntax, node: number): { optional: boolean; variadic: boolean } {
  return {
    optional: syntax.is(node, 'optional_parameter_declaration'),
    variadic: syntax.is(node, 'variadic_parameter_declaration'),
  }
}

/** `const char *path` is of the type `const char *`: all but the name and its default. */
function writtenType(syntax: Syntax, node: number, name: number): string {
  const value = syntax.child(node, 'default_value')
  const end = value === none ? syntax.end(node) : syntax.start(value)
  const text =
    name === none || name < node
      ? syntax.source.slice(syntax.start(node), end)
      : syntax.source.slice(syntax.start(node), syntax.start(name)) +
        syntax.source.slice(syntax.end(name), end)
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?=? ?$/, '')
    .trim()
    .slice(0, 300)
}

// What C defines; C++ adds to it.

/** A function, or a prototype of one at module level: what callers of another file see. */
const declared: DefinitionReader = (syntax, node, level) => {
  const nameNode = nameOf(syntax, node)
  const declaration = declarationOf(syntax, node)
  if (!syntax.is(nameNode, 'identifier') || isPointer(syntax, node) || isMarkedPointer(syntax, node))
    return null
  const isDefinition = syntax.is(declaration, 'function_definition')
  // The function's own scope is open already when its declarator comes.
  if (!isDefinition && (!syntax.is(declaration, 'declaration') || level !== 'module')) return null
  return defined({
    kind: 'function',
    name: syntax.text(nameNode),
    nameNode,
    node: declaration,
    body: syntax.child(declaration, 'body'),
    parameters: syntax.child(node, 'parameters'),
    result: syntax.child(declaration, 'type'),
    level: 'module',
  })
}

/** `int (CALL *name)(int)`: to the grammar a function `int` that returns a function. No function does. */
export function isMarkedPointer(syntax: Syntax, declarator: number): boolean {
  return (
    syntax.is(syntax.child(declarator, 'declarator'), 'function_declarator') ||
    syntax.is(syntax.parent(declarator), 'function_declarator')
  )
}

/** Structs and unions with a body; one without a name has that of its `typedef`. */
export const record: DefinitionReader = (syntax, node, level) => {
  const body = syntax.child(node, 'body')
  const nameNode = nameOrTypedef(syntax, node)
  if (body === none || nameNode === none) return null
  const whole = typedefAround(syntax, node)
  return defined({ kind: 'struct', name: syntax.text(nameNode), nameNode, node: whole, body, level })
}

const enumeration: DefinitionReader = (syntax, node, level) => {
  const found = record(syntax, node, level)
  return found && { ...found, kind: 'enum' }
}

/** `typedef … Name`, unless it is the only name of a struct. */
const typeName: DefinitionReader = (syntax, node, level) => {
  const declaration = declarationOf(syntax, node)
  if (!syntax.is(declaration, 'type_definition') || syntax.child(declaration, 'type') === node) return null
  const type = syntax.child(declaration, 'type')
  if (
    nameOf(syntax, syntax.child(declaration, 'declarator')) === node &&
    nameOrTypedef(syntax, type) === node
  )
    return null
  const name = syntax.text(node)
  const isTag = syntax.child(type, 'body') !== none
  // It is beside the struct that it names as well, not in it.
  const owner = isTag ? { name: '' } : null
  return defined({ kind: 'type', name, nameNode: node, node: declaration, owner, contains: false, level })
}

function nameOrTypedef(syntax: Syntax, specifier: number): number {
  const own = syntax.child(specifier, 'name')
  if (own !== none || syntax.child(specifier, 'body') === none) return own
  const around = syntax.parent(specifier)
  return syntax.is(around, 'type_definition') ? nameOf(syntax, syntax.child(around, 'declarator')) : none
}

function typedefAround(syntax: Syntax, specifier: number): number {
  const around = syntax.parent(specifier)
  return syntax.is(around, 'type_definition') ? around : specifier
}

const macro: DefinitionReader = (syntax, node) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  return defined({
    kind: 'macro',
    name: syntax.text(nameNode),
    nameNode,
    node,
    body: syntax.child(node, 'value'),
    parameters: syntax.child(node, 'parameters'),
    level: 'module',
  })
}

/** Variables of the file and fields of structs, several to a declaration. */
function variable(syntax: Syntax, name: number, node: number, level: Level): Definition | null {
  if (level === 'function') return null
  const declarators = syntax.children(node, 'declarator')
  const own = declarators.findLast((declarator) => declarator <= name) ?? name
  const type = syntax.child(node, 'type')
  const before = syntax.source.slice(syntax.start(node), Math.max(syntax.start(node), syntax.start(own)))
  const isFixed =
    /\b(?:const|constexpr)\b/.test(before.slice(0, 500)) && !syntax.is(own, 'pointer_declarator')
  return defined({
    kind: isFixed ? 'constant' : level === 'class' ? 'field' : 'variable',
    name: syntax.text(name),
    nameNode: name,
    node: declarators.length === 1 ? node : own,
    body: syntax.is(own, 'init_declarator')
      ? syntax.child(own, 'value')
      : syntax.child(node, 'default_value'),
    result: syntax.is(type, 'struct_specifier', 'union_specifier', 'enum_specifier') ? none : type,
    // `struct { … } x` holds the fields of its type, which are not the variable's.
    contains: syntax.child(type, 'body') === none,
    level,
  })
}

// What C and C++ include.

/** `#include "x.h"` includes all of `./x.h`, `#include <x.h>` all of `x.h`; whoever includes this file gets it too. */
function include(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.child(node, 'path')
  if (path === none || !syntax.is(path, 'string_literal', 'system_lib_string')) return []
  const inner = syntax.text(path).slice(1, -1)
  const source = syntax.is(path, 'string_literal') && !/^\.{0,2}\//.test(inner) ? `./${inner}` : inner
  return [
    { line: syntax.startLine(node), source, imported: '*', local: null, reexport: true, typeOnly: false },
  ]
}

// What C says about symbols by storage class and names.

/** `static` at module level keeps a name in its file. */
function visibility({ syntax, definition }: SymbolContext): Visibility {
  return definition.level === 'module' && isStatic(syntax, definition.node) ? 'private' : 'exported'
}

export function isStatic(syntax: Syntax, node: number): boolean {
  const declaration = syntax.is(node, 'declaration', 'function_definition')
    ? node
    : declarationOf(syntax, node)
  // A list of enumerators or a whole file is none, and each of what they hold asks.
  if (!syntax.is(declaration, 'declaration', 'function_definition', 'field_declaration')) return false
  const first = syntax.child(declaration, 'declarator')
  const end = first === none ? syntax.after(declaration) : first
  for (let child = declaration + 1; child < end; child = syntax.after(child))
    if (syntax.is(child, 'storage_class_specifier') && syntax.text(child) === 'static') return true
  return false
}

/** Unity, Check, cmocka and their kin: by name. */
function isTest({ definition: { kind, name } }: SymbolContext): boolean {
  return kind === 'function' && /^test_/.test(name)
}

export const c: LanguageTable = {
  id: 'c',
  grammar: 'c',
  comments: ['comment'],
  names: { identifier: 'read', type_identifier: 'type', field_identifier: 'property' },
  places,
  scopes: {
    function_definition: 'function',
    compound_statement: 'block',
    for_statement: 'block',
    field_declaration_list: 'class',
    preproc_function_def: 'function',
  },
  receivers: { field_expression: 'argument' },
  calls: { call_expression: 'arguments' },
  definitions: {
    function_declarator: declared,
    struct_specifier: record,
    union_specifier: record,
    enum_specifier: enumeration,
    enumerator: { kind: 'enumerator', body: 'value' },
    preproc_def: macro,
    preproc_function_def: macro,
    type_identifier: typeName,
  },
  variable,
  parameters,
  typed: {
    declaration: declaredTypes,
    field_declaration: declaredTypes,
    parameter_declaration: declaredTypes,
  },
  constructed: () => null,
  imports: { preproc_include: include },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/(?:\*|\/)/),
}
