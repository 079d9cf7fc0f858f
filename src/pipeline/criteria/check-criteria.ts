/**
 * What became of each acceptance criterion. Code ties words of a criterion to lines; a model may say more, and is believed
 * as far as the lines it names stand in the diff. Where the two contradict each other, nothing is decided.
 */
import { visibleLine } from '../../base/visible-text.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { CriterionCheck, CriterionTie, Ticket } from '../../domain/ticket.ts'
import type { AnsweredCriterion } from './contract.ts'
import { standingLines } from './standing-lines.ts'

const longestReason = 500

export type CriteriaInput = {
  tickets: readonly Ticket[]
  change: ChangeSet
  /** Of the plane `ticket`; empty where it did not look, or failed. */
  ties: readonly CriterionTie[]
  /** The last answer for a criterion counts; answers for none that a ticket has are passed over. */
  answers: readonly AnsweredCriterion[]
}

/** One for each criterion of each ticket, in their order; null without a ticket. */
export function checkCriteria({ tickets, change, ties, answers }: CriteriaInput): CriterionCheck[] | null {
  if (tickets.length === 0) return null
  const said = new Map(answers.map((answer) => [keyOf(answer.ticket, answer.id), answer]))
  const tied = new Map(ties.map((tie) => [keyOf(tie.ticket, tie.id), tie]))
  return tickets.flatMap(({ id: ticket, criteria }) =>
    criteria.map(({ id, text }) => {
      const tie = tied.get(keyOf(ticket, id)) ?? { isStrong: false, words: [], lines: [] }
      const answer = said.get(keyOf(ticket, id))
      return { ticket, id, text, ...(answer ? weigh(answer, tie, change) : byWords(tie)) }
    }),
  )
}

type Tie = Pick<CriterionTie, 'isStrong' | 'words' | 'lines'>

type Checked = Omit<CriterionCheck, 'ticket' | 'id' | 'text'>

/** Words can say that lines are about a criterion; that none is found says nothing: code may use other words. */
function byWords({ isStrong, words, lines }: Tie): Checked {
  const told = words.map((word) => `\`${visibleLine(word)}\``).join(', ')
  if (isStrong)
    return {
      state: 'covered',
      lines: lines.map(({ path, tags }) => ({ path, tags: [...tags] })),
      reason: `Its words stand in changed lines: ${told}. Whether they do what it asks was not judged.`,
      by: 'code',
    }
  const reason =
    words.length > 0
      ? `Only some of its words stand in changed lines: ${told}.`
      : 'None of its words stands in a changed line of code, which may use other ones.'
  return { state: 'undecidable', lines: [], reason, by: 'code' }
}

function weigh(answer: AnsweredCriterion, tie: Tie, change: ChangeSet): Checked {
  const reason = visibleLine(answer.reason).slice(0, longestReason)
  const by = 'model'
  if (answer.state === 'covered') {
    const lines = standingLines(answer.lines, change)
    if (lines.length > 0) return { state: 'covered', lines, reason, by }
    const failed = 'A model said that it is covered, and named no changed line of this diff.'
    return tie.isStrong ? byWords(tie) : { state: 'undecidable', lines: [], reason: failed, by }
  }
  if (answer.state === 'undecidable')
    return tie.isStrong ? byWords(tie) : { state: 'undecidable', lines: [], reason, by }
  if (!tie.isStrong) return { state: 'not-covered', lines: [], reason, by }
  const places = tie.lines.map(({ path }) => `\`${visibleLine(path)}\``).join(', ')
  const doubt = `A model said that it is not covered, yet lines of ${places} hold its words.`
  return { state: 'undecidable', lines: [], reason: `${doubt} ${reason}`.slice(0, longestReason), by }
}

function keyOf(ticket: string, id: string): string {
  return JSON.stringify([ticket, id])
}
