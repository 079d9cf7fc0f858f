/** Cuts an answer to what a model can use, once for all tools, and says what was cut. */
import { count } from '../base/count.ts'
import type { OutputLimits } from './contract.ts'

export type Compacted = { lines: string[]; cut: string | null }

export function compact(lines: readonly string[], limits: OutputLimits): Compacted {
  const kept: string[] = []
  let bytes = 0
  let shortened = 0
  for (const line of lines.slice(0, limits.lines)) {
    const short = shorten(line, limits.lineLength)
    if (short !== line) shortened++
    bytes += Buffer.byteLength(short) + 1
    if (bytes > limits.bytes) break
    kept.push(short)
  }
  const left = lines.length - kept.length
  const told = [
    ...(left > 0 ? [`${left} of ${count(lines.length, 'line')} ${left === 1 ? 'is' : 'are'} left out`] : []),
    ...(shortened > 0 ? [`${count(shortened, 'long line is', 'long lines are')} cut`] : []),
  ]
  return { lines: kept, cut: told.length > 0 ? told.join('; ') : null }
}

function shorten(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
