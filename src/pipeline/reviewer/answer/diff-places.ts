/** The lines of the diff by their tags, as evidence that can be cited. */
import type { ChangeSet, DiffLine, FileChange } from '../../../domain/change-set.ts'
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import { parseTag } from '../../../domain/line-tag.ts'

/** A quote of more lines is no quote. */
const mostLines = 40

/**
 * The tagged line, with as many of those below it on the same side as the quote has; null when no line of the diff of
 * this file has the tag.
 */
export function lineEvidence(
  change: ChangeSet,
  path: string,
  tag: string,
  quotedLines: number,
): EvidenceDraft | null {
  const parsed = parseTag(tag.trim())
  const file = change.files.find((one) => one.path === path)
  if (!parsed || !file) return null
  const { side, line: number, hash } = parsed
  for (const { lines } of file.hunks) {
    const own = lines.filter((line) => line[side] !== null)
    const at = own.findIndex((line) => line[side] === number && line.hash === hash)
    if (at < 0) continue
    const shown = own.slice(at, at + Math.min(Math.max(quotedLines, 1), mostLines))
    return describe(file, side, shown)
  }
  return null
}

function describe(file: FileChange, side: 'old' | 'new', lines: readonly DiffLine[]): EvidenceDraft {
  const numbers = lines.map((line) => line[side] ?? 0)
  return {
    source: 'diff',
    trust: 'foreign',
    title: lines.every(({ kind }) => kind === 'context') ? 'beside the change' : 'of the change itself',
    path: file.path,
    blob: side === 'new' ? file.newBlob : file.oldBlob,
    side,
    startLine: Math.min(...numbers),
    endLine: Math.max(...numbers),
    text: lines.map(({ text }) => text.replace(/\r$/, '')).join('\n'),
  }
}

/** The path, if only one of the files has a line with this tag: a hash of three characters alone proves nothing. */
export function pathWithTag(change: ChangeSet, paths: readonly string[], tag: string): string | null {
  const holders = paths.filter((path) => lineEvidence(change, path, tag, 1) !== null)
  return holders.length === 1 ? (holders[0] ?? null) : null
}
