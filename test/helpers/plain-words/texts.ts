/** What people read of this project, as pieces of text with their place. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseModule, type SourceNode } from '../source-modules.ts'

export type Piece = { place: string; text: string }

/**
 * String and template literals of a module (expressions inside become `…`, specifiers of imports and types are left out), and
 * its comments, each as one line.
 */
export function textsOfSource(file: string, source: string): { literals: Piece[]; comments: Piece[] } {
  const { nodes, comments, lineAt } = parseModule(file, source, isUnread)
  return {
    literals: nodes.flatMap((node) => {
      const text = textOf(node)
      return text === null ? [] : [{ place: `${file}:${lineAt(node.start)}`, text }]
    }),
    comments: comments.map(({ value, start }) => ({
      place: `${file}:${lineAt(start)}`,
      text: value.replace(/\s*\n\s*\*?\s*/g, ' '),
    })),
  }
}

function isUnread({ type }: SourceNode, key: string): boolean {
  return /^TS.*Type/.test(type) || (key === 'source' && /^(?:Import|ExportAll|ExportNamed)/.test(type))
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

/** The text of a string or a template; null for all other nodes. */
function textOf({ type, value, quasis }: SourceNode): string | null {
  if (type === 'Literal' && typeof value === 'string') return value
  if (type !== 'TemplateLiteral') return null
  return (quasis as { value: { cooked: string | null } }[]).map((quasi) => quasi.value.cooked ?? '').join('…')
}
