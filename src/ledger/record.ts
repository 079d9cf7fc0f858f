/**
 * What is remembered of a published finding, so that it is known again after pushes, rebases and edits. It is small,
 * because it travels in a comment, and it holds the words of lines only as hashes.
 */
import { z } from 'zod'
import { sha256 } from '../base/canonical-json.ts'
import { Side } from '../domain/change-set.ts'
import type { Finding } from '../domain/finding.ts'
import { isFileTag } from '../domain/line-tag.ts'
import { Category } from '../domain/severity.ts'

const LineHash = z.string().regex(/^[0-9a-f]{8}$/)

export const FindingRecord = z.strictObject({
  /** The beginning of the fingerprint, with a number behind it where several findings of a review have the same one. */
  id: z.string().regex(/^[0-9a-f]{16}(?:-\d{1,4})?$/),
  rule: z.string().max(300),
  category: Category,
  byModel: z.boolean(),
  path: z.string(),
  side: Side,
  /** First anchored line. */
  line: z.number().int().positive(),
  /** Of the first anchored lines; empty for a finding on a file as a whole. */
  lines: z.array(LineHash).max(5),
  /** Of the lines around them; null where the diff did not show one. */
  before: LineHash.nullable(),
  after: LineHash.nullable(),
  title: z.string().max(120),
})
export type FindingRecord = z.infer<typeof FindingRecord>

const trackedLines = 5

/** One for each finding, in their order, with distinct ids. */
export function recordsOf(findings: readonly Finding[]): FindingRecord[] {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const print = finding.fingerprint.slice(0, 16)
    const times = (seen.get(print) ?? 0) + 1
    seen.set(print, times)
    return recordOf(finding, times === 1 ? print : `${print}-${times}`)
  })
}

function recordOf(finding: Finding, id: string): FindingRecord {
  const { rule, category, anchor, side, startLine, endLine, excerpt, title } = finding
  const isWholeFile = anchor.tags.every((tag) => isFileTag(tag, anchor.path))
  const textAt = (line: number) => excerpt.find((one) => one[side] === line)?.text
  const hashAt = (line: number) => {
    const text = isWholeFile ? undefined : textAt(line)
    return text === undefined ? null : lineHash(text)
  }
  const lines: string[] = []
  for (let line = startLine; line <= endLine && lines.length < trackedLines; line++) {
    const hash = hashAt(line)
    if (hash === null) break
    lines.push(hash)
  }
  return {
    id,
    rule: rule.slice(0, 300),
    category,
    byModel: finding.byModel ?? false,
    path: anchor.path,
    side,
    line: startLine,
    lines,
    before: hashAt(startLine - 1),
    after: lines.length === endLine - startLine + 1 ? hashAt(endLine + 1) : null,
    title: title.slice(0, 120),
  }
}

/** White space does not count, so that moving a block into another one leaves its lines the same. */
export function lineHash(text: string): string {
  return sha256(text.replace(/\s+/g, ' ').trim()).slice(0, 8)
}

export const emptyLine = lineHash('')
