/** What became of each planted finding in the review that it was planted in. */
import { type Finding, type Review, type Severity, severityRank, type Verdict } from '../../src/index.ts'
import { placeOf } from '../scores/places.ts'
import type { PlantedFinding } from './planted-finding.ts'

export type Fate = {
  planted: PlantedFinding
  /**
   * `unplanted`: no question showed its file, or there is no review. `merged`: another finding says the same, so that it
   * was not judged by itself. `stopped`: validation dropped it. `refuted`: the judge did. `older`: the judge, or
   * validation, called it older than the change. `published`: the review has it.
   */
  state: 'unplanted' | 'merged' | 'stopped' | 'refuted' | 'older' | 'published'
  /** Of what is published. */
  severity: Severity | null
  /** Why, in words of the review. */
  reason: string
  /** `half-true` and published: whether every false sentence is gone. */
  isNarrowed: boolean
  /** `overstated` and published: whether it is no worse than it deserves. */
  isCorrected: boolean
  /** `wrong-line` and published: whether it is now at the line of its witness. */
  isMoved: boolean
}

/** `review` null: there is none. */
export function fateOf(planted: PlantedFinding, review: Review | null): Fate {
  const verdict = review?.verdicts.find(({ candidate }) => isOf(planted, candidate))
  const finding = verdict?.finding ?? null
  return {
    planted,
    state: stateOf(verdict),
    severity: finding?.severity ?? null,
    reason: verdict?.reason ?? 'no question showed its file, or the change was not reviewed',
    isNarrowed: finding !== null && isNarrowed(planted, finding),
    isCorrected: finding !== null && isCorrected(planted, finding),
    isMoved: finding !== null && isMoved(planted, finding),
  }
}

/** A title is what passes through validation unchanged; sets have no two alike on one file. */
function isOf({ finding }: PlantedFinding, { title, anchor, byModel }: Verdict['candidate']): boolean {
  return byModel === true && anchor.path === finding.file && title === finding.title.trim().replace(/\.$/, '')
}

function stateOf(verdict: Verdict | undefined): Fate['state'] {
  if (!verdict) return 'unplanted'
  if (verdict.finding) return verdict.finding.preExisting ? 'older' : 'published'
  if (verdict.step === 'duplicates') return 'merged'
  return verdict.step === 'refutation' ? 'refuted' : 'stopped'
}

function isNarrowed({ kind, false_part: parts }: PlantedFinding, { explanation, remedy }: Finding): boolean {
  const words = `${explanation}\n${remedy ?? ''}`
  return kind === 'half-true' && parts.every((part) => !words.includes(part))
}

function isCorrected({ deserves }: PlantedFinding, { severity }: Finding): boolean {
  return deserves !== null && severityRank(severity) >= severityRank(deserves)
}

function isMoved({ kind, witness }: PlantedFinding, finding: Finding): boolean {
  if (kind !== 'wrong-line' || witness.how !== 'quote') return false
  const { file, start, end } = placeOf(finding)
  return file === witness.path && start <= witness.line && witness.line <= end
}
