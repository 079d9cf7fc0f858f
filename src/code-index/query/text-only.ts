/** Files that the index cannot see into. */
import { languageOf } from '../language-of.ts'
import type { CodeTree } from './contract.ts'

/** Those whose language has no table. */
export function textOnlyAmong(paths: readonly string[]): string[] {
  return paths.filter(isTextOnly)
}

/** The same paths come again with every question. */
const known = new Map<string, boolean>()
const mostKnown = 200_000

function isTextOnly(path: string): boolean {
  let answer = known.get(path)
  if (answer === undefined) {
    answer = languageOf(path) === null
    if (known.size >= mostKnown) known.clear()
    known.set(path, answer)
  }
  return answer
}

/** Those that the parser gave up on. Only files that were asked for are known. */
export function unparsedAmong(tree: CodeTree, paths: readonly string[]): string[] {
  if (tree.failures.length === 0) return []
  const failed = new Set(tree.failures.map(({ path }) => path))
  return paths.filter((path) => failed.has(path))
}
