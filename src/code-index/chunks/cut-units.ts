/** Lays definitions over the lines of a file, so that each line belongs to one piece. */
import type { Range } from './cut-blocks.ts'
import type { Unit } from './units.ts'

/** `symbol`: whose definition, or head, this is; null between definitions. `isWhole`: all of a definition. */
export type Piece = Range & { symbol: number | null; isWhole: boolean }

/** Lines between two definitions that go along with the one after them. */
const fewLines = 10

/** Lines above the first class that go along with its head: imports, a licence. */
const headLines = 40

export function cutUnits(lines: readonly string[], units: readonly Unit[]): Piece[] {
  return cutInside(lines, { from: 1, to: lines.length }, units, null)
}

function cutInside(
  lines: readonly string[],
  { from, to }: Range,
  units: readonly Unit[],
  holder: number | null,
): Piece[] {
  const pieces: Piece[] = []
  let at = from
  const between = (last: number): void => {
    if (last < at) return
    pieces.push({ from: at, to: last, symbol: holder, isWhole: false })
    at = last + 1
  }
  for (const unit of units) {
    const lead = commentAbove(lines, unit.from, at)
    const gap = lead - at
    const above = pieces.at(-1)
    const says = hasWords(lines, { from: at, to: lead - 1 })
    // The class takes what stands above it into its head.
    const joinsHead = !above && unit.inner.length > 0 && gap <= headLines
    if (above && !says) {
      above.to = lead - 1
      at = lead
    } else if (says && !joinsHead && (!above || gap > fewLines)) between(lead - 1)
    const range = { from: at, to: unit.to }
    if (unit.inner.length > 0) pieces.push(...cutInside(lines, range, unit.inner, unit.index))
    else pieces.push({ ...range, symbol: unit.index, isWhole: true })
    at = unit.to + 1
  }
  const last = pieces.at(-1)
  const isRest = to - at + 1 <= fewLines || !hasWords(lines, { from: at, to })
  if (last && isRest) last.to = to
  else between(to)
  return pieces
}

/** The first line of the comment or decorators right above a line. */
function commentAbove(lines: readonly string[], line: number, first: number): number {
  let at = line
  while (at > first && /^\s*(?:\/\/|\/?\*|#|@|--)/.test(lines[at - 2] ?? '')) at--
  return at
}

function hasWords(lines: readonly string[], { from, to }: Range): boolean {
  return lines.slice(from - 1, Math.max(from - 1, to)).some((line) => /[\p{L}\p{N}]/u.test(line))
}
