/**
 * What the files of one question use of other files of the change, which are asked about in another question or were asked
 * about before: the hunks with the definitions that are used. What is shown of a use is then the same, however a change is
 * split into questions.
 */
import type { ChangedUses, FileChange } from '../../domain/change-set.ts'

/** Files with only these hunks, the most used first, in the order of `files` where as much is used of them. */
export function partsUsedBy(
  question: ReadonlySet<string>,
  files: readonly FileChange[],
  uses: ChangedUses,
): FileChange[] {
  const used = new Set([...question].flatMap((path) => uses.get(path) ?? []))
  const byPath = Map.groupBy(used, ({ path }) => path)
  return files
    .filter(({ path }) => !question.has(path))
    .map((file) => {
      const definitions = byPath.get(file.path) ?? []
      const hunks = file.hunks.filter(({ newStart, newLines }) =>
        definitions.some(({ startLine, endLine }) => newStart <= endLine && startLine < newStart + newLines),
      )
      return { part: { ...file, hunks }, weight: definitions.length }
    })
    .filter(({ part }) => part.hunks.length > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ part }) => part)
}
