/** How bad a finding is, how sure it is, and what it is about. */
import { z } from 'zod'
import { severities } from './names.ts'

export { severities }

export const Confidence = z.enum(['certain', 'likely', 'possible'])
export type Confidence = z.infer<typeof Confidence>

/** `possible` for none. */
export function surestOf(all: readonly { confidence: Confidence }[]): Confidence {
  return Confidence.options.find((level) => all.some(({ confidence }) => confidence === level)) ?? 'possible'
}

export const Severity = z.enum(severities)
export type Severity = z.infer<typeof Severity>

export const Category = z.enum([
  'correctness',
  'contract',
  'security',
  'performance',
  'tests',
  'documentation',
  'maintainability',
])
export type Category = z.infer<typeof Category>

/** 0 for `critical`; a larger number is milder. */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity)
}

/** True when `severity` is at least as bad as `threshold`. */
export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return severityRank(severity) <= severityRank(threshold)
}
