/** `line-contains`: the line holds exactly this text somewhere in it. */
import type { ChangeSet, Side } from '../../../domain/change-set.ts'
import { lineIndexOf } from '../../../domain/diff-lines.ts'
import { confirmed, type Refuter, refuted } from './contract.ts'

export const checkLineContains: Refuter<'line-contains'> = async (
  { side, text, path, line },
  { sources },
) => {
  const when = side === 'new' ? 'after' : 'before'
  if (text === '') return refuted('It says nothing of what the line holds')
  const actual = (await sources.lines(side, path))?.[line - 1] ?? lineOfDiff(sources.change, side, path, line)
  if (actual === undefined) return refuted(`\`${path}\` has no readable line ${line} ${when} the change`)
  return actual.includes(text)
    ? confirmed('the text of the line')
    : refuted(`\`${path}:${line}\` does not hold the quoted text ${when} the change`)
}

/** The diff shows lines of files that are too large to be read whole. */
function lineOfDiff(change: ChangeSet, side: Side, path: string, line: number): string | undefined {
  const file = change.files.find((one) => one.path === path || (side === 'old' && one.oldPath === path))
  return file && lineIndexOf(file).at(side, line)?.line.text
}
