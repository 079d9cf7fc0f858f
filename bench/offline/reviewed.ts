/** What a survey keeps of each commit, one line of JSON each. */
import { existsSync, readFileSync } from 'node:fs'
import type { Finding } from '../../src/index.ts'

export type SurveyRow = { finding: Finding; onDiff: boolean }

export type Reviewed = {
  repository: string
  commit: string
  durationMs: number
  rows: SurveyRow[]
  limits: string[]
  crash: string | null
}

export function readReviewed(path: string): Reviewed[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Reviewed)
}

/** Counts by rule, and the limits that most reviews had. */
export function describeSurvey(reviewed: readonly Reviewed[]): string {
  const findings = reviewed.flatMap(({ rows }) => rows.map(({ finding }) => finding))
  const repositories = new Set(reviewed.map(({ repository }) => repository)).size
  const withFinding = reviewed.filter(({ rows }) => rows.length > 0).length
  const incomplete = reviewed.filter(({ limits }) => limits.length > 0).length
  const limits = Map.groupBy(
    reviewed.flatMap((one) => one.limits),
    (limit) => limit.replace(/\d[\d.,]*/g, 'N'),
  )
  return [
    `${reviewed.length} reviews of ${repositories} repositories, ${incomplete} incomplete; ${findings.length} findings in ${withFinding} of them`,
    ...[...Map.groupBy(findings, ({ rule }) => rule)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([rule, { length }]) => `${length} ${rule}`),
    ...[...limits]
      .sort(([, a], [, b]) => b.length - a.length)
      .slice(0, 20)
      .map(([limit, { length }]) => `limit ×${length}: ${limit}`),
  ].join('\n')
}
