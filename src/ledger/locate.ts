/**
 * Where the lines of a recorded finding are in a file now. They are looked for by their words, which survives what no
 * chain of diffs does: force-pushes, rebases and squashes whose old commits are gone.
 */
import { emptyLine, type FindingRecord, lineHash } from './record.ts'

/** A file as hashes of its lines; made once for all records of it. */
export type HashedFile = readonly string[]

export function hashLines(text: string): HashedFile {
  return text.split('\n').map(lineHash)
}

/**
 * The first line (1-based), or null when the words are gone. Of several places, the one whose neighbours agree best, then
 * the nearest. Empty lines alone are no words.
 */
export function locate(record: FindingRecord, file: HashedFile): number | null {
  const { lines, before, after, line } = record
  if (lines.length === 0) return file.length > 0 ? record.line : null
  if (lines.every((hash) => hash === emptyLine)) return null
  let best: { at: number; agreeing: number } | null = null
  for (let at = file.indexOf(lines[0] ?? ''); at >= 0; at = file.indexOf(lines[0] ?? '', at + 1)) {
    if (!lines.every((hash, index) => file[at + index] === hash)) continue
    const agreeing = Number(file[at - 1] === before) + Number(file[at + lines.length] === after)
    const isNearer = best !== null && Math.abs(at + 1 - line) < Math.abs(best.at + 1 - line)
    if (best === null || agreeing > best.agreeing || (agreeing === best.agreeing && isNearer))
      best = { at, agreeing }
  }
  return best && best.at + 1
}
