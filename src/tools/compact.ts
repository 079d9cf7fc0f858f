/** Cuts an answer to what a model can use, once for all tools. What was cut is counted. */
import type { OutputLimits } from './contract.ts'

/** `shortened`: how many of the lines that are kept lost their ends. */
export type Compacted = { lines: string[]; shortened: number }

export function compact(lines: readonly string[], limits: OutputLimits): Compacted {
  const kept: string[] = []
  let bytes = 0
  let shortened = 0
  for (const line of lines.slice(0, limits.lines)) {
    const short = shorten(line, limits.lineLength)
    bytes += Buffer.byteLength(short) + 1
    if (bytes > limits.bytes) break
    kept.push(short)
    if (short !== line) shortened++
  }
  return { lines: kept, shortened }
}

function shorten(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
