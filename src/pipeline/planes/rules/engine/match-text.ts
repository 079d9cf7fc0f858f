/** Asks every question of one text. */
import type { SgNode } from '@ast-grep/wasm'
import type { Engine } from './ast-grep.ts'
import type { EngineMatch, Question } from './protocol.ts'

const longestText = 4_000
const longestCapture = 200

/** A question that is null was refused, and is skipped. Matches come in the order of the questions, then of the text. */
export function matchText(
  engine: Engine,
  language: string,
  questions: readonly (Question | null)[],
  text: string,
  mostMatches: number,
): { matches: EngineMatch[]; omitted: number } {
  const matches: EngineMatch[] = []
  let omitted = 0
  const tree = engine.parse(language, text)
  const root = tree.root()
  for (const [index, question] of questions.entries()) {
    if (!question) continue
    for (const node of root.findAll(question.matcher)) {
      if (matches.length < mostMatches) matches.push(toMatch(node, index, question, text))
      else omitted++
      node.free()
    }
  }
  root.free()
  tree.free()
  return { matches, omitted }
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
