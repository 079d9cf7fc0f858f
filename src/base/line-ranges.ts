/** Which of many ranges of lines a line is in. */

export type LineRange = { startLine: number; endLine: number }

/**
 * Answers for each line the index of the last range that it is in, or -1. Each line is written once, however many ranges
 * overlap on it.
 */
export function lastAround(ranges: readonly LineRange[], lineCount: number): (line: number) => number {
  const last = new Int32Array(lineCount + 2).fill(-1)
  // For a line that has its answer, a line further down up to which all have theirs; else the line itself.
  const open = Int32Array.from(last.keys())
  const nextOpen = (line: number): number => {
    let end = line
    while (open[end] !== end) end = open[end] ?? end + 1
    for (let at = line; at !== end; ) {
      const next = open[at] ?? end
      open[at] = end
      at = next
    }
    return end
  }
  for (let index = ranges.length - 1; index >= 0; index--) {
    const { startLine, endLine } = ranges[index] ?? { startLine: 1, endLine: 0 }
    const to = Math.min(endLine, lineCount)
    if (startLine > to) continue
    for (let line = nextOpen(Math.max(0, startLine)); line <= to; line = nextOpen(line)) {
      last[line] = index
      open[line] = line + 1
    }
  }
  return (line) => last[line] ?? -1
}
