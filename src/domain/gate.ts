/** When a check blocks a change: a rule over findings, the same for the command and the server. */
import { z } from 'zod'
import { matchGlobs } from '../base/globs.ts'
import type { Finding } from './finding.ts'
import { Confidence, isAtLeast, Severity } from './severity.ts'

const names = z.array(z.string().min(1).max(300)).max(200)

export const Gate = z.strictObject({
  failOn: z.enum([...Severity.options, 'never']),
  /** Only findings of these planes; all without any. */
  planes: names.default([]),
  /** Globs; only findings in files that match one. */
  paths: names.default([]),
  /** Only findings that are at least so sure. */
  confidence: Confidence.default('possible'),
})
export type Gate = z.infer<typeof Gate>

/** Somebody with the right to opened it for this head. */
export const GateOverride = z.strictObject({ by: z.string().max(200), because: z.string().max(2000) })
export type GateOverride = z.infer<typeof GateOverride>

export function makeBlocks({ failOn, planes, paths, confidence }: Gate): (finding: Finding) => boolean {
  const isThere = matchGlobs(paths)
  const sure = Confidence.options.slice(0, Confidence.options.indexOf(confidence) + 1)
  return (finding) =>
    failOn !== 'never' &&
    !finding.preExisting &&
    isAtLeast(finding.severity, failOn) &&
    (planes.length === 0 || planes.includes(finding.plane)) &&
    (paths.length === 0 || isThere(finding.anchor.path)) &&
    sure.includes(finding.confidence)
}
