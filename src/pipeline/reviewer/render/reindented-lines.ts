/** Which lines of a changed stretch differ from what they replace in their indentation alone, as a block that moves in or out. */
import type { DiffLine } from '../../../domain/change-set.ts'

export type Reindented = {
  /** The removed lines whose words all come back. */
  before: ReadonlySet<DiffLine>
  /** Stretches of the new lines that moved alike, from the first to behind the last. */
  runs: readonly { from: number; to: number }[]
}

/** Fewer are no block. */
const fewest = 4
/** How far below the next line a line is looked for: new lines may stand between; a bracket is everywhere. */
const farthest = 20
const farthestWithoutWord = 2

/** Null where hardly any line did. */
export function reindentedLines(removed: readonly DiffLine[], now: readonly DiffLine[]): Reindented | null {
  const before = new Set<DiffLine>()
  /** By the index of a new line: how its indentation changed. */
  const shifts = new Map<number, string>()
  let next = 0
  for (const line of removed) {
    const words = line.text.trim()
    const until = Math.min(now.length, next + (/\w/.test(words) ? farthest : farthestWithoutWord))
    for (let at = next; at < until; at++)
      if (now[at]?.kind === 'added' && now[at]?.text.trim() === words) {
        before.add(line)
        shifts.set(at, words === '' ? '' : shiftOf(line.text, now[at]?.text ?? ''))
        next = at + 1
        break
      }
  }
  for (const [at, { kind, text }] of now.entries())
    if (kind === 'context' && text.trim() === '') shifts.set(at, '')
  return before.size < fewest ? null : { before, runs: runsOf(shifts, now.length) }
}

/** Neighbours that moved alike; an empty line moves with those around it. */
function runsOf(shifts: ReadonlyMap<number, string>, length: number): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  let from = 0
  let shift: string | undefined
  for (let at = 0; at <= length; at++) {
    const here = shifts.get(at)
    if (here !== undefined && (here === '' || shift === undefined || shift === '' || here === shift)) {
      if (shift === undefined) from = at
      if (here !== '' || shift === undefined) shift = here
      continue
    }
    if (shift !== undefined) runs.push({ from, to: at })
    shift = here
    from = at
  }
  return runs
}

/** The same for all lines of a block, at whatever depth: what is put before them or taken away, or how many spaces a tab became. */
function shiftOf(was: string, is: string): string {
  const [old, now] = [was, is].map((text) => text.slice(0, text.length - text.trimStart().length))
  if (old === undefined || now === undefined || old === now) return '='
  if (now.startsWith(old)) return `+${now.slice(old.length)}`
  if (old.startsWith(now)) return `-${old.slice(now.length)}`
  return `${now.length / old.length}`
}
