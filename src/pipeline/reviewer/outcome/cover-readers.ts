/** How far readers came, in the form in which coverage lists planes. */
import { count } from '../../../base/count.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import type { ReviewerCoverage } from '../contract.ts'
import type { Conversation } from '../conversation.ts'
import { type Panel, reviewerName } from '../panel.ts'
import type { ReviewPlan } from '../plan-questions.ts'
import { outcomeWords } from './unread-files.ts'

/** One row for all of them; without any file to read it counts as run. */
export function coverReaders(
  { readers }: Panel,
  conversations: readonly Conversation[],
  { beyond }: ReviewPlan,
  drafts: CandidateDraft[],
): ReviewerCoverage {
  const row = { plane: reviewerName, byModel: true as const }
  if (conversations.length > 0 && conversations.every(({ outcome }) => outcome === 'declined'))
    return { ...row, state: 'skipped', reason: outcomeWords.declined, drafts: [] }
  const each = readers.map(({ name }) => ({
    name,
    ...stateOf(conversations.filter(({ planned }) => planned.reader.name === name)),
  }))
  const reasons = [
    ...each.flatMap(({ name, reason }) =>
      reason === null ? [] : [name === null ? reason : `${name} reader: ${reason}`],
    ),
    ...(beyond.length > 0
      ? [`${count(beyond.length, 'file is', 'files are')} beyond limits.modelGroups`]
      : []),
  ]
  const isNothing = each.every(({ state }) => state === 'failed')
  return {
    ...row,
    state: isNothing ? 'failed' : reasons.length > 0 ? 'partly' : 'ran',
    reason: reasons.join('; ') || null,
    drafts,
    ...readersIn(each),
  }
}

function stateOf(own: readonly Conversation[]): {
  state: 'ran' | 'partly' | 'failed'
  reason: string | null
} {
  const missed = own.filter(({ outcome }) => outcome !== 'answered')
  if (missed.length === 0) return { state: 'ran', reason: null }
  const reasons = missed.map(({ outcome, reason }) => `${outcome}${reason === null ? '' : `: ${reason}`}`)
  return {
    state: missed.length === own.length ? 'failed' : 'partly',
    reason: [...new Set(reasons)].join('; '),
  }
}

/** Only where there is more than one. */
function readersIn(
  each: readonly ({ name: Panel['readers'][number]['name'] } & ReturnType<typeof stateOf>)[],
): Pick<ReviewerCoverage, 'readers'> {
  const readers = each.flatMap(({ name, ...row }) => (name === null ? [] : [{ reader: name, ...row }]))
  return readers.length === 0 ? {} : { readers }
}
