/** How far models came, by plane, in the form in which coverage lists planes. */
import { count } from '../../../base/count.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'
import { lineWithTag } from '../../../domain/diff-lines.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import type { ReviewerCoverage, ReviewerInput } from '../contract.ts'
import type { Conversation } from '../conversation.ts'
import type { ReviewPlan } from '../plan-questions.ts'
import { outcomeWords } from './unread-files.ts'

/** A plane without any file to read counts as run. */
export function coverPlanes(
  { panel: { planes }, context: { change } }: ReviewerInput,
  conversations: readonly Conversation[],
  { beyond }: ReviewPlan,
  drafts: readonly CandidateDraft[],
): ReviewerCoverage[] {
  return planes.map(({ name }) => {
    const own = conversations.filter(({ planned }) => planned.topics.some(({ plane }) => plane.name === name))
    const missed = own.filter(({ outcome }) => outcome !== 'answered')
    const reasons = [
      ...new Set(missed.map(({ outcome, reason }) => `${outcome}${reason === null ? '' : `: ${reason}`}`)),
      ...(beyond.length > 0
        ? [`${count(beyond.length, 'file is', 'files are')} beyond limits.modelGroups`]
        : []),
    ]
    if (own.length > 0 && own.every(({ outcome }) => outcome === 'declined'))
      return { plane: name, state: 'skipped', reason: outcomeWords.declined, drafts: [], byModel: true }
    return {
      plane: name,
      state:
        own.length > 0 && missed.length === own.length ? 'failed' : reasons.length > 0 ? 'partly' : 'ran',
      reason: reasons.join('; ') || null,
      drafts: drafts.filter(({ plane }) => plane === name),
      byModel: true,
      ...askedTogether(name, own),
      ...linesHeld(name, own, change),
    }
  })
}

/** With which other planes it was asked in one question, in the order of the panel. */
function askedTogether(name: string, own: readonly Conversation[]): Pick<ReviewerCoverage, 'together'> {
  const all = own.flatMap(({ planned }) => planned.topics.map(({ plane }) => plane.name))
  const together = [...new Set(all)].filter((other) => other !== name)
  return together.length === 0 ? {} : { together }
}

const mostLines = 20

/** The lines that a second reading names, as far as they are lines of the diff. */
function linesHeld(
  name: string,
  own: readonly Conversation[],
  { files }: ChangeSet,
): Pick<ReviewerCoverage, 'lines'> {
  const named = own.flatMap(({ lookedAt }) => lookedAt.get(name) ?? [])
  const lines = named.flatMap(({ path, tags }) => {
    const file = files.find((one) => one.path === path)
    return tags.flatMap((tag) => {
      const found = file && lineWithTag(file, tag)
      const line = found?.line[found.side]
      return found && typeof line === 'number' ? [{ path, side: found.side, line }] : []
    })
  })
  const distinct = [...new Map(lines.map((one) => [JSON.stringify(one), one])).values()]
  return distinct.length === 0 ? {} : { lines: distinct.slice(0, mostLines) }
}
