/** Both sides of a merge conflict, with git's marks around them, that were committed as they are. */
import { isTestMaterialPath } from '../../../base/file-paths.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import type { ChangeSet, DiffLine, FileChange } from '../../../domain/change-set.ts'
import { changedLines } from '../changed-lines.ts'
import type { Misuse } from './misuse.ts'

export async function openConflicts(
  change: ChangeSet,
  head: World,
  isForeign: (path: string) => boolean,
): Promise<Misuse[]> {
  const found: Misuse[] = []
  for (const file of change.files) {
    const marks = isForeign(file.path) || isTestMaterialPath(file.path) ? null : marksOf(file)
    if (!marks) continue
    const [line, endLine] = [marks.from.new ?? 1, marks.to.new ?? 1]
    // In a string the marks are no error: they are what the program looks for or writes.
    const errors = (await head.facts(file.path))?.errorLines ?? []
    if (!errors.some((range) => range.startLine <= endLine && range.endLine >= line)) continue
    found.push({
      rule: 'new-code/open-conflict',
      certain: true,
      title: 'A merge conflict is committed unresolved',
      explanation: `Both sides of the conflict and git's marks are in the file, from line ${line} to line ${endLine}.`,
      remedy: 'Keep one side, or merge the two, and remove the marks.',
      wrongIf: 'a program reads this file and expects the marks',
      file,
      line,
      endLine: line,
      claims: [{ kind: 'line-contains', side: 'new', text: marks.from.text, path: file.path, line }],
      shown: [],
    })
  }
  return found
}

/** The first and last mark of the first conflict that the change adds whole. */
function marksOf(file: FileChange): { from: DiffLine; to: DiffLine } | null {
  let [from, isHalf]: [DiffLine | null, boolean] = [null, false]
  for (const line of changedLines(file, 'new', 1, Number.MAX_SAFE_INTEGER)) {
    if (/^<{7} \S/.test(line.text)) [from, isHalf] = [line, false]
    else if (from && /^={7}\r?$/.test(line.text)) isHalf = true
    else if (from && isHalf && /^>{7} \S/.test(line.text)) return { from, to: line }
  }
  return null
}
