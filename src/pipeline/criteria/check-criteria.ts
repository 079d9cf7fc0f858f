/**
 * Whether each acceptance criterion is covered. Code ties the words of a criterion to lines. A model may say more; its
 * answer counts as far as the lines it names are in the diff. Where the two contradict each other, nothing is decided.
 */
import { visibleLine } from '../../base/visible-text.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import { tagOf } from '../../domain/line-tag.ts'
import type { CriterionCheck, CriterionState, CriterionTie, Ticket, TiedLines } from '../../domain/ticket.ts'

const longestReason = 500

/** The answer of a model, unchecked. */
export type AnsweredCriterion = {
  ticket: string
  /** `AC1` … */
  id: string
  state: CriterionState
  lines: readonly TiedLines[]
  reason: string
}

export type CriteriaInput = {
  tickets: readonly Ticket[]
  change: ChangeSet
  /** From the plane `ticket`; empty where it did not run, or failed. */
  ties: readonly CriterionTie[]
  /** The last answer for a criterion counts; answers about unknown criteria are ignored. */
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

function weigh(answer: AnsweredCriterion, tie: Tie, change: ChangeSet): Checked {
  const reason = visibleLine(answer.reason).slice(0, longestReason)
  const by = 'model'
  if (answer.state === 'covered') {
    const lines = linesInDiff(answer.lines, change)
    if (lines.length > 0) return { state: 'covered', lines, reason, by }
    const failed = 'A model called it covered but cited no changed line of this diff.'
    return tie.isStrong ? byWords(tie) : { state: 'undecidable', lines: [], reason: failed, by }
  }
  if (answer.state === 'undecidable')
    return tie.isStrong ? byWords(tie) : { state: 'undecidable', lines: [], reason, by }
  if (!tie.isStrong) return { state: 'not-covered', lines: [], reason, by }
  const places = tie.lines.map(({ path }) => `\`${visibleLine(path)}\``).join(', ')
  const doubt = `A model called it not covered, but lines of ${places} contain its words.`
  return { state: 'undecidable', lines: [], reason: `${doubt} ${reason}`.slice(0, longestReason), by }
}

function keyOf(ticket: string, id: string): string {
  return JSON.stringify([ticket, id])
}

/** Of the lines that a model names, those that the diff has as changed lines with this tag, in the order of the change. */
function linesInDiff(named: readonly TiedLines[], change: ChangeSet): TiedLines[] {
  const byPath = new Map<string, Set<string>>()
  for (const { path, tags } of named) {
    const known = byPath.get(path) ?? new Set()
    for (const tag of tags) known.add(tag)
    byPath.set(path, known)
  }
  return change.files.flatMap(({ path, hunks }) => {
    const tagged = byPath.get(path)
    if (!tagged) return []
    const tags = hunks
      .flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context').map(tagOf))
      .filter((tag) => tagged.has(tag))
    return tags.length > 0 ? [{ path, tags }] : []
  })
}
