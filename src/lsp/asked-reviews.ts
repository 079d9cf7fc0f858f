/**
 * The findings of reviews that somebody asked for, a model's among them: shown until their lines change, since no key asks a
 * model again.
 */
import { mask } from '../base/secrets/redact.ts'
import type { Finding } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { linesOf } from './diagnostics.ts'

export type AskedReview = {
  review: Review
  /** On record; null where nothing is kept. */
  run: string | null
  /** Collects the same change again, which the caller closes. */
  collect(signal: AbortSignal): Promise<CollectedChange>
}

type Kept = { asked: AskedReview; finding: Finding; text: readonly string[] | null; isHidden: boolean }

/** The lines of a file; null where they cannot be read. */
export type ReadLines = (path: string) => readonly string[] | null

export class AskedReviews {
  private readonly kept = new Map<string, Kept>()

  /** `read`: as they were reviewed, which the editor may be far from: typing goes on, and a branch has nothing unsaved. */
  add(asked: AskedReview, read: ReadLines): void {
    for (const finding of asked.review.findings) {
      const [start, end] = linesOf(finding)
      const text = read(finding.anchor.path)?.slice(start - 1, end) ?? null
      this.kept.set(finding.fingerprint, { asked, finding, text, isHidden: false })
    }
  }

  /** By the start of its fingerprint. */
  find(name: string): { asked: AskedReview; finding: Finding } | null {
    return [...this.kept.values()].find(({ finding }) => finding.fingerprint.startsWith(name)) ?? null
  }

  /** It was dismissed, or restored. */
  hide(name: string, isHidden: boolean): void {
    for (const kept of this.kept.values())
      if (kept.finding.fingerprint.startsWith(name)) kept.isHidden = isHidden
  }

  /**
   * Each review with those of its findings whose lines are as they were, where these lines are now. `read`: from the editor, null for
   * files that are not open, whose findings stay where they were. `known`: fingerprints that are shown anyway.
   */
  current(read: ReadLines, known: ReadonlySet<string>): Review[] {
    const byReview = new Map<Review, Finding[]>()
    for (const { asked, finding, text, isHidden } of this.kept.values()) {
      if (isHidden || known.has(finding.fingerprint)) continue
      const moved = text === null ? finding : whereNow(finding, text, read(finding.anchor.path))
      if (moved) byReview.set(asked.review, [...(byReview.get(asked.review) ?? []), moved])
    }
    return [...byReview].map(([review, findings]) => ({ ...review, findings }))
  }
}

function whereNow(
  finding: Finding,
  text: readonly string[],
  lines: readonly string[] | null,
): Finding | null {
  if (lines === null) return finding
  const [start] = linesOf(finding)
  const at = nearest(lines, text, start - 1)
  if (at === null) return null
  if (at === start - 1) return finding
  // A line that the change removed is shown beside one that is there. The suggested change is for the lines as they were.
  return { ...finding, side: 'new', startLine: at + 1, endLine: at + text.length, suggestion: null }
}

/** A review reads lines without their secrets. */
function isShownAs(masked: string, line: string | undefined): boolean {
  if (line === masked || line === undefined) return line === masked
  const [start = '', ...rest] = masked.split(mask)
  const end = rest.at(-1)
  return end !== undefined && line.startsWith(start) && line.endsWith(end)
}

/** Where these lines begin, nearest to where they were; the earlier one of two. */
function nearest(lines: readonly string[], text: readonly string[], from: number): number | null {
  const isAt = (at: number) => at >= 0 && text.every((line, index) => isShownAs(line, lines[at + index]))
  for (let distance = 0; distance <= lines.length; distance++) {
    if (isAt(from - distance)) return from - distance
    if (isAt(from + distance)) return from + distance
  }
  return null
}
