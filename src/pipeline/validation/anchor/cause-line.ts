/** The changed line that stands for a symbol's change: where it is named, or else where it begins to differ. */
import type { ChangeSet, DiffLine, FileChange, Side } from '../../../domain/change-set.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'

export type CauseLine = { file: FileChange; line: DiffLine }

/** Null when the diff shows no such line, or, for a changed body, when it changed in several places. */
export function causeLineOf({ kind, before, after }: SymbolChange, change: ChangeSet): CauseLine | null {
  const sides = [
    ...(after ? [{ side: 'new' as const, ...after }] : []),
    ...(before ? [{ side: 'old' as const, ...before }] : []),
  ]
  for (const { side, path, symbol } of sides) {
    const file = change.files.find((one) => (side === 'new' ? one.path : (one.oldPath ?? one.path)) === path)
    if (!file) continue
    const own = changedLines(file, side, symbol.startLine, symbol.endLine)
    if (kind === 'body-changed' && !isOneRun(file, own)) return null
    const line = own.find((one) => one[side] === symbol.nameLine) ?? own[0]
    if (line) return { file, line }
  }
  return null
}

/** Changed lines of the file on this side, from `first` to `last`. */
function changedLines(file: FileChange, side: Side, first: number, last: number): DiffLine[] {
  return file.hunks
    .flatMap(({ lines }) => lines)
    .filter((line) => {
      const number = line[side]
      return line.kind !== 'context' && number !== null && first <= number && number <= last
    })
}

/** No unchanged line between the first and the last of them. */
function isOneRun(file: FileChange, lines: readonly DiffLine[]): boolean {
  return file.hunks.some((hunk) => {
    const at = lines.map((line) => hunk.lines.indexOf(line))
    if (at.some((index) => index < 0)) return false
    return hunk.lines.slice(Math.min(...at), Math.max(...at) + 1).every((line) => line.kind !== 'context')
  })
}
