/** The few diff lines that a report shows with a finding. */
import type { DiffLine } from '../../../domain/change-set.ts'

const margin = 2
const longest = 12
const widest = 500

/**
 * From two lines before `first` to two after `last` (positions in the hunk), cut at twelve lines. A very long line is
 * cut too, with an ellipsis; its hash stays that of the whole line.
 */
export function excerptAround(lines: readonly DiffLine[], first: number, last: number): DiffLine[] {
  const from = Math.max(0, first - margin)
  return lines
    .slice(from, Math.min(last + margin + 1, from + longest))
    .map((line) => (line.text.length > widest ? { ...line, text: `${line.text.slice(0, widest)}…` } : line))
}
