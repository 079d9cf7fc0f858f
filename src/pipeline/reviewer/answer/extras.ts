/** What an answer holds besides findings, cut to size. */
import { bareId } from '../../../domain/line-tag.ts'
import type { AskedAuthor, WalkthroughSentence } from '../contract.ts'
import { reviewerName } from '../panel.ts'
import type { ReviewAnswer, WireContest } from './schema.ts'

const most = { questions: 3, steps: 8, contests: 20, places: 6 }
const longest = { tag: 40, path: 1_000, sentence: 300, question: 500 }

/** What one conversation gathers of it, answer by answer. */
export type Extras = {
  questions: readonly AskedAuthor[]
  /** By the finding of code that is contested: the last word on each. */
  contests: ReadonlyMap<string, WireContest>
}

export const noExtras: Extras = { questions: [], contests: new Map() }

export function withExtras({ questions, contests }: Extras, answer: ReviewAnswer): Extras {
  return {
    questions: [...questions, ...questionsIn(answer)].slice(0, most.questions),
    contests: new Map([
      ...contests,
      ...answer.contests.slice(0, most.contests).map((one) => [one.finding, one] as const),
    ]),
  }
}

function questionsIn({ author_questions: asked }: ReviewAnswer): AskedAuthor[] {
  return asked.slice(0, most.questions).flatMap(({ question, file, tag }) => {
    const [text, path] = [question.trim().slice(0, longest.question), plainPath(file)]
    const place = { path: path === '' ? null : path, tag: bareId(tag).slice(0, longest.tag) }
    return text === '' ? [] : [{ plane: reviewerName, text, ...place }]
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

function plainPath(file: string): string {
  return file.trim().replace(/^\.\//, '').slice(0, longest.path)
}
