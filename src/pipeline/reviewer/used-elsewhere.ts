/**
 * What the files of one question use of other files of the change, which are asked about in another question or were asked
 * about before: the hunks with the definitions that are used. What is shown of a use is then the same, however a change is
 * split into questions.
 */
import type { FileChange } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'

/** By file, the symbols of other files of the change that it uses. */
export type ChangedUses = ReadonlyMap<string, readonly SymbolChange[]>

/** Files with only these hunks, the most used first, in the order of `files` where as much is used of them. */
export function partsUsedBy(
  question: ReadonlySet<string>,
  files: readonly FileChange[],
  uses: ChangedUses,
): FileChange[] {
  const used = [...question].flatMap((path) => uses.get(path) ?? []).flatMap(({ after }) => after ?? [])
  const byPath = Map.groupBy(new Set(used), ({ path }) => path)
  return files
    .filter(({ path }) => !question.has(path))
    .map((file) => {
      const symbols = (byPath.get(file.path) ?? []).map(({ symbol }) => symbol)
      const hunks = file.hunks.filter(({ newStart, newLines }) =>
        symbols.some(({ startLine, endLine }) => newStart <= endLine && startLine < newStart + newLines),
      )
      return { part: { ...file, hunks }, weight: symbols.length }
    })
    .filter(({ part }) => part.hunks.length > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ part }) => part)
}
