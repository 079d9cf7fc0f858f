/** What an answer holds besides findings, cut to size: what became of criteria, and what may be worth remembering. */
import type { MemoryInsight } from '../../../domain/review.ts'
import type { CriterionAnswer } from '../contract.ts'
import { bareTag } from './bare-tag.ts'
import type { ReviewAnswer } from './schema.ts'

const most = { criteria: 100, files: 20, tags: 40, insights: 5 }
const longest = { name: 200, tag: 40, path: 1_000, reason: 1_000, sentence: 300 }

/** A plane that answers for one criterion twice is taken at its last word. */
export function criteriaIn({ criteria = [] }: ReviewAnswer, plane: string): CriterionAnswer[] {
  return criteria.slice(0, most.criteria).map(({ ticket, criterion, lines, reason, state }) => ({
    plane,
    ticket: ticket.trim().slice(0, longest.name),
    id: criterion.trim().slice(0, longest.name),
    state,
    lines: lines.slice(0, most.files).map(({ file, tags }) => ({
      path: plainPath(file),
      tags: tags.slice(0, most.tags).map((tag) => bareTag(tag).slice(0, longest.tag)),
    })),
    reason: reason.trim().slice(0, longest.reason),
  }))
}

export function insightsIn({ memory_insights: insights = [] }: ReviewAnswer, plane: string): MemoryInsight[] {
  return insights.slice(0, most.insights).flatMap(({ sentence, file }) => {
    const [text, path] = [sentence.trim().slice(0, longest.sentence), plainPath(file)]
    return text === '' ? [] : [{ plane, text, path: path === '' ? null : path }]
  })
}

function plainPath(file: string): string {
  return file.trim().replace(/^\.\//, '').slice(0, longest.path)
}
