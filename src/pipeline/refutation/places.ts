/** Where findings are, and the lines of the diff around these places. */
import { widestLine } from '../../agent/diff-text.ts'
import type { DiffLine, FileChange, Side } from '../../domain/change-set.ts'
import { lineAcross, lineWithTag } from '../../domain/diff-lines.ts'
import type { Finding } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'

/** Lines of one side of one file. */
export type Place = { path: string; side: Side; startLine: number; endLine: number }

/** Where a finding is: its lines, every other line that it tags, and its further places; first the one it is shown at. */
export function placesOf(
  finding: Finding & { places?: readonly Place[] },
  { change }: Pick<ReviewContext, 'change'>,
): Place[] {
  const { anchor, side, startLine, endLine, places = [] } = finding
  const file = fileAt(change.files, anchor.path)
  const tagged = anchor.tags.flatMap((tag): Place[] => {
    const spot = file && lineWithTag(file, tag)
    const number = spot?.line[spot.side]
    return spot && number ? [{ path: anchor.path, side: spot.side, startLine: number, endLine: number }] : []
  })
  const own = { path: anchor.path, side, startLine, endLine }
  return [own, ...tagged.filter((place) => !covers(own, place)), ...places]
}

/** Lines above and below a place that are shown; fewer where many places leave less room for each. */
const reaches = [40, 20, 10, 4, 1, 0]

/** Bytes of the diff in one question. */
const mostDiffBytes = 12_000

/** By file: lines of hunks within reach of a place; for a file without such lines, the start of its first hunk. */
export function diffsAround(
  places: readonly Place[],
  { change }: Pick<ReviewContext, 'change'>,
): { file: FileChange; lines: DiffLine[] }[] {
  const files = [...new Set(places.flatMap(({ path }) => fileAt(change.files, path) ?? []))]
  const within = (reach: number) => files.map((file) => ({ file, lines: linesNear(file, places, reach) }))
  const reach = reaches.find((one) => bytesOfDiffs(within(one)) <= mostDiffBytes) ?? 0
  let room = mostDiffBytes
  return within(reach).map(({ file, lines }) => {
    const kept = lines.filter((line) => {
      room -= bytesOfLine(line)
      return room >= 0
    })
    return { file, lines: kept }
  })
}

function linesNear(file: FileChange, places: readonly Place[], reach: number): DiffLine[] {
  const own = places.filter(({ path }) => fileAt([file], path) !== null)
  const lines = file.hunks.flatMap((hunk) => {
    const hits = hunk.lines.flatMap((line, at) => (own.some((place) => isIn(line, place)) ? [at] : []))
    return hunk.lines.filter((_, at) => hits.some((hit) => Math.abs(hit - at) <= reach))
  })
  return lines.length > 0 ? lines : (file.hunks[0]?.lines.slice(0, reach) ?? [])
}

/** As they are shown. */
export function bytesOfDiffs(diffs: readonly { lines: readonly DiffLine[] }[]): number {
  return diffs.flatMap(({ lines }) => lines).reduce((sum, line) => sum + bytesOfLine(line), 0)
}

/** With its tag. */
function bytesOfLine({ text }: DiffLine): number {
  return Math.min(Buffer.byteLength(text), widestLine) + 16
}

function isIn(line: DiffLine, { side, startLine, endLine }: Place): boolean {
  const number = line[side]
  return number !== null && startLine <= number && number <= endLine
}

export function fileAt(files: readonly FileChange[], path: string): FileChange | null {
  return files.find((file) => file.path === path) ?? files.find((file) => file.oldPath === path) ?? null
}

/** Whether the change leaves these lines, which are as they are after it, as they were. */
export function isUntouched(
  { path, startLine, endLine }: Omit<Place, 'side'>,
  files: readonly FileChange[],
): boolean {
  const file = files.find((one) => one.path === path)
  if (!file) return true
  for (let line = startLine; line <= endLine; line++) if (lineAcross(file, 'new', line) === null) return false
  return true
}

export function unique(places: readonly Place[]): Place[] {
  return places.filter((place, at) => !places.slice(0, at).some((other) => covers(other, place)))
}

type Range = { path: string | null; side: Side | null; startLine: number | null; endLine: number | null }

export function covers(whole: Range, part: Range): boolean {
  if (whole.path === null || whole.startLine === null || part.startLine === null) return false
  return (
    whole.path === part.path &&
    (whole.side ?? 'new') === (part.side ?? 'new') &&
    whole.startLine <= part.startLine &&
    (part.endLine ?? part.startLine) <= (whole.endLine ?? whole.startLine)
  )
}
