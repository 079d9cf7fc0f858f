/** For checks of single lines: which of them the change brought, and which it only touched beside what is wrong. */
import type { DiffLine, FileChange } from '../../domain/change-set.ts'

/**
 * The added lines with an offence that no removed line of the file had. `offence`: the words of a line that are wrong,
 * or null; each removed line excuses one added line with the same words.
 */
export function freshLines<Line extends DiffLine>(
  file: FileChange,
  added: readonly Line[],
  offence: (line: DiffLine) => string | null,
): Line[] {
  const offending = added.flatMap((line) => {
    const words = offence(line)
    return words === null ? [] : [{ line, words }]
  })
  if (offending.length === 0) return []
  const before = new Map<string, number>()
  for (const line of file.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'removed'))) {
    const words = offence(line)
    if (words !== null) before.set(words, (before.get(words) ?? 0) + 1)
  }
  return offending.flatMap(({ line, words }) => {
    const left = before.get(words) ?? 0
    before.set(words, left - 1)
    return left > 0 ? [] : [line]
  })
}
