/** How far models got: which files they read in full, and a row of coverage for each plane. */
import { count } from '../../base/count.ts'
import type { CandidateDraft } from '../../domain/finding.ts'
import type { GroupOutcome } from '../../domain/model-report.ts'
import type { ReviewerCoverage, ReviewerOutcome } from './contract.ts'
import type { Conversation } from './conversation.ts'
import type { Panel } from './panel/contract.ts'
import type { ReviewPlan } from './plan-questions.ts'

const words: Readonly<Record<Exclude<GroupOutcome, 'answered'>, string>> = {
  refused: 'the model declined to review it',
  truncated: 'the model ran into its output limit',
  unusable: "the model's answer could not be read",
  failed: 'no model was available',
  'over-budget': 'the budget does not allow it',
  declined: 'the cost was not agreed to',
  'not-asked': 'beyond the limit of groups',
}

const beyondWords = 'not read by a model: beyond limits.modelGroups'

/** A file is not reviewed when no plane read it, and partly when some did not, or when it is not shown whole. */
export function unreadFiles(
  talks: readonly Conversation[],
  { beyond }: ReviewPlan,
): ReviewerOutcome['unread'] {
  const unread: Map<string, { state: 'partly' | 'not-reviewed'; reason: string }> = new Map()
  for (const [path, looks] of talksByFile(talks)) {
    const missed = looks.filter(({ outcome }) => outcome !== 'answered')
    const cut = looks[0]?.look.blocks.find(({ file }) => file.path === path)?.cut ?? null
    if (missed.length === looks.length)
      unread.set(path, { state: 'not-reviewed', reason: `not read by a model: ${reasonsOf(missed)}` })
    else if (missed.length > 0)
      unread.set(path, {
        state: 'partly',
        reason: [...missed.map(describeMissed), ...(cut === null ? [] : [cut])].join('; '),
      })
    else if (cut !== null) unread.set(path, { state: 'partly', reason: cut })
  }
  for (const { path } of beyond) unread.set(path, { state: 'not-reviewed', reason: beyondWords })
  return unread
}

/** Also for planes that had nothing to look at: they ran. */
export function coverPlanes(
  { planes }: Panel,
  talks: readonly Conversation[],
  { beyond }: ReviewPlan,
  drafts: readonly CandidateDraft[],
): ReviewerCoverage[] {
  return planes.map(({ name }) => {
    const own = talks.filter(({ look }) => look.plane.name === name)
    const missed = own.filter(({ outcome }) => outcome !== 'answered')
    const reasons = [
      ...new Set(missed.map(({ outcome, reason }) => `${outcome}${reason === null ? '' : `: ${reason}`}`)),
      ...(beyond.length > 0
        ? [`${count(beyond.length, 'file is', 'files are')} beyond limits.modelGroups`]
        : []),
    ]
    if (own.length > 0 && own.every(({ outcome }) => outcome === 'declined'))
      return { plane: name, state: 'skipped', reason: words.declined, drafts: [], byModel: true }
    return {
      plane: name,
      state:
        own.length > 0 && missed.length === own.length ? 'failed' : reasons.length > 0 ? 'partly' : 'ran',
      reason: reasons.join('; ') || null,
      drafts: drafts.filter(({ plane }) => plane === name),
      byModel: true,
    }
  })
}

function talksByFile(talks: readonly Conversation[]): Map<string, Conversation[]> {
  const byFile = new Map<string, Conversation[]>()
  for (const talk of talks)
    for (const path of talk.look.files) {
      const known = byFile.get(path)
      if (known) known.push(talk)
      else byFile.set(path, [talk])
    }
  return byFile
}

function reasonsOf(missed: readonly Conversation[]): string {
  return [...new Set(missed.map(wordsOf))].join('; ')
}

function describeMissed(talk: Conversation): string {
  return `not reviewed for ${talk.look.plane.name}: ${wordsOf(talk)}`
}

function wordsOf({ outcome }: Conversation): string {
  return outcome === 'answered' ? '' : words[outcome]
}
