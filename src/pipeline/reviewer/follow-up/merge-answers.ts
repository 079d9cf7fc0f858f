/**
 * Merges the answer to a follow-up into the first answer: dismissed findings are withdrawn with the reason, those that it
 * corrects are replaced, those that it confirms or does not mention are kept, and new ones are added unless they repeat one.
 * Pure.
 */
import { bareId } from '../../../domain/line-tag.ts'
import { compareTerms, termsOf } from '../../../domain/wording.ts'
import type { ReviewAnswer, WireFinding } from '../answer/schema.ts'

export type TrackedFinding = {
  /** `F1`, as the model knows it. */
  id: string
  finding: WireFinding
  /** Why the model withdrew it; null otherwise. */
  withdrawn: string | null
  /** It came from an answer that had to be repaired. */
  repaired: boolean
  /** The other reader of the same files found it too. */
  byBoth?: true
}

export type MergeCounts = { confirmed: number; dismissed: number; added: number; unmentioned: number }

export function trackFindings(
  findings: readonly WireFinding[],
  repaired: boolean,
  firstNumber = 1,
): TrackedFinding[] {
  return findings.map((finding, index) => ({
    id: `F${firstNumber + index}`,
    finding,
    withdrawn: null,
    repaired,
  }))
}

/**
 * A finding that is both confirmed and dismissed is kept, and so is one dismissed without a reason: losing a true finding
 * costs more than showing it twice. One that is corrected counts as confirmed. `strange` lists ids in verdicts that no finding has.
 */
export function mergeAnswers(
  tracked: readonly TrackedFinding[],
  { verdicts, findings }: Pick<ReviewAnswer, 'verdicts' | 'findings'>,
  repaired: boolean,
): { tracked: TrackedFinding[]; counts: MergeCounts; strange: string[] } {
  const standing = tracked.filter(({ withdrawn }) => withdrawn === null)
  const ids = new Set(standing.map(({ id }) => id))
  const said = verdicts.map((one) => ({ ...one, id: one.finding.trim().toUpperCase() }))
  const corrections = new Map(
    findings.flatMap((finding) => {
      const id = bareId(finding.enriches).toUpperCase()
      return ids.has(id) ? [[id, finding] as const] : []
    }),
  )
  const confirmed = new Set([
    ...corrections.keys(),
    ...said.flatMap(({ id, verdict }) => (verdict === 'confirmed' && ids.has(id) ? [id] : [])),
  ])
  const dismissed = new Map(
    said.flatMap(({ id, verdict, reason }) =>
      verdict === 'dismissed' && ids.has(id) && !confirmed.has(id) && reason.trim() !== ''
        ? [[id, reason.trim()] as const]
        : [],
    ),
  )
  const kept = tracked.map((one) => {
    const correction = corrections.get(one.id)
    if (correction) return corrected(one, correction, repaired)
    return { ...one, withdrawn: one.withdrawn ?? dismissed.get(one.id) ?? null }
  })
  const open = kept.filter(({ withdrawn }) => withdrawn === null)
  const isNew = (finding: WireFinding): boolean => {
    const known = open.find((one) => repeats(finding, one.finding))
    // To say a finding again is to confirm it.
    if (known) confirmed.add(known.id)
    return known === undefined
  }
  const added = trackFindings(
    findings.filter((one) => !ids.has(bareId(one.enriches).toUpperCase())).filter(isNew),
    repaired,
    tracked.length + 1,
  )
  return {
    tracked: [...kept, ...added],
    counts: {
      confirmed: confirmed.size,
      dismissed: dismissed.size,
      added: added.length,
      unmentioned: standing.length - confirmed.size - dismissed.size,
    },
    strange: said.flatMap(({ id }) => (ids.has(id) ? [] : [id])),
  }
}

/** What it no longer says it no longer claims; the finding of a check that it strengthens is the same. */
function corrected(one: TrackedFinding, again: WireFinding, repaired: boolean): TrackedFinding {
  const { enriches } = one.finding
  return { ...one, finding: { ...again, enriches }, repaired: one.repaired || repaired }
}

/** The same lines and category, in much the same words: one line can have two problems of one category. */
export function repeats(a: WireFinding, b: WireFinding): boolean {
  if (keyOf(a) !== keyOf(b)) return false
  return areAlike(`${a.title}. ${a.explanation}`, `${b.title}. ${b.explanation}`)
}

/** So much of the shorter wording must be in the longer one. */
const alike = 0.5

export function areAlike(left: string, right: string): boolean {
  return left === right || compareTerms(termsOf(left), termsOf(right)).ofShorter >= alike
}

function keyOf({ file, tags, category }: WireFinding): string {
  return JSON.stringify([file, category, ...tags.map((tag) => tag.replace(/[[\]\s]/g, '')).sort()])
}
