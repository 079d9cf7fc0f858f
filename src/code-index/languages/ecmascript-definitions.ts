/** What a value makes of the name it is given to: functions, classes, members of declared objects, tests. */
import type { SymbolKind } from '../../domain/code-symbol.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import { type Definition, type DefinitionReader, defined, type Level } from '../extraction/table.ts'

const functionValues = ['arrow_function', 'function_expression', 'generator_function']
const longestTestName = 200

export function isFunction(syntax: Syntax, node: number): boolean {
  return syntax.is(node, ...functionValues)
}

/** A definition whose shape comes from its value: a function's parameters and body, a class's body. */
export function definedByValue(
  syntax: Syntax,
  parts: {
    nameNode: number
    node: number
    value: number
    level: Level
    kind: SymbolKind
    functionKind: SymbolKind
  },
): Definition {
  const { nameNode, node, value, level, kind, functionKind } = parts
  const base = { name: syntax.text(nameNode), nameNode, node, level }
  if (isFunction(syntax, value))
    return defined({ ...base, kind: functionKind, ...partsOfFunction(syntax, value) })
  if (syntax.is(value, 'class')) return defined({ ...base, kind: 'class', body: syntax.child(value, 'body') })
  return defined({ ...base, kind, body: value, result: syntax.child(node, 'type') })
}

export function partsOfFunction(
  syntax: Syntax,
  value: number,
): Pick<Definition, 'body' | 'parameters' | 'result'> {
  const list = syntax.child(value, 'parameters')
  return {
    body: syntax.child(value, 'body'),
    parameters: list === none ? syntax.child(value, 'parameter') : list,
    result: syntax.child(value, 'return_type'),
  }
}

/** `class { x = 1 }`, `class { x = () => 1 }`. The name's field differs between the grammars. */
export function classField(nameField: string): DefinitionReader {
  return (syntax, node, level) => {
    const nameNode = syntax.child(node, nameField)
    if (!isPlainName(syntax, nameNode)) return null
    const value = syntax.child(node, 'value')
    return definedByValue(syntax, { nameNode, node, value, level, kind: 'field', functionKind: 'method' })
  }
}

/** Methods of classes, and of objects that are declared rather than passed along. */
export const method: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (!isPlainName(syntax, nameNode)) return null
  const holder = syntax.parent(node)
  if (syntax.is(holder, 'object') && !isDeclared(syntax, holder)) return null
  const base = { kind: 'method', name: syntax.text(nameNode), nameNode, node, level } as const
  return defined({ ...base, ...partsOfFunction(syntax, node) })
}

/** `{ name: () => … }` in an object that is declared. */
export const pair: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'key')
  const value = syntax.child(node, 'value')
  if (!isPlainName(syntax, nameNode) || !isFunction(syntax, value)) return null
  if (!isDeclared(syntax, syntax.parent(node))) return null
  return definedByValue(syntax, { nameNode, node, value, level, kind: 'method', functionKind: 'method' })
}

/** `module.exports = function`, `exports.x = function`, `Foo.prototype.x = function`, `this.x = () => …`; never an assignment deep in a function. */
export const assignedFunction: DefinitionReader = (syntax, node, level) => {
  const left = syntax.child(node, 'left')
  const value = syntax.child(node, 'right')
  if (!syntax.is(left, 'member_expression') || !isFunction(syntax, value)) return null
  const nameNode = syntax.child(left, 'property')
  if (syntax.text(left) === 'module.exports')
    return level === 'module'
      ? defined({
          name: 'default',
          nameNode,
          node,
          level,
          kind: 'function',
          ...partsOfFunction(syntax, value),
        })
      : null
  const object = syntax.text(syntax.child(left, 'object')).replace(/\.prototype$/, '')
  const found = definedByValue(syntax, {
    nameNode,
    node,
    value,
    level,
    kind: 'function',
    functionKind: 'function',
  })
  if (/^(?:module\.)?exports$/.test(object)) return level === 'module' ? found : null
  if (object === 'this') {
    const around = syntax.ancestor(node, 'class_body')
    return around === none ? null : { ...found, kind: 'method', owner: 'class', level: 'class' }
  }
  if (level !== 'module' || !/^[\w$.]{1,100}$/.test(object)) return null
  return { ...found, kind: 'method', owner: { name: object }, level: 'class' }
}

const testWords = new Set(['it', 'test', 'describe', 'suite', 'bench', 'specify', 'context'])

/** `it('does x', () => …)`, `describe.skip(…)`, `test.each(…)('…', …)`: tests are known by their words. */
export const testCall: DefinitionReader = (syntax, node, level) => {
  const [title, ...rest] = syntax.children(syntax.child(node, 'arguments'))
  if (title === undefined || !syntax.is(title, 'string', 'template_string')) return null
  if (!testWords.has(rootWord(syntax, node))) return null
  const body = rest.findLast((argument) => isFunction(syntax, argument))
  if (body === undefined) return null
  const name = syntax.text(title).slice(1, -1).replace(/\s+/g, ' ').slice(0, longestTestName)
  const block = syntax.child(body, 'body')
  return defined({ kind: 'function', name, nameNode: title, node, body: block, level, isTitled: true })
}

function rootWord(syntax: Syntax, call: number): string {
  let at = syntax.child(call, 'function')
  for (let step = 0; step < 4; step++) {
    if (syntax.is(at, 'identifier')) return syntax.text(at)
    at = syntax.child(at, syntax.is(at, 'member_expression') ? 'object' : 'function')
  }
  return ''
}

const passedThrough = [
  'object',
  'pair',
  'array',
  'as_expression',
  'satisfies_expression',
  'parenthesized_expression',
]
const declaring = [
  'variable_declarator',
  'assignment_expression',
  'export_statement',
  'return_statement',
  'arrow_function',
  'field_definition',
  'public_field_definition',
]

/** The object is the value of something with a name, or what a function returns; not an argument of a call. */
function isDeclared(syntax: Syntax, object: number): boolean {
  let up = syntax.parent(object)
  for (let level = 0; level < 20 && syntax.is(up, ...passedThrough); level++) up = syntax.parent(up)
  return syntax.is(up, ...declaring)
}

function isPlainName(syntax: Syntax, node: number): boolean {
  return syntax.is(node, 'property_identifier', 'private_property_identifier')
}
