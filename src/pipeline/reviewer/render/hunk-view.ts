/**
 * What a reader is shown of a hunk: of each changed stretch what was removed, then what took its place. Lines that only moved in or
 * out, or are only wrapped differently, are shown once, as they are now. Of a long run of lines that moved, of data and of a license the
 * ends are shown; of an edit that many hunks make only what changed.
 */
import { count } from '../../../base/count.ts'
import { isLicensePath, isRowsPath } from '../../../base/file-paths.ts'
import type { DiffLine, FileChange, Hunk } from '../../../domain/change-set.ts'
import { reindentedLines } from './reindented-lines.ts'
import { isRewrapped } from './rewrapped-lines.ts'

export type HunkView = {
  /** Behind the numbers of the hunk: what is left out everywhere in it; null where all is shown. */
  note: string | null
  /** Lines in the order in which they are shown, and words for those left out between them. */
  parts: readonly (DiffLine | string)[]
}

/** Of lines that only moved, so many at either end of a run are shown, where at least as many are left out. */
const shownOfMoved = 3
/** The same of rows of data and lines of a license, whose first tell what they all are. */
const shownOfRows = 12

/** `isRoutine`: other hunks make the same edit, and a few of them are shown whole. */
export function viewHunk({ lines }: Hunk, file: FileChange, isRoutine: boolean): HunkView {
  if (isRoutine)
    return {
      note: 'an edit like others: unchanged lines are left out',
      parts: lines.filter(({ kind }) => kind !== 'context'),
    }
  const notes = new Set<string>()
  const isRows = isRowsPath(file.path) || (file.role === 'docs' && isLicensePath(file.path))
  const parts = stretchesOf(lines).flatMap((stretch) => {
    if ('kind' in stretch) return [stretch]
    const { removed, now } = stretch
    if (isRows)
      return [removed, now].flatMap((rows) =>
        folded(rows, [{ from: 0, to: rows.length }], shownOfRows, 'like these'),
      )
    if (isRewrapped(textsOf(removed), textsOf(now), file)) {
      notes.add('lines that are only wrapped differently are shown as they are now')
      return now
    }
    const moved = reindentedLines(removed, now)
    if (moved === null) return [...removed, ...now]
    notes.add('lines of which only the indentation changed are shown as they are now')
    return [
      ...removed.filter((line) => !moved.before.has(line)),
      ...folded(now, moved.runs, shownOfMoved, 'of which only the indentation changed, as around them'),
    ]
  })
  return { note: notes.size > 0 ? [...notes].join('; ') : null, parts }
}

function textsOf(lines: readonly DiffLine[]): string[] {
  return lines.map(({ text }) => text)
}

export function linesOfView({ parts }: HunkView): DiffLine[] {
  return parts.filter((part) => typeof part !== 'string')
}

/** `shown`: lines at either end of a run; `which`: what those between are. */
function folded(
  now: readonly DiffLine[],
  runs: readonly { from: number; to: number }[],
  shown: number,
  which: string,
): (DiffLine | string)[] {
  const parts: (DiffLine | string)[] = []
  let at = 0
  for (const { from, to } of runs) {
    const left = to - from - 2 * shown
    if (left < shown) continue
    parts.push(...now.slice(at, from + shown), `(${count(left, 'line')} ${which})`)
    at = to - shown
  }
  return [...parts, ...now.slice(at)]
}

/** Between two changed lines, unchanged ones without a word (`}`, nothing) only tear apart what was replaced. */
const mostBetween = 2

type Stretch = { removed: DiffLine[]; now: DiffLine[] }

function stretchesOf(lines: readonly DiffLine[]): (DiffLine | Stretch)[] {
  const all: (DiffLine | Stretch)[] = []
  let stretch: DiffLine[] = []
  let between: DiffLine[] = []
  const close = (): void => {
    if (stretch.length > 0) {
      const [removed, now] = [[] as DiffLine[], [] as DiffLine[]]
      for (const line of stretch) (line.kind === 'removed' ? removed : now).push(line)
      all.push({ removed, now })
    }
    all.push(...between)
    stretch = []
    between = []
  }
  for (const line of lines)
    if (line.kind !== 'context') {
      stretch.push(...between, line)
      between = []
    } else if (stretch.length > 0 && between.length < mostBetween && !/\w/.test(line.text)) between.push(line)
    else {
      close()
      all.push(line)
    }
  close()
  return all
}
