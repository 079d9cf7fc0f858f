/** Finds the changed line a finding hangs on. */
import type { ChangeSet, DiffLine, FileChange, Side } from '../../../domain/change-set.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { Anchor } from '../../../domain/finding.ts'
import { formatFileTag, tagOf } from '../../../domain/line-tag.ts'
import { basePath } from './file-subjects.ts'

/** The symbol's name line if it changed, else its nearest changed line; null when none of it is in the diff. */
export function anchorSymbol(change: ChangeSet, side: Side, path: string, symbol: CodeSymbol): Anchor | null {
  const file = fileOn(change, side, path)
  if (!file) return null
  return anchorLines(file, side, symbol.nameLine, symbol.startLine, symbol.endLine)
}

export function anchorLine(change: ChangeSet, side: Side, path: string, line: number): Anchor | null {
  const file = fileOn(change, side, path)
  return file && anchorLines(file, side, line, line, line)
}

/** The first changed line of a file, or the file as a whole when it has none. */
export function anchorFile(change: ChangeSet, path: string): Anchor | null {
  const file = fileOn(change, 'old', path)
  if (!file) return null
  const first =
    file.status === 'deleted' ? file.hunks[0]?.lines.find(({ kind }) => kind === 'removed') : undefined
  return { path: file.path, tags: [first ? tagOf(first) : formatFileTag(file.path)] }
}

function fileOn(change: ChangeSet, side: Side, path: string): FileChange | null {
  const at = (file: FileChange): string => (side === 'old' ? basePath(file) : file.path)
  return change.files.find((file) => at(file) === path && file.status !== 'copied') ?? null
}

function anchorLines(file: FileChange, side: Side, line: number, from: number, to: number): Anchor | null {
  const numbered = (item: DiffLine): number | null => (side === 'old' ? item.old : item.new)
  const inside = file.hunks
    .flatMap((hunk) => hunk.lines)
    .filter((item) => {
      const number = numbered(item)
      return number !== null && number >= from && number <= to
    })
  const distance = (item: DiffLine): number => Math.abs((numbered(item) ?? 0) - line)
  const changed = inside.filter((item) => item.kind !== 'context')
  const near = changed.toSorted((a, b) => distance(a) - distance(b))[0]
  if (near) return { path: file.path, tags: [tagOf(near)] }
  // A pure move: the lines stand unchanged in a renamed file.
  return file.status === 'renamed' ? { path: file.path, tags: [formatFileTag(file.path)] } : null
}
