/** Asks every question of one text. */
import type { SgNode } from '@ast-grep/wasm'
import type { Engine } from './ast-grep.ts'
import { frameOf, scopeOf } from './frame.ts'
import type { EngineMatch, Question } from './protocol.ts'

const longestText = 4_000
const longestCapture = 200
/** With more nodes than this to look at again, a walk for each rule is cheaper. */
const mostSuspects = 20

/** Questions that can be asked in one walk, and those that need one of their own; each with its position. */
export type Search = {
  together: readonly (readonly [number, Question])[]
  alone: readonly (readonly [number, Question])[]
}

/** A question that is null was refused, and is left out. */
export function planSearch(questions: readonly (Question | null)[]): Search {
  const asked = questions.flatMap((question, index) => (question ? [[index, question] as const] : []))
  // Helpers of two rules may share a name and mean different things.
  return {
    together: asked.filter(([, { matcher }]) => !matcher.utils),
    alone: asked.filter(([, { matcher }]) => matcher.utils),
  }
}

/** Matches come in the order of the questions, then of the text. */
export function matchText(
  engine: Engine,
  language: string,
  search: Search,
  text: string,
  mostMatches: number,
): { matches: EngineMatch[]; omitted: number } {
  const tree = engine.parse(language, text)
  const root = tree.root()
  const found: EngineMatch[] = []
  const alone = [...search.alone]
  const suspects = findSuspects(root, search.together)
  if (suspects.length > mostSuspects) alone.push(...search.together)
  else
    for (const node of suspects)
      for (const [index, question] of search.together) {
        const match = node.find(question.matcher)
        if (match?.id() === node.id()) found.push(toMatch(match, index, question, text))
      }
  for (const [index, question] of alone)
    for (const node of root.findAll(question.matcher)) found.push(toMatch(node, index, question, text))
  root.free()
  tree.free()
  found.sort((a, b) => a.question - b.question || a.startLine - b.startLine)
  return { matches: found.slice(0, mostMatches), omitted: Math.max(0, found.length - mostMatches) }
}

/**
 * Walking the tree is what costs, so one walk finds every node that some rule may match: constraints, which only ever
 * take matches away, are left for the second look.
 */
function findSuspects(root: SgNode, together: Search['together']): SgNode[] {
  if (together.length === 0) return []
  return root.findAll({ rule: { any: together.map(([, { matcher }]) => matcher.rule) } })
}

function toMatch(node: SgNode, question: number, { captures, fix }: Question, text: string): EngineMatch {
  const { start, end } = node.range()
  const matched = node.text()
  const named = captures.map((name) => [name, (node.getMatch(name)?.text() ?? '').slice(0, longestCapture)])
  return {
    question,
    startLine: start.line + 1,
    // A node that ends with a line feed ends before the next line.
    endLine: end.column === 0 && end.line > start.line ? end.line : end.line + 1,
    text: matched.slice(0, longestText),
    frame: frameOf(node).slice(0, longestText),
    scope: scopeOf(node).slice(0, longestCapture),
    captures: Object.fromEntries(named),
    replacement: fix === null ? null : replaceLines(node, matched, fix, text),
  }
}

/** The whole lines around the match with the filled template in its place; null when the place is not plain. */
function replaceLines(node: SgNode, matched: string, fix: string, text: string): string | null {
  const { start, end } = node.range()
  const lines = text.split('\n').slice(start.line, end.line + 1)
  const block = lines.join('\n')
  const at = block.indexOf(matched)
  // Columns count differently from engine to engine: the words themselves say where they stand, if only once.
  if (at < 0 || block.indexOf(matched, at + 1) >= 0) return null
  const filled = fix.replace(/\$([A-Z_][A-Z0-9_]*)/g, (_, name: string) => node.getMatch(name)?.text() ?? '')
  return block.slice(0, at) + filled + block.slice(at + matched.length)
}
