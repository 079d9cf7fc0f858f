/** What models were to read and did not: the gap in a few words of ours, and the reasons in the words of the provider. */
import { type GroupOutcome, isUnread, type ReviewGroup } from '../../domain/model-report.ts'

type Gap = Exclude<GroupOutcome, 'answered' | 'not-asked'>

/** Where no model read anything. Several outcomes come together only when some were asked; the first that fits is told. */
const whole: readonly (readonly [Gap, string])[] = [
  ['failed', 'no model could be asked'],
  ['refused', 'the model declined to review the change'],
  ['truncated', 'the answer of the model was cut off'],
  ['unusable', 'the answer of the model could not be read'],
  ['over-budget', 'the budget did not allow a model to read the change'],
  ['declined', 'the cost was declined, so no model was asked'],
]

/** Null when at least one question was answered, or none was to be asked. */
export function describeModelGap(groups: readonly ReviewGroup[]): string | null {
  if (groups.some(({ outcome }) => outcome === 'answered')) return null
  return whole.find(([gap]) => groups.some(({ outcome }) => outcome === gap))?.[1] ?? null
}

const hint = '`sightline doctor` asks every model once and says how to fix what is wrong.'

/** Reasons in full, each once. They may quote a provider. */
export function modelNotices(groups: readonly ReviewGroup[]): string[] {
  const answered = groups.some(({ outcome }) => outcome === 'answered')
  const failed = groups.filter(({ outcome }) => outcome === 'failed')
  const unread = groups.filter((group) => isUnread(group) && group.outcome !== 'failed')
  return [
    ...notices(
      failed,
      answered ? 'Part of the change could not be put to a model' : 'No model could be asked',
    ),
    ...notices(
      unread,
      answered ? 'A model did not review part of the change' : 'The model did not review the change',
    ),
    ...(failed.length > 0 ? [hint] : []),
  ]
}

/** A question that went to several models has a line of reasons for each. */
function notices(groups: readonly ReviewGroup[], what: string): string[] {
  const reasons = new Set(groups.flatMap(({ reason, outcome }) => (reason ?? outcome).split('\n')))
  return [...reasons].map((reason) => `${what}: ${reason}`)
}
