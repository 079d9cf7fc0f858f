/** Every regular expression that source code writes: literals, and what is handed to `new RegExp`. */
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { type AnyNode, parse } from 'acorn'

export type WrittenPattern = { file: string; line: number; source: string; flags: string }

/** Of all TypeScript files below `root`, in path order. */
export function collectPatterns(root: string): WrittenPattern[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .flatMap((path) => patternsOf(path, readFileSync(join(root, path), 'utf8')))
}

export function patternsOf(file: string, text: string): WrittenPattern[] {
  const nodes = below(parse(stripTypeScriptTypes(text), parsing))
  const constants = new Map(nodes.flatMap(constantOf))
  return nodes.flatMap((node) => {
    const written = patternIn(node, constants)
    return written ? [{ file, line: node.loc?.start.line ?? 0, ...written }] : []
  })
}

const parsing = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const

/** A node and all below it, in the order they are written. */
function below(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = []
  const waiting: AnyNode[] = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next)
    const children: unknown[] = Object.values(next)
    for (const child of children.flat().reverse()) if (isNode(child)) waiting.push(child)
  }
  return found
}

function isNode(value: unknown): value is AnyNode {
  return value !== null && typeof value === 'object' && 'type' in value && typeof value.type === 'string'
}

function patternIn(node: AnyNode, constants: ReadonlyMap<string, string>) {
  if (node.type === 'Literal' && node.regex) return { source: node.regex.pattern, flags: node.regex.flags }
  if (node.type !== 'NewExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp')
    return null
  const [source, flags] = node.arguments
  return { source: textOf(source, constants), flags: flags ? textOf(flags, constants) : '' }
}

function constantOf(node: AnyNode): [string, string][] {
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return []
  return node.init.type === 'Literal' || node.init.type === 'TemplateLiteral'
    ? [[node.id.name, textOf(node.init, new Map())]]
    : []
}

/** What is only known when the program runs is taken for a word, which is what such places escape or hold. */
function textOf(node: AnyNode | undefined, constants: ReadonlyMap<string, string>): string {
  if (node?.type === 'Literal') return node.regex?.pattern ?? String(node.value)
  if (node?.type === 'Identifier') return constants.get(node.name) ?? unknownWord
  if (node?.type !== 'TemplateLiteral') return unknownWord
  const { quasis, expressions } = node
  return quasis
    .map(
      ({ value }, at) =>
        (value.cooked ?? '') + (at < expressions.length ? textOf(expressions[at], constants) : ''),
    )
    .join('')
}

const unknownWord = 'word'
