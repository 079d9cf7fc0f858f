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
import { shortHash, sketchOf, substanceOf, tokensOf } from './tokens.ts'

const LineHash = z.string().regex(/^[0-9a-f]{8}$/)
const Sketch = z
  .string()
  .regex(/^[\w-]*$/)
  .max(100)

/** What the code of a finding is like, whatever its format. */
const CodeRecord = z.strictObject({
  /** Names the tokens of all anchored lines: the same name, the same code. */
  substance: z.string().regex(/^[0-9a-f]{16}$/),
  /** How many tokens there are, and the first of them as a sketch. */
  size: z.number().int().nonnegative(),
  tokens: Sketch,
  /** The lines above and below that are not empty, the nearest first. */
  above: Sketch,
  below: Sketch,
})

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
  /** Absent in records of earlier versions, and for a finding on a file as a whole. */
  code: CodeRecord.optional(),
})
export type FindingRecord = z.infer<typeof FindingRecord>

/** The text of a file on one side; null when it cannot be read. */
export type TextOf = (side: Side, path: string) => string | null

const trackedLines = 5
const trackedTokens = 16
const linesAround = 6
const linesBeside = 2
/** Lines from the finding. */
const farthest = 60
const fewTimes = 2

/** One for each finding, in their order, with distinct ids. Without `textOf`, they know only the lines that the diff shows. */
export function recordsOf(findings: readonly Finding[], textOf: TextOf = () => null): FindingRecord[] {
  const seen = new Map<string, number>()
  const linesOf = splitOnce(textOf)
  return findings.map((finding) => {
    const print = finding.fingerprint.slice(0, 16)
    const times = (seen.get(print) ?? 0) + 1
    seen.set(print, times)
    return recordOf(finding, times === 1 ? print : `${print}-${times}`, linesOf)
  })
}

type LinesOf = (side: Side, path: string) => readonly string[] | null

function splitOnce(textOf: TextOf): LinesOf {
  const files = new Map<string, readonly string[] | null>()
  return (side, path) => {
    const key = `${side}:${path}`
    const known = files.get(key)
    if (known !== undefined) return known
    const lines = textOf(side, path)?.split('\n') ?? null
    files.set(key, lines)
    return lines
  }
}

function recordOf(finding: Finding, id: string, linesOf: LinesOf): FindingRecord {
  const { rule, category, anchor, side, startLine, endLine, excerpt, title } = finding
  const isWholeFile = anchor.tags.every((tag) => isFileTag(tag, anchor.path))
  const file = isWholeFile ? null : linesOf(side, anchor.path)
  const shown = new Map(excerpt.map((one) => [one[side], one.text]))
  const textAt = (line: number) => shown.get(line) ?? file?.[line - 1]
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
    ...(isWholeFile
      ? {}
      : { code: codeOf(startLine, endLine, { textAt, file, isCommon: commonLines(file) }) }),
  }
}

type Around = {
  textAt: (line: number) => string | undefined
  /** Null where only the lines of the diff are known. */
  file: readonly string[] | null
  /** It is in the file again and again, and says little of where it is. */
  isCommon: (words: string) => boolean
}

function codeOf(startLine: number, endLine: number, lines: Around): FindingRecord['code'] {
  const { textAt } = lines
  const own: string[] = []
  for (let line = startLine; line <= endLine; line++) {
    const text = textAt(line)
    if (text === undefined) break
    own.push(text)
  }
  const tokens = tokensOf(own)
  return {
    substance: substanceOf(tokens),
    size: tokens.length,
    tokens: sketchOf(tokens.slice(0, trackedTokens)),
    above: around(startLine, -1, lines),
    below: around(startLine + own.length - 1, 1, lines),
  }
}

/** The nearest lines with words, in one direction: those right beside it, and beyond them such as say where it is. */
function around(from: number, step: 1 | -1, { textAt, file, isCommon }: Around): string {
  const found: string[] = []
  for (let line = from + step; found.length < linesAround; line += step) {
    const text = textAt(line)
    if (text === undefined && file) found.push(fileEnd)
    if (text === undefined || Math.abs(line - from) > farthest) break
    const words = wordsOf(text)
    if (words !== '' && (found.length < linesBeside || !isCommon(words))) found.push(shortHash(words))
  }
  return found.join('')
}

/** Stands for what is before the first line of a file, and behind the last one. */
export const fileEnd = '-_-'

/** A line as it counts among those around a finding; empty when it has no words. */
export function wordsOf(text: string): string {
  return tokensOf([text])
    .map((token) => token.text)
    .join(' ')
}

const counted = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

function commonLines(file: readonly string[] | null): (words: string) => boolean {
  if (!file) return () => false
  let counts = counted.get(file)
  if (!counts) {
    const all = new Map<string, number>()
    for (const text of file) {
      const words = wordsOf(text)
      all.set(words, (all.get(words) ?? 0) + 1)
    }
    counts = all
    counted.set(file, counts)
  }
  const known = counts
  return (words) => (known.get(words) ?? 0) > fewTimes
}

/** White space does not count, so that moving a block into another one leaves its lines the same. */
export function lineHash(text: string): string {
  return sha256(text.replace(/\s+/g, ' ').trim()).slice(0, 8)
}

export const emptyLine = lineHash('')
