/** What an answer holds besides findings, cut to size. */
import { bareId } from '../../../domain/line-tag.ts'
import type { MemoryInsight } from '../../../domain/review.ts'
import type { AskedAuthor, CriterionAnswer, WalkthroughSentence } from '../contract.ts'
import type { Topic } from '../questions.ts'
import type { ReviewAnswer, WireContest } from './schema.ts'

const most = {
  criteria: 100,
  files: 20,
  tags: 40,
  insights: 5,
  questions: 3,
  steps: 8,
  contests: 20,
  places: 6,
}
const longest = { name: 200, tag: 40, path: 1_000, reason: 1_000, sentence: 300, question: 500 }

/** Lines by their tags; unchecked. */
export type TaggedLines = { path: string; tags: string[] }

type Topics = readonly [Topic, ...Topic[]]

/** What one conversation gathers of it, answer by answer. */
export type Extras = {
  /** By ticket and criterion: the last word on each. */
  criteria: ReadonlyMap<string, CriterionAnswer>
  insights: readonly MemoryInsight[]
  questions: readonly AskedAuthor[]
  /** By the finding of code that is contested: the last word on each. */
  contests: ReadonlyMap<string, WireContest>
  /** By plane, the lines that a second reading held against its topic. */
  lookedAt: ReadonlyMap<string, readonly TaggedLines[]>
}

export const noExtras: Extras = {
  criteria: new Map(),
  insights: [],
  questions: [],
  contests: new Map(),
  lookedAt: new Map(),
}

/** `topics`: of the question that was answered. */
export function withExtras(
  { criteria, insights, questions, contests, lookedAt }: Extras,
  answer: ReviewAnswer,
  topics: Topics,
): Extras {
  const [{ plane }] = topics
  // Of planes that are asked together, criteria are for the one that compares the change with what was asked for.
  const judge = topics.find((topic) => topic.plane.seesAuthorsWords)?.plane ?? plane
  const said = criteriaIn(answer, judge.name)
  return {
    lookedAt: new Map([...lookedAt, ...lookedAtIn(answer, topics)]),
    criteria: new Map([
      ...criteria,
      ...said.map((one) => [JSON.stringify([one.ticket, one.id]), one] as const),
    ]),
    insights: [...insights, ...insightsIn(answer, plane.name)],
    questions: [...questions, ...questionsIn(answer, plane.name)].slice(0, most.questions),
    contests: new Map([
      ...contests,
      ...answer.contests.slice(0, most.contests).map((one) => [one.finding, one] as const),
    ]),
  }
}

function questionsIn({ author_questions: asked }: ReviewAnswer, plane: string): AskedAuthor[] {
  return asked.slice(0, most.questions).flatMap(({ question, file, tag }) => {
    const [text, path] = [question.trim().slice(0, longest.question), plainPath(file)]
    const place = { path: path === '' ? null : path, tag: bareId(tag).slice(0, longest.tag) }
    return text === '' ? [] : [{ plane, text, ...place }]
  })
}

export function walkthroughIn({ walkthrough }: ReviewAnswer): WalkthroughSentence[] {
  return walkthrough.slice(0, most.steps).map(asStep)
}

function asStep({ sentence, places }: ReviewAnswer['walkthrough'][number]): WalkthroughSentence {
  return {
    text: sentence.trim().slice(0, longest.sentence),
    places: places
      .slice(0, most.places)
      .map(({ file, tag }) => ({ path: plainPath(file), tag: bareId(tag).slice(0, longest.tag) })),
  }
}

function lookedAtIn({ looked_at: looked = [] }: ReviewAnswer, topics: Topics): [string, TaggedLines[]][] {
  return topics.flatMap(({ plane: { name } }) => {
    const lines = looked
      .filter(({ topic }) => topic.trim().toLowerCase() === name)
      .flatMap((one) => one.lines)
    const cut = lines.slice(0, most.files).map(taggedLines)
    return cut.length === 0 ? [] : [[name, cut] as [string, TaggedLines[]]]
  })
}

function taggedLines({ file, tags }: { file: string; tags: readonly string[] }): TaggedLines {
  return {
    path: plainPath(file),
    tags: tags.slice(0, most.tags).map((tag) => bareId(tag).slice(0, longest.tag)),
  }
}

/** A plane that answers for one criterion twice is taken at its last word. */
function criteriaIn({ criteria = [] }: ReviewAnswer, plane: string): CriterionAnswer[] {
  return criteria.slice(0, most.criteria).map(({ ticket, criterion, lines, reason, state }) => ({
    plane,
    ticket: ticket.trim().slice(0, longest.name),
    id: criterion.trim().slice(0, longest.name),
    state,
    lines: lines.slice(0, most.files).map(taggedLines),
    reason: reason.trim().slice(0, longest.reason),
  }))
}

function insightsIn({ memory_insights: insights = [] }: ReviewAnswer, plane: string): MemoryInsight[] {
  return insights.slice(0, most.insights).flatMap(({ sentence, file }) => {
    const [text, path] = [sentence.trim().slice(0, longest.sentence), plainPath(file)]
    return text === '' ? [] : [{ plane, text, path: path === '' ? null : path }]
  })
}

function plainPath(file: string): string {
  return file.trim().replace(/^\.\//, '').slice(0, longest.path)
}
