/** Cuts a range of lines where blank lines allow it. */
import type { ChunkLimits } from './contract.ts'

/** First and last line, 1-based, inclusive. */
export type Range = { from: number; to: number }

/** Ranges in order that cover the given one. Blank lines belong to what stands before them. */
export function cutBlocks(
  lines: readonly string[],
  { from, to }: Range,
  { block, longestBlock }: ChunkLimits,
): Range[] {
  const ranges: Range[] = []
  let start = from
  for (let line = from; line < to; line++) {
    const length = line - start + 1
    const isBreak = isBlank(lines[line - 1]) && !isBlank(lines[line])
    if ((length < block || !isBreak) && length < longestBlock) continue
    ranges.push({ from: start, to: line })
    start = line + 1
  }
  const last = ranges.at(-1)
  // A few lines left over are no piece of their own.
  if (last && to - start + 1 < block / 8 && to - last.from + 1 <= longestBlock) last.to = to
  else ranges.push({ from: start, to })
  return ranges
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}
