/** What findings are about, so that two of them can be told to speak of the same thing. */
import { subjectOf } from '../../domain/claim.ts'
import type { Finding } from '../../domain/finding.ts'

/** Kind and subject of each claim that has a subject: `no-test-calls parse`. */
export function claimedSubjects({ claims }: Finding): Set<string> {
  return new Set(
    claims.flatMap((claim) => {
      const subject = subjectOf(claim)
      return subject === null ? [] : [`${claim.kind} ${subject}`]
    }),
  )
}

/** A line of a few signs is quoted by everybody. */
const shortestLine = 8
const mostLines = 20

/** Lines that both quote, whole or in part. */
export function quoteTheSame(a: Finding, b: Finding): boolean {
  const [left, right] = [quotedLines(a), quotedLines(b)]
  return left.some((one) => right.some((other) => one.includes(other) || other.includes(one)))
}

function quotedLines({ evidence }: Finding): string[] {
  return evidence
    .flatMap(({ quote }) => quote.split('\n'))
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line.length >= shortestLine)
    .slice(0, mostLines)
}
