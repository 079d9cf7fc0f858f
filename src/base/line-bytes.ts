/** How many bytes lines take as one text, and how many of them fit. Each line is counted with its line feed. */

/** UTF-8 bytes, each line with one for its line feed. */
export function bytesOfLines(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + bytesOfLine(line), 0)
}

/** The lines from the first on that are at most so many bytes together; none when the first alone is longer. */
export function linesWithin(lines: readonly string[], maxBytes: number): string[] {
  let bytes = 0
  const end = lines.findIndex((line) => {
    bytes += bytesOfLine(line)
    return bytes > maxBytes
  })
  return lines.slice(0, end < 0 ? lines.length : end)
}

function bytesOfLine(line: string): number {
  return Buffer.byteLength(line) + 1
}
