/** Files that the index cannot see into. */
import { languageOf } from '../language-of.ts'
import type { CodeTree } from './contract.ts'

/** Those whose language has no table. */
export function textOnlyAmong(paths: readonly string[]): string[] {
  return paths.filter((path) => languageOf(path) === null)
}

/** Those that the parser gave up on. Only files that were asked for are known. */
export function unparsedAmong(tree: CodeTree, paths: readonly string[]): string[] {
  const failed = new Set(tree.failures.map(({ path }) => path))
  return paths.filter((path) => failed.has(path))
}
