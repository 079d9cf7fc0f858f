/** Every regular expression that source code writes: literals, and what is handed to `new RegExp`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSourceNode, parseModule, type SourceNode } from '../source-modules.ts'

export type WrittenPattern = { file: string; line: number; source: string; flags: string }

/** Of all TypeScript files below `root`, in path order. */
export function collectPatterns(root: string): WrittenPattern[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
    .filter(([, text]) => mayHold(text))
    .flatMap(([path, text]) => patternsOf(path, text))
}

/** A literal has two slashes on its line. To parse a module costs more than to look for them. */
function mayHold(text: string): boolean {
  return text
    .replaceAll(/^(?:import|export|\}) .*from '[^']*'$|^\s*(?:\/\*\*|\*|\/\/) .*$/gm, '')
    .split('\n')
    .some((line) => line.includes('RegExp(') || line.indexOf('/') !== line.lastIndexOf('/'))
}

export function patternsOf(file: string, text: string): WrittenPattern[] {
  const { nodes, lineAt } = parseModule(file, text)
  const constants = new Map(nodes.flatMap(constantOf))
  return nodes.flatMap((node) => {
    const written = patternIn(node, constants)
    return written ? [{ file, line: lineAt(node.start), ...written }] : []
  })
}

function patternIn(node: SourceNode, constants: ReadonlyMap<string, string>) {
  const literal = regexOf(node)
  if (literal) return { source: literal.pattern, flags: literal.flags }
  const { callee } = node
  if (node.type !== 'NewExpression' || !isSourceNode(callee) || callee.name !== 'RegExp') return null
  const [source, flags] = node.arguments as SourceNode[]
  return { source: textOf(source, constants), flags: flags ? textOf(flags, constants) : '' }
}

function regexOf({ type, regex }: SourceNode): { pattern: string; flags: string } | null {
  return type === 'Literal' && regex ? (regex as { pattern: string; flags: string }) : null
}

function constantOf({ type, id, init }: SourceNode): [string, string][] {
  if (type !== 'VariableDeclarator' || !isSourceNode(id) || id.type !== 'Identifier') return []
  return isSourceNode(init) && (init.type === 'Literal' || init.type === 'TemplateLiteral')
    ? [[String(id.name), textOf(init, new Map())]]
    : []
}

/** What is only known when the program runs is taken for a word, which is what such places escape or hold. */
function textOf(node: SourceNode | undefined, constants: ReadonlyMap<string, string>): string {
  if (node?.type === 'Literal') return regexOf(node)?.pattern ?? String(node.value)
  if (node?.type === 'Identifier') return constants.get(String(node.name)) ?? unknownWord
  if (node?.type !== 'TemplateLiteral') return unknownWord
  const expressions = node.expressions as SourceNode[]
  return (node.quasis as { value: { cooked: string | null } }[])
    .map(
      ({ value }, at) =>
        (value.cooked ?? '') + (at < expressions.length ? textOf(expressions[at], constants) : ''),
    )
    .join('')
}

const unknownWord = 'word'
