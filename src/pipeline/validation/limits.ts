/** Last step: what is never reviewed, what is too much, and the order in which the rest is told. */
import { matchGlobs } from '../../base/globs.ts'
import type { Config } from '../../config/schema.ts'
import type { Confidence } from '../../domain/confidence.ts'
import type { Finding } from '../../domain/finding.ts'
import { severityRank } from '../../domain/severity.ts'

/** More findings than this help nobody; the mildest go. */
const mostFindings = 1000

const confidences: readonly Confidence[] = ['certain', 'likely', 'possible']

/** Leaves out what lies in files that are never reviewed, and the mildest beyond a thousand. */
export function applyLimits(
  findings: readonly Finding[],
  config: Config,
): { kept: Finding[]; gone: Map<Finding, string> } {
  const isExcluded = matchGlobs(config.paths.exclude)
  const kept: Finding[] = []
  const gone = new Map<Finding, string>()
  // Counted apart: a model that floods a review must not push out what code found.
  const number = { code: 0, model: 0 }
  for (const finding of findings) {
    const by = finding.byModel ? 'model' : 'code'
    const full = number[by] >= mostFindings ? `There are ${mostFindings} weightier findings already` : null
    const reason = isExcluded(finding.anchor.path) ? 'Its file is left out by paths.exclude' : full
    if (reason === null) {
      kept.push(finding)
      number[by]++
    } else gone.set(finding, reason)
  }
  return { kept, gone }
}

/** Most important first: severity, confidence, order of planes, path, line, rule, id. A total order. */
export function compareFindings(planes: readonly string[]): (a: Finding, b: Finding) => number {
  return (a, b) =>
    severityRank(a.severity) - severityRank(b.severity) ||
    confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence) ||
    planes.indexOf(a.plane) - planes.indexOf(b.plane) ||
    compareText(a.anchor.path, b.anchor.path) ||
    a.startLine - b.startLine ||
    compareText(a.rule, b.rule) ||
    // `C2` comes before `C10`.
    a.id.length - b.id.length ||
    compareText(a.id, b.id)
}

/** By code units, whatever the locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
