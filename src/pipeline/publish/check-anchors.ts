/**
 * What a publisher checks by itself before anything is shown: that the review belongs to this change, that every finding is
 * on lines of this diff, and that its further places hold their words. It trusts no line number, tag or excerpt of the review.
 */
import { UserError } from '../../base/errors.ts'
import type { ChangeSet, DiffLine, FileChange } from '../../domain/change-set.ts'
import { lineIndexOf, lineWithTag } from '../../domain/diff-lines.ts'
import type { Finding, FurtherPlace } from '../../domain/finding.ts'
import { isFileTag } from '../../domain/line-tag.ts'
import { findQuote } from '../../domain/quoted-words.ts'
import type { Review } from '../../domain/review.ts'
import type { ReviewRequest } from '../../domain/review-request.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'

export type RefusedFinding = Pick<Finding, 'id' | 'title' | 'severity' | 'preExisting'> & { reason: string }

export type CheckedReview = {
  /** Without the findings that were refused, which its notices name. The conclusion stays as it was. */
  review: Review
  refused: RefusedFinding[]
}

/** Throws `review-unusable` for a review of other trees than these. */
export function checkAnchors(review: Review, change: ChangeSet, request: ReviewRequest): CheckedReview {
  for (const side of ['base', 'head'] as const)
    if (review.request[side].tree !== request[side].tree)
      throw new UserError('review-unusable', `it was made for a different ${side} than this change has`)
  const refused: RefusedFinding[] = []
  const isPlaced = (finding: Finding): boolean => {
    const reason = whyRefused(finding, change)
    const { id, title, severity, preExisting } = finding
    if (reason !== null) refused.push({ id, title, severity, preExisting, reason })
    return reason === null
  }
  const findings = review.findings.filter(isPlaced)
  return { review: withFindings(review, findings, refused.map(refusalWords)), refused }
}

/** As it was where there is nothing to say. */
function withFindings(review: Review, findings: Finding[], words: readonly string[]): Review {
  const { conclusion } = review
  const notices = [...conclusion.notices, ...words]
  return words.length === 0 ? review : { ...review, findings, conclusion: { ...conclusion, notices } }
}

/** The review without further places whose lines do not hold the words that they quote; the findings stay. */
export async function checkPlaces(
  review: Review,
  sides: { base: RepoSnapshot; head: RepoSnapshot },
): Promise<Review> {
  const notices: string[] = []
  const findings: Finding[] = []
  for (const finding of review.findings) {
    const places: FurtherPlace[] = []
    for (const place of finding.places ?? []) {
      if (await holdsItsWords(place, place.side === 'old' ? sides.base : sides.head)) places.push(place)
      else notices.push(`a place left out of ${finding.title}: its words are not on its lines`)
    }
    findings.push(finding.places === undefined ? finding : { ...finding, places })
  }
  return withFindings(review, findings, notices)
}

async function holdsItsWords(
  { path, startLine, endLine, quote }: FurtherPlace,
  snapshot: RepoSnapshot,
): Promise<boolean> {
  const file = await snapshot.read(path)
  const lines = file?.text.split('\n').slice(startLine - 1, endLine) ?? []
  return lines.length === endLine - startLine + 1 && findQuote(lines.join('\n'), quote, false) !== null
}

/** One line for people; its title is a model's. */
export function refusalWords({ title, severity, reason }: RefusedFinding): string {
  return `not published: ${title} (${severity}): ${reason}`
}

/** Null when every tag, the range and the excerpt are those of the diff. */
function whyRefused(finding: Finding, change: ChangeSet): string | null {
  const file = change.files.find(({ path }) => path === finding.anchor.path)
  if (!file) return 'its file is not part of this change'
  if (!finding.excerpt.every((line) => isLineOf(line, file))) return 'its excerpt is not from this diff'
  const tags = finding.anchor.tags
  if (tags.every((tag) => isFileTag(tag, file.path)))
    return finding.startLine === 1 && finding.endLine === 1 ? null : 'it has lines, and cites only its file'
  const lines = tags.map((tag) => lineWithTag(file, tag))
  const [shown] = lines
  if (!shown || lines.includes(null)) return 'it cites a line that this diff does not have'
  const { side } = finding
  const numbers = lines.flatMap((spot) => (spot?.hunk === shown.hunk ? (spot.line[side] ?? []) : []))
  return Math.min(...numbers) === finding.startLine && Math.max(...numbers) === finding.endLine
    ? null
    : 'its line numbers are not those of the lines it cites'
}

function isLineOf({ kind, old, new: number, text, hash }: DiffLine, file: FileChange): boolean {
  const index = lineIndexOf(file)
  const spot = number !== null ? index.at('new', number) : old !== null ? index.at('old', old) : null
  const line = spot?.line
  return line?.kind === kind && line.old === old && line.text === text && line.hash === hash
}
