/**
 * One line for each finding, as compilers print them, for editors, `grep` and problem matchers:
 * `src/a.ts:12: high: A value is pasted into SQL [rules js/quoted-sql-interpolation]`. Gaps follow as notes, so that an empty
 * list never passes for a whole review.
 */
import { visibleLine } from '../../base/visible-text.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import { planeGaps } from './words.ts'

/** Empty when there is nothing to say. Lines that exist only at the base are marked. */
export function renderCompact(review: Review): string {
  const open = review.coverage.files.filter(({ state }) => state !== 'reviewed')
  const lines = [
    ...review.findings.map(lineOf),
    ...open.map(
      ({ path, state, reason }) => `${path}:1: note: not reviewed (${state}): ${reason ?? 'no reason given'}`,
    ),
    ...planeGaps(review).map(({ plane, words }) => `sightline: note: plane ${plane}: ${words}`),
  ]
  return lines.map((line) => `${visibleLine(line)}\n`).join('')
}

function lineOf({ anchor, side, startLine, severity, title, plane, rule, contested }: Finding): string {
  const before = side === 'old' ? ' (before the change)' : ''
  const mark = contested === undefined ? '' : ' (contested by a model)'
  return `${anchor.path}:${startLine}: ${severity}: ${title}${before}${mark} [${plane} ${rule}]`
}
