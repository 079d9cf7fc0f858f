/** Whether each acceptance criterion is covered, as far as its words tie it to lines. */
import { visibleLine } from '../../base/visible-text.ts'
import type { CriterionCheck, CriterionTie, Ticket } from '../../domain/ticket.ts'

export type CriteriaInput = {
  tickets: readonly Ticket[]
  /** From the plane `ticket`; empty where it did not run, or failed. */
  ties: readonly CriterionTie[]
}

/** One for each criterion of each ticket, in their order; null without a ticket. */
export function checkCriteria({ tickets, ties }: CriteriaInput): CriterionCheck[] | null {
  if (tickets.length === 0) return null
  const tied = new Map(ties.map((tie) => [keyOf(tie.ticket, tie.id), tie]))
  return tickets.flatMap(({ id: ticket, criteria }) =>
    criteria.map(({ id, text }) => {
      const tie = tied.get(keyOf(ticket, id)) ?? { isStrong: false, words: [], lines: [] }
      return { ticket, id, text, ...byWords(tie) }
    }),
  )
}

type Tie = Pick<CriterionTie, 'isStrong' | 'words' | 'lines'>

type Checked = Omit<CriterionCheck, 'ticket' | 'id' | 'text'>

/** Words can tie lines to a criterion; finding none proves nothing, since code may use other words. */
function byWords({ isStrong, words, lines }: Tie): Checked {
  const named = words.map((word) => `\`${visibleLine(word)}\``).join(', ')
  if (isStrong)
    return {
      state: 'covered',
      lines: lines.map(({ path, tags }) => ({ path, tags: [...tags] })),
      reason: `Changed lines contain its words: ${named}. Whether they meet the criterion was not checked.`,
      by: 'code',
    }
  const reason =
    words.length > 0
      ? `Changed lines contain only some of its words: ${named}.`
      : 'No changed line of code contains its words; the code may use other words.'
  return { state: 'undecidable', lines: [], reason, by: 'code' }
}

function keyOf(ticket: string, id: string): string {
  return JSON.stringify([ticket, id])
}
