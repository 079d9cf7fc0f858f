/** Ruby. */
import { oncePer, remembered } from '../../base/remembered.ts'
import { upperBound } from '../../base/upper-bound.ts'
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
import { docBefore, parameter, titledTest } from './shared-readers.ts'

// What Ruby says about who may call: words that come before methods, around them or name them.

const visibilityWords: Readonly<Record<string, Visibility>> = {
  private: 'private',
  protected: 'internal',
  public: 'exported',
  private_class_method: 'private',
  private_constant: 'private',
}

function visibility({ syntax, definition: { kind, name, node } }: SymbolContext): Visibility {
  if (kind === 'class' || kind === 'module') return 'exported'
  if (name.startsWith('@')) return 'private'
  const list = syntax.parent(node)
  const around = visibilityWords[syntax.text(syntax.child(syntax.parent(list), 'method'))]
  if (syntax.is(list, 'argument_list') && around !== undefined) return around
  // The symbols of `attr_reader :a` are in a call, and that in the body.
  const statement = syntax.is(node, 'simple_symbol') ? syntax.parent(list) : node
  return saidOf(syntax, statement, name)
}

/** A bare `private` counts for all methods behind it, `private :name` for that one; neither for `def self.x`. */
function saidOf(syntax: Syntax, statement: number, name: string): Visibility {
  const { bare, named } = wordsIn(syntax, syntax.parent(statement))
  const later = named.get(name)?.find(({ node }) => node > statement)
  if (later) return later.word
  if (syntax.is(statement, 'singleton_method', 'assignment')) return 'exported'
  const before = upperBound(bare.nodes, statement - 1)
  return bare.words[before - 1] ?? 'exported'
}

type Said = { node: number; word: Visibility }
/** What a body says of the visibility of its members, in order: to all that follow, and by name. */
type BodyWords = { bare: { nodes: number[]; words: Visibility[] }; named: Map<string, Said[]> }

const saidIn = oncePer((_: Syntax) => new Map<number, BodyWords>())

/** Each member of a body asks, so its statements are gone through once. */
function wordsIn(syntax: Syntax, body: number): BodyWords {
  return remembered(saidIn(syntax), body, () => readWords(syntax, body))
}

function readWords(syntax: Syntax, body: number): BodyWords {
  const found: BodyWords = { bare: { nodes: [], words: [] }, named: new Map() }
  for (const node of syntax.children(body)) {
    const isBare = syntax.is(node, 'identifier')
    if (!isBare && !syntax.is(node, 'call')) continue
    const word = visibilityWords[syntax.text(isBare ? node : syntax.child(node, 'method'))]
    if (word === undefined) continue
    if (isBare) {
      found.bare.nodes.push(node)
      found.bare.words.push(word)
    } else
      for (const name of namesOf(syntax, node))
        remembered(found.named, name, (): Said[] => []).push({ node, word })
  }
  return found
}

function namesOf(syntax: Syntax, call: number): string[] {
  if (syntax.child(call, 'receiver') !== none) return []
  return syntax
    .children(syntax.child(call, 'arguments'))
    .filter((argument) => syntax.is(argument, 'simple_symbol'))
    .map((argument) => syntax.text(argument).slice(1))
}

// What names are in Ruby.

/** A bare name on the left is a local, a constant defines itself, the others are written to. */
const assigned: PlaceRule = (syntax, name, assignment) => {
  if (syntax.is(name, 'identifier') && !syntax.is(syntax.parent(name), 'call')) return 'local hoisted here'
  return syntax.is(name, 'constant') && syntax.parent(name) === assignment ? 'variable' : 'write'
}

/** `include A` and its kin give a class the methods of `A`. */
const mixedIn: PlaceRule = (syntax, name, list) => {
  const call = syntax.parent(list)
  if (!syntax.is(name, 'constant') || syntax.child(call, 'receiver') !== none) return 'plain'
  const isMixin = /^(?:include|extend|prepend)$/.test(syntax.text(syntax.child(call, 'method')))
  return isMixin && isClassBody(syntax, syntax.parent(call)) ? 'extends' : 'plain'
}

function isClassBody(syntax: Syntax, node: number): boolean {
  return (
    syntax.is(node, 'body_statement') && syntax.is(syntax.parent(node), 'class', 'module', 'singleton_class')
  )
}

const places: LanguageTable['places'] = {
  'assignment.left': assigned,
  'operator_assignment.left': assigned,
  'left_assignment_list.*': 'climb',
  'destructured_left_assignment.*': 'climb',
  'rest_assignment.*': 'climb',
  'method_parameters.*': 'local',
  'block_parameters.*': 'local',
  'lambda_parameters.*': 'local',
  'destructured_parameter.*': 'climb',
  'optional_parameter.name': 'local',
  'keyword_parameter.name': 'local',
  'splat_parameter.name': 'local',
  'hash_splat_parameter.name': 'local',
  'block_parameter.name': 'local',
  'exception_variable.*': 'local hoisted',
  'for.pattern': 'local hoisted',
  'call.method': 'call',
  'scope_resolution.name': 'climb',
  'superclass.*': 'extends',
  'argument_list.*': mixedIn,
}

// Ruby's calls: their arguments, what they make, what they load.

/** Without the block. */
function argumentsOf(syntax: Syntax, call: number): number[] {
  return syntax
    .children(syntax.child(call, 'arguments'))
    .filter((argument) => !syntax.is(argument, 'block_argument'))
}

/** `Row.new(…)`. */
function constructed(syntax: Syntax, value: number): string | null {
  if (!syntax.is(value, 'call') || syntax.text(syntax.child(value, 'method')) !== 'new') return null
  const type = syntax.child(value, 'receiver')
  // These make a class, not a value of theirs.
  if (/^(?:Struct|Class|Module|Data)$/.test(syntax.text(type))) return null
  return syntax.is(type, 'constant', 'scope_resolution') ? syntax.text(type) : null
}

/** A required file adds all it defines. */
function requireCall(syntax: Syntax, node: number): ImportFact[] {
  const word = syntax.text(syntax.child(node, 'method'))
  if (!/^(?:require|require_relative|load|autoload)$/.test(word)) return []
  if (syntax.child(node, 'receiver') !== none) return []
  const path = syntax.children(syntax.child(node, 'arguments')).at(-1) ?? none
  if (!syntax.is(path, 'string')) return []
  const source = syntax.text(path).slice(1, -1)
  const relative = word === 'require_relative' && !/^\.{0,2}\//.test(source) ? `./${source}` : source
  return [
    {
      line: syntax.startLine(node),
      source: relative,
      imported: '*',
      local: null,
      reexport: false,
      typeOnly: false,
    },
  ]
}

// Ruby's parameter lists. Blocks are passed behind the arguments, so they are left out.

function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    const name = syntax.child(node, 'name')
    switch (syntax.kind(node)) {
      case 'block_parameter':
        return []
      case 'optional_parameter':
        return [parameter(syntax, name, { optional: true })]
      case 'keyword_parameter':
        return [
          parameter(syntax, name, { optional: syntax.child(node, 'value') !== none, keywordOnly: true }),
        ]
      case 'splat_parameter':
        return [parameter(syntax, name, { variadic: true })]
      case 'hash_splat_parameter':
        return [parameter(syntax, name, { variadic: true, keywordOnly: true })]
      case 'forward_parameter':
        return [parameter(syntax, '...', { variadic: true })]
      default:
        return [parameter(syntax, node)]
    }
  })
}

// What Ruby defines other than by the usual fields.

/** `class A::B` names `B`; the `A` before it is its container. */
const container: DefinitionReader = (syntax, node, level) => {
  const path = syntax.child(node, 'name')
  const isPath = syntax.is(path, 'scope_resolution')
  const nameNode = isPath ? syntax.child(path, 'name') : path
  if (nameNode === none) return null
  const outer = isPath
    ? syntax.text(syntax.child(path, 'scope')).replace(/^::/, '').replaceAll('::', '.')
    : ''
  return defined({
    kind: syntax.is(node, 'class') ? 'class' : 'module',
    name: syntax.text(nameNode),
    nameNode,
    node,
    body: syntax.child(node, 'body'),
    owner: outer === '' || level === 'class' ? null : { name: outer },
    level,
  })
}

/** Constants; those that hold a made-up class are classes. */
function variable(syntax: Syntax, name: number, assignment: number, level: Level): Definition | null {
  if (level === 'function') return null
  const body = syntax.child(assignment, 'right')
  const isClass = /^(?:Struct|Class|Data)\.(?:new|define)\b/.test(syntax.text(body).slice(0, 40))
  return defined({
    kind: isClass ? 'class' : 'constant',
    name: syntax.text(name),
    nameNode: name,
    node: assignment,
    body,
    level,
  })
}

/** The symbols given to `attr_reader` and its kin, and the first one given to `alias_method`. */
const accessor: DefinitionReader = (syntax, node, level) => {
  const list = syntax.parent(node)
  const call = syntax.parent(list)
  if (level !== 'class' || !syntax.is(list, 'argument_list') || !isClassBody(syntax, syntax.parent(call)))
    return null
  const word = syntax.text(syntax.child(call, 'method'))
  const isAlias = word === 'alias_method' && syntax.children(list)[0] === node
  if (!isAlias && !/^(?:attr_(?:reader|writer|accessor)|[cm]attr_accessor)$/.test(word)) return null
  const name = syntax.text(node).slice(1)
  return defined({ kind: isAlias ? 'method' : 'field', name, nameNode: node, node, level })
}

const aliased: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (!syntax.is(nameNode, 'identifier', 'setter', 'operator')) return null
  const kind = level === 'class' ? 'method' : 'function'
  return defined({ kind, name: syntax.text(nameNode), nameNode, node, level })
}

/** `@x = …` in a method gives the class a field, the first time it is written. */
const instanceVariable: DefinitionReader = (syntax, node, level) => {
  const assignment = syntax.parent(node)
  if (level !== 'function' || syntax.field(node) !== 'left') return null
  if (!syntax.is(assignment, 'assignment', 'operator_assignment')) return null
  return defined({
    kind: 'field',
    name: syntax.text(node),
    nameNode: node,
    node: assignment,
    body: syntax.child(assignment, 'right'),
    owner: 'class',
    contains: false,
    level: 'class',
  })
}

const testWords = /^(?:it|specify|example|describe|context|feature|scenario|test|should)$/

/** `describe Store do`, `it 'loads' do`, `test 'loads' do`. */
const testCall: DefinitionReader = (syntax, node, level) => {
  const body = syntax.child(node, 'block')
  if (body === none || !testWords.test(syntax.text(syntax.child(node, 'method')))) return null
  const [title = none] = syntax.children(syntax.child(node, 'arguments'))
  if (!syntax.is(title, 'string', 'constant', 'scope_resolution')) return null
  return titledTest(syntax, { node, title, body, level })
}

// What Ruby says about tests and documentation.

/** RSpec's blocks, minitest's methods, classes named after tests. */
function isTest({ syntax, definition: { kind, name, node } }: SymbolContext): boolean {
  if (syntax.is(node, 'call')) return true
  if (kind === 'class') return /^Test[A-Z]|(?:Test|TestCase|Spec)$/.test(name)
  return kind === 'method' && /^test_/.test(name)
}

const words = /^#(?!!|\s*(?:-\*-|frozen_string_literal|encoding:|rubocop:))/

/** The comment of the first definition in a body comes before the body. */
function doc(syntax: Syntax, _definition: Definition, whole: number): string | null {
  const body = syntax.parent(whole)
  const isFirst = syntax.previous(whole) === none && syntax.is(body, 'body_statement', 'block_body')
  return docBefore(syntax, isFirst ? body : whole, words)
}

export const ruby: LanguageTable = {
  id: 'ruby',
  grammar: 'ruby',
  comments: ['comment'],
  names: {
    identifier: 'read',
    constant: 'read',
    setter: 'read',
    instance_variable: 'property',
    class_variable: 'property',
    global_variable: 'read',
  },
  places,
  scopes: {
    'class.body': 'class',
    'module.body': 'class',
    'singleton_class.body': 'class',
    method: 'function',
    singleton_method: 'function',
    lambda: 'function',
    block: 'function',
    do_block: 'function',
  },
  receivers: { call: 'receiver', scope_resolution: 'scope' },
  calls: { call: argumentsOf, super: argumentsOf },
  keywordArguments: { pair: 'key' },
  spreadArguments: ['splat_argument', 'hash_splat_argument', 'forward_argument'],
  callsIgnoreLocals: true,
  definitions: {
    class: container,
    module: container,
    method: { kind: 'function', inClass: 'method' },
    singleton_method: { kind: 'function', inClass: 'method' },
    simple_symbol: accessor,
    alias: aliased,
    instance_variable: instanceVariable,
    call: testCall,
  },
  variable,
  parameters,
  typed: {
    assignment: (syntax, node) => [{ name: syntax.child(node, 'left'), value: syntax.child(node, 'right') }],
  },
  constructed,
  imports: { call: requireCall },
  exports: {},
  visibility,
  isTest,
  doc,
}
