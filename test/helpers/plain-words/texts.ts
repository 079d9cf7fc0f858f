/** What people read of this project, as pieces of text with their place. */
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { type AnyNode, type Comment, parse } from 'acorn'

export type Piece = { place: string; text: string }

/**
 * String and template literals of a module (expressions inside become `…`, specifiers of imports are left out), and its
 * comments, each as one line.
 */
export function textsOfSource(file: string, source: string): { literals: Piece[]; comments: Piece[] } {
  const comments: Comment[] = []
  const module = parse(stripTypeScriptTypes(source), { ...parsing, onComment: comments })
  return {
    literals: [...below(module)].flatMap((node) => {
      const text = textOf(node)
      return text === null ? [] : [{ place: `${file}:${node.loc?.start.line}`, text }]
    }),
    comments: comments.map(({ value, loc }) => ({
      place: `${file}:${loc?.start.line}`,
      text: value.replace(/\s*\n\s*\*?\s*/g, ' '),
    })),
  }
}

/** Paragraphs, without fenced blocks of code; what the product prints stays when its block names no language. */
export function paragraphsOf(file: string, text: string): Piece[] {
  const pieces: Piece[] = []
  let fence: string | null = null
  let paragraph: { line: number; lines: string[] } = { line: 1, lines: [] }
  const end = (next: number): void => {
    if (paragraph.lines.length > 0)
      pieces.push({ place: `${file}:${paragraph.line}`, text: paragraph.lines.join(' ') })
    paragraph = { line: next, lines: [] }
  }
  for (const [index, line] of text.split('\n').entries()) {
    const [, mark] = /^\s*```(\w*)/.exec(line) ?? []
    if (mark !== undefined) fence = fence === null ? mark : null
    const isCode = fence !== null && fence !== ''
    if (mark !== undefined || isCode || line.trim() === '') end(index + 2)
    else paragraph.lines.push(line.trim())
  }
  end(0)
  return pieces
}

/** Files below a folder whose names end so, by paths relative to `root`. */
export function filesBelow(root: string, folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .sort()
    .map((path) => `${folder}/${path}`)
}

export function readAt(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

const parsing = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const

function textOf(node: AnyNode): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return null
  return node.quasis.map(({ value }) => value.cooked ?? '').join('…')
}

function* below(node: AnyNode): Generator<AnyNode> {
  yield node
  const isLink = /^(?:Import|ExportAll|ExportNamed)/.test(node.type)
  for (const [key, child] of Object.entries(node))
    for (const one of [child].flat()) if (isNode(one) && !(isLink && key === 'source')) yield* below(one)
}

function isNode(value: unknown): value is AnyNode {
  return value !== null && typeof value === 'object' && 'type' in value && typeof value.type === 'string'
}
