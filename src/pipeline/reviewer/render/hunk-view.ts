/**
 * What a reader is shown of a hunk: of each changed stretch what was removed, then what took its place. Lines that only moved in or
 * out are shown once, as they are now, and of a long run of them the ends; of an edit that many hunks make only what changed.
 */
import { count } from '../../../base/count.ts'
import type { DiffLine, Hunk } from '../../../domain/change-set.ts'
import { reindentedLines } from './reindented-lines.ts'

export type HunkView = {
  /** Behind the numbers of the hunk: what is left out everywhere in it; null where all is shown. */
  note: string | null
  /** Lines in the order in which they are shown, and words for those left out between them. */
  parts: readonly (DiffLine | string)[]
}

/** Of lines that only moved, so many at either end of a run are shown, where at least as many are left out. */
const shownOfRun = 3

/** `isRoutine`: other hunks make the same edit, and a few of them are shown whole. */
export function viewHunk({ lines }: Hunk, isRoutine: boolean): HunkView {
  if (isRoutine)
    return {
      note: 'an edit like others: unchanged lines are left out',
      parts: lines.filter(({ kind }) => kind !== 'context'),
    }
  let isReindented = false
  const parts = stretchesOf(lines).flatMap((stretch) => {
    if ('kind' in stretch) return [stretch]
    const moved = reindentedLines(stretch.removed, stretch.now)
    if (moved === null) return [...stretch.removed, ...stretch.now]
    isReindented = true
    return [...stretch.removed.filter((line) => !moved.before.has(line)), ...folded(stretch.now, moved.runs)]
  })
  return {
    note: isReindented ? 'lines of which only the indentation changed are shown as they are now' : null,
    parts,
  }
}

export function linesOfView({ parts }: HunkView): DiffLine[] {
  return parts.filter((part) => typeof part !== 'string')
}

function folded(
  now: readonly DiffLine[],
  runs: readonly { from: number; to: number }[],
): (DiffLine | string)[] {
  const parts: (DiffLine | string)[] = []
  let at = 0
  for (const { from, to } of runs) {
    const left = to - from - 2 * shownOfRun
    if (left < shownOfRun) continue
    parts.push(
      ...now.slice(at, from + shownOfRun),
      `(${count(left, 'line')} of which only the indentation changed, as around them)`,
    )
    at = to - shownOfRun
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
