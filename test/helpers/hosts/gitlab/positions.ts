/** GitLab's places in a diff: three commits, two paths, and the line of one side, or of both for an unchanged line. */
import { createHash } from 'node:crypto'
import type { Change, LineAnchor, Thread } from '../engine/change.ts'
import { type DiffSide, type FileDiff, findLine } from '../engine/file-diff.ts'
import { type Position, Refusal } from './state.ts'

export type Placed = Pick<Thread, 'path' | 'anchor' | 'commit' | 'base' | 'diffHunk' | 'wirePlace'>

/** Throws as GitLab does. A range whose line codes are wrong is accepted and shown nowhere: a violation. */
export function placePosition(change: Change, position: Position, violations: string[]): Placed {
  const { base_sha: base, head_sha: head, start_sha: start } = position
  const version = change.versions.find((one) => one.head === head && one.base === base && one.start === start)
  const file = version && change.repository.diff(base, head).find(({ path }) => path === position.new_path)
  if (!file || file.oldPath !== (file.status === 'A' ? position.new_path : position.old_path)) throw badLine()
  const [oldLine, newLine] = [position.old_line ?? null, position.new_line ?? null]
  const side: DiffSide = newLine === null ? 'old' : 'new'
  const line = newLine ?? oldLine ?? 0
  const kind = oldLine === null ? '+' : newLine === null ? '-' : ' '
  const found = findLine(file, side, line)?.found
  const fits = found
    ? found.kind === kind && found.old === oldLine && found.new === newLine
    : isUnfolded(file, oldLine, newLine)
  if (!fits) throw badLine()
  const range = position.line_range
  const startLine = range ? startOf(file, range, violations) : line
  const anchor: LineAnchor = { side, line, startSide: side, startLine: startLine ?? line }
  const diffHunk = findLine(file, side, line)?.hunk.header ?? ''
  return { path: file.path, anchor, commit: head, base, diffHunk, wirePlace: position }
}

/** Updated with each push as long as its line is in the diff; the last one otherwise. */
export function positionNow(change: Change, thread: Thread): Position {
  const first = thread.wirePlace as Position
  const today = change.placeOf(thread)
  const version = change.versions.at(-1)
  if (!today || !version || version.head === thread.commit) return first
  const file = change.diff.find(({ path }) => path === thread.path)
  const found = file && findLine(file, today.side, today.line)?.found
  return {
    ...first,
    ...{ base_sha: version.base, start_sha: version.start, head_sha: version.head },
    old_path: file?.oldPath ?? thread.path,
    old_line: found?.old ?? null,
    new_line: found?.new ?? null,
    line_range: null,
  }
}

export function lineCode(path: string, old: number, fresh: number): string {
  return `${createHash('sha1').update(path).digest('hex')}_${old}_${fresh}`
}

/** An unchanged line outside the hunks can be unfolded, and then commented on. */
function isUnfolded(file: FileDiff, oldLine: number | null, newLine: number | null): boolean {
  if (oldLine === null || newLine === null || file.status !== 'M') return false
  let shift = 0
  for (const hunk of file.hunks) if (hunk.newStart <= newLine) shift += hunk.newLines - hunk.oldLines
  return newLine - oldLine === shift
}

function startOf(
  file: FileDiff,
  range: NonNullable<Position['line_range']>,
  violations: string[],
): number | null {
  const codes = new Map<string, number>()
  for (const hunk of file.hunks) {
    let [old, fresh] = [hunk.oldStart, hunk.newStart]
    for (const line of hunk.lines) {
      codes.set(lineCode(file.path, old, fresh), line.new ?? line.old ?? 0)
      if (line.old !== null) old += 1
      if (line.new !== null) fresh += 1
    }
  }
  for (const { line_code: code } of [range.start, range.end])
    if (!codes.has(code)) violations.push(`No line of ${file.path} has the line code ${code}`)
  return codes.get(range.start.line_code) ?? null
}

function badLine(): Refusal {
  return new Refusal(400, {
    message: '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}',
  })
}
