/**
 * What an answer may cite, each piece once and under a number: hunks of the change (`D1`), then evidence (`E1`). A quote is
 * looked up where the model was shown it, and nowhere else.
 */

import { count } from '../../base/count.ts'
import { linesWithin } from '../../base/line-bytes.ts'
import { holdsQuote } from '../../base/visible-text.ts'
import {
  type ChangeSet,
  countBeyond,
  type DiffLine,
  type FileChange,
  type Hunk,
  unreadRoles,
} from '../../domain/change-set.ts'
import { evidenceOfLines } from '../../domain/diff-lines.ts'
import type { Evidence, EvidenceDraft } from '../../domain/evidence.ts'
import { nowhere } from '../../domain/evidence.ts'
import { withoutRepeats } from '../../domain/evidence-repeats.ts'
import { rankFiles } from '../../domain/importance.ts'
import { bareId } from '../../domain/line-tag.ts'

export type Material = {
  hunks: readonly NumberedHunk[]
  evidence: readonly Evidence[]
  /** What did not fit: places or titles. */
  left: readonly string[]
}

/** `lines`: those that are shown, the first ones of a hunk that is too long. */
export type NumberedHunk = { id: string; file: FileChange; hunk: Hunk; lines: readonly DiffLine[] }

/** Bytes. */
const most = { hunks: 60_000, oneHunk: 24_000, evidence: 60_000, map: 8_000 }
/** With less room than this no further hunk is begun. */
const leastHunk = 500

type MaterialInput = {
  change: ChangeSet
  evidence: readonly Evidence[]
  /** Ids of the evidence that was read for this question: it comes first where there is no room for all. */
  read: ReadonlySet<string>
  /** Files with findings: their hunks come first. */
  paths: readonly string[]
}

export function chooseMaterial({ change, evidence, read, paths }: MaterialInput): Material {
  const { hunks, left } = chooseHunks(change, paths)
  const pieces = withoutRepeats(evidence, hunks)
  const wanted = [...pieces.filter(({ id }) => read.has(id)), ...pieces.filter(({ id }) => !read.has(id))]
  let room = most.evidence
  const kept = new Set<string>()
  for (const { id, text } of wanted) {
    const size = Buffer.byteLength(text)
    if (size > room) continue
    kept.add(id)
    room -= size
  }
  return {
    hunks,
    evidence: pieces.filter(({ id }) => kept.has(id)),
    left: [...left, ...pieces.flatMap((item) => (kept.has(item.id) ? [] : [placeOf(item)]))],
  }
}

/** The changed files, one in a line: shows what a change does not touch. */
export function listOfFiles(change: ChangeSet): EvidenceDraft {
  const lines = change.files.map(({ path, oldPath, status, added, removed }) => {
    const from = oldPath === null || oldPath === path ? '' : ` (from ${oldPath})`
    return `${status} ${path}${from}, +${added} -${removed}`
  })
  const total = lines.length + countBeyond(change)
  const shown = linesWithin([...lines, ...change.overflow], most.map)
  return {
    source: 'diff',
    trust: 'foreign',
    title: 'the list of changed files',
    ...nowhere,
    text: [...shown, `(${shown.length} of ${count(total, 'changed file')})`].join('\n'),
  }
}

/** The evidence that holds the words, or the lines of the hunk that do; null when what was shown under this id does not. */
export function findQuoted(id: string, quote: string, { hunks, evidence }: Material): EvidenceDraft | null {
  const name = bareId(id)
  const item = evidence.find((one) => one.id === name)
  if (item) return holdsQuote(item.text, quote) ? item : null
  const hunk = hunks.find((one) => one.id === name)
  return hunk ? linesOf(hunk, quote) : null
}

/** The quote without the sign and number that stand in front of lines of a hunk. */
export function bareQuote(quote: string): string {
  const bare = quote.split('\n').map((line) => line.replace(/^[-+ ]? ?\d{1,9}: ?/, ''))
  return bare.join('\n').trim()
}

function linesOf({ file, lines }: NumberedHunk, quote: string): EvidenceDraft | null {
  for (const words of new Set([quote, bareQuote(quote)]))
    for (const side of ['new', 'old'] as const) {
      const ofSide = lines.filter((line) => line[side] !== null)
      const height = words.split('\n').length
      for (let at = 0; at + height <= ofSide.length; at++) {
        const draft = evidenceOfLines(file, side, ofSide.slice(at, at + height), 'of the change itself')
        if (holdsQuote(draft.text, words)) return draft
      }
    }
  return null
}

function chooseHunks(change: ChangeSet, paths: readonly string[]): { hunks: NumberedHunk[]; left: string[] } {
  const hunks: NumberedHunk[] = []
  const left: string[] = []
  let room = most.hunks
  for (const file of rankFiles(change.files, [], paths)) {
    if (unreadRoles.has(file.role)) continue
    for (const hunk of file.hunks) {
      const lines = room < leastHunk ? [] : firstLines(hunk.lines, Math.min(room, most.oneHunk))
      room -= bytesOf(lines)
      if (lines.length > 0) hunks.push({ id: `D${hunks.length + 1}`, file, hunk, lines })
      const next = hunk.lines[lines.length]
      if (next) left.push(`${file.path}, from line ${next.new ?? next.old} of the diff`)
    }
  }
  return { hunks, left }
}

function firstLines(lines: readonly DiffLine[], maxBytes: number): readonly DiffLine[] {
  let bytes = 0
  const end = lines.findIndex((line) => {
    bytes += bytesOf([line])
    return bytes > maxBytes
  })
  return end < 0 ? lines : lines.slice(0, end)
}

function bytesOf(lines: readonly DiffLine[]): number {
  return lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 8, 0)
}

/** `src/a.ts:10-30 before the change`, or its title. */
export function placeOf({ path, startLine, endLine, side, title }: Evidence): string {
  if (path === null) return title
  const lines = startLine === null ? '' : `:${startLine}-${endLine ?? startLine}`
  return `${path}${lines}${side === 'old' ? ' before the change' : ''}`
}
