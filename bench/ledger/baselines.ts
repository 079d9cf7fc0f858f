/** What other tools do to know a finding again, each in its simplest form, to compare with. */
import { sha256 } from '../../src/base/canonical-json.ts'
import type { Finding } from '../../src/domain/finding.ts'

export type Observed = { id: string; finding: Finding }
export type Matcher = (
  earlier: readonly Observed[],
  now: readonly Observed[],
  pathNow: (path: string) => string,
) => Map<string, string>

const anchorText = ({ excerpt, startLine }: Finding) =>
  excerpt.find((line) => line.new === startLine)?.text.trim() ?? ''

/** The same rule on the same line of the same file. */
export const byLineNumber: Matcher = byKey(({ rule, startLine }, path) => `${rule} ${path}:${startLine}`)

/** The same rule on a line with the same words in the same file, the first with the first, as in fingerprints of SARIF. */
export const byLineHash: Matcher = byKey(
  (finding, path) => `${finding.rule} ${path} ${sha256(anchorText(finding))}`,
)

/** The same rule in the same file, the first with the first. */
export const byRuleAndFile: Matcher = byKey(({ rule }, path) => `${rule} ${path}`)

function byKey(keyOf: (finding: Finding, path: string) => string): Matcher {
  return (earlier, now, pathNow) => {
    const free = Map.groupBy(now, ({ finding }) => keyOf(finding, finding.anchor.path))
    const matched = new Map<string, string>()
    for (const { id, finding } of earlier) {
      const one = free.get(keyOf(finding, pathNow(finding.anchor.path)))?.shift()
      if (one) matched.set(id, one.id)
    }
    return matched
  }
}
