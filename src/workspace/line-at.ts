/** The lines that offsets of a text are in. */
import { upperBound } from '../base/upper-bound.ts'

/** 1-based. */
export function linesOf(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => upperBound(starts, offset)
}
