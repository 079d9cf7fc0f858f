/**
 * Small faults that one source of ours may have, by its syntax: another operator, a condition that always or never holds, a statement
 * or a step of a chain that is missing, a value that is another or empty, a pattern that need not match to the end.
 */
import { stripTypeScriptTypes } from 'node:module'
import { type AnyNode, type Expression, parse } from 'acorn'

/** `before`, which begins at `start`, becomes `after`. */
export type Change = { kind: string; start: number; before: string; after: string }

export function mutantsOf(text: string): Change[] {
  // Types become spaces, so that places are those of the source.
  const script = stripTypeScriptTypes(text)
  const found: Change[] = []
  const visit = (node: AnyNode): void => {
    for (const [kind, { start, end }, after] of faultsOf(node, script)) {
      const before = text.slice(start, end)
      if (before !== after) found.push({ kind, start, before, after })
    }
    // What modules are called is no value.
    if (/^(?:Import|Export(?:All|Named))/.test(node.type) && 'source' in node && node.source) return
    for (const inner of Object.values(node)) for (const one of [inner].flat()) if (isNode(one)) visit(one)
  }
  visit(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }))
  return found
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value
}

type Range = { start: number; end: number }
type Fault = readonly [kind: string, place: Range, after: string]

function faultsOf(node: AnyNode, script: string): Fault[] {
  const textOf = ({ start, end }: Range) => script.slice(start, end)
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const { left, right, operator } = node
      const start = script.indexOf(operator, left.end)
      const others = otherOperators[operator] ?? []
      return [
        ...others.map((after) => ['operator', { start, end: start + operator.length }, after] as const),
        ...(operator === '??' ? [['one side', node, `(${textOf(right)})`] as const] : []),
        ...(operator === '??' ? [['one side', node, `(${textOf(left as Range)})`] as const] : []),
      ]
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((after) => ['condition', node.test, after])
    case 'WhileStatement':
      return [['condition', node.test, 'false']]
    case 'UnaryExpression':
      return node.operator === '!' ? [['not', node, textOf(node.argument)]] : []
    case 'AwaitExpression':
      return [['await', node, textOf(node.argument)]]
    case 'ArrayExpression':
      return node.elements.length > 0 ? [['empty', node, '[]']] : []
    case 'ExpressionStatement':
      return 'directive' in node ? [] : [['statement', node, ';']]
    case 'ThrowStatement':
    case 'ContinueStatement':
      return [['statement', node, ';']]
    case 'CallExpression':
      return [...missingStep(node, textOf), ...otherOrder(node, textOf)]
    case 'Literal':
      return literalFaults(node)
    default:
      return []
  }
}

const otherOperators: Readonly<Record<string, readonly string[]>> = {
  ...{ '===': ['!=='], '!==': ['==='], '&&': ['||'], '||': ['&&'] },
  ...{ '<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'] },
  ...{ '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'] },
}

/** Steps that give the same kind of value as they take. */
const steps =
  /^(?:filter|slice|sort|trim(?:End|Start)?|reverse|replace(?:All)?|to(?:Lower|Upper)Case|flat|bind)$/

type TextOf = (place: Range) => string
type Call = Extract<AnyNode, { type: 'CallExpression' }>

function missingStep(call: Call, textOf: TextOf): Fault[] {
  const { callee } = call
  if (callee.type !== 'MemberExpression' || callee.optional || !steps.test(textOf(callee.property))) return []
  return [['step', call, textOf(callee.object)]]
}

function otherOrder({ arguments: given }: Call, textOf: TextOf): Fault[] {
  const [first, second] = given
  if (first?.type !== 'Identifier' || second?.type !== 'Identifier') return []
  return [['order', { start: first.start, end: second.end }, `${textOf(second)}, ${textOf(first)}`]]
}

function literalFaults(node: Extract<Expression, { type: 'Literal' }>): Fault[] {
  const { value } = node
  if ('regex' in node && node.regex) {
    const { pattern, flags } = node.regex
    const others = [
      [pattern.replace(/^\^/, ''), flags],
      [pattern.replace(/(?<!\\)\$$/, ''), flags],
      [pattern, flags.replace('i', '')],
    ] as const
    return others.map(([source, marks]) => ['pattern', node, `/${source}/${marks}`])
  }
  if (typeof value === 'boolean') return [['value', node, String(!value)]]
  if (typeof value === 'number') return [['value', node, value === 0 ? '1' : String(value * 10)]]
  // Words for people may be others.
  return typeof value === 'string' && !value.includes(' ') ? [['value', node, "''"]] : []
}
