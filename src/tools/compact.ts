/** Cuts an answer to what a model can use, once for all tools. What was cut is counted. */
import { linesWithin } from '../base/line-bytes.ts'
import type { OutputLimits } from './contract.ts'

/** `shortened`: how many of the lines that are kept lost their ends. */
export type Compacted = { lines: string[]; shortened: number }

export function compact(lines: readonly string[], limits: OutputLimits): Compacted {
  const short = lines.slice(0, limits.lines).map((line) => shorten(line, limits.lineLength))
  const kept = linesWithin(short, limits.bytes)
  return { lines: kept, shortened: kept.filter((line, at) => line !== lines[at]).length }
}

function shorten(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
