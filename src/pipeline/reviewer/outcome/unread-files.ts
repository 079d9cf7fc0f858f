/** How far models came, by file. */
import type { GroupOutcome } from '../../../domain/model-report.ts'
import type { ReviewerOutcome } from '../contract.ts'
import type { Conversation } from '../conversation.ts'
import type { ReviewPlan } from '../plan-questions.ts'

export const outcomeWords: Readonly<Record<Exclude<GroupOutcome, 'answered'>, string>> = {
  refused: 'the model declined to review it',
  truncated: 'the model ran into its output limit',
  unusable: "the model's answer could not be read",
  failed: 'no model was available',
  'over-budget': 'the budget does not allow it',
  declined: 'the cost was not agreed to',
  'not-asked': 'beyond the limit of groups',
}

const beyondWords = 'not read by a model: beyond limits.modelGroups'

/** A file is not reviewed when no reader read it, and partly when one of two did not, or when it is not shown whole. */
export function unreadFiles(
  conversations: readonly Conversation[],
  { beyond }: ReviewPlan,
): ReviewerOutcome['unread'] {
  const unread: Map<string, { state: 'partly' | 'not-reviewed'; reason: string }> = new Map()
  for (const [path, readings] of conversationsByFile(conversations)) {
    const missed = readings.filter(({ outcome }) => outcome !== 'answered')
    const cut = readings[0]?.planned.blocks.find(({ file }) => file.path === path)?.cut ?? null
    if (missed.length === readings.length)
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

export function conversationsByFile(conversations: readonly Conversation[]): Map<string, Conversation[]> {
  const byFile = new Map<string, Conversation[]>()
  for (const conversation of conversations)
    for (const path of conversation.planned.files) {
      const known = byFile.get(path)
      if (known) known.push(conversation)
      else byFile.set(path, [conversation])
    }
  return byFile
}

function reasonsOf(missed: readonly Conversation[]): string {
  return [...new Set(missed.map(wordsOf))].join('; ')
}

function describeMissed(conversation: Conversation): string {
  return `not read by the ${conversation.planned.reader.name} reader: ${wordsOf(conversation)}`
}

function wordsOf({ outcome }: Conversation): string {
  return outcome === 'answered' ? '' : outcomeWords[outcome]
}
