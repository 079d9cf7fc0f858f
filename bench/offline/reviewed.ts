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
