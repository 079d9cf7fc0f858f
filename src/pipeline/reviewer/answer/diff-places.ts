/** The lines of the diff by their tags, as evidence that can be cited. */
import type { ChangeSet } from '../../../domain/change-set.ts'
import { evidenceOfLines, linesFromTag } from '../../../domain/diff-lines.ts'
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
  const file = change.files.find((one) => one.path === path)
  const lines = file ? linesFromTag(file, tag, Math.min(Math.max(quotedLines, 1), mostLines)) : []
  if (!file || lines.length === 0) return null
  const isUnchanged = lines.every(({ kind }) => kind === 'context')
  const side = parseTag(tag.trim())?.side ?? 'new'
  return evidenceOfLines(file, side, lines, isUnchanged ? 'beside the change' : 'of the change itself')
}

/** The path, if only one of the files has a line with this tag: a hash of three characters alone proves nothing. */
export function pathWithTag(change: ChangeSet, paths: readonly string[], tag: string): string | null {
  const holders = paths.filter((path) => lineEvidence(change, path, tag, 1) !== null)
  return holders.length === 1 ? (holders[0] ?? null) : null
}
