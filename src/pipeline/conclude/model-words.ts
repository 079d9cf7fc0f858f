/**
 * What a model says besides findings, with each place checked against the diff: the walkthrough and the questions for the
 * author. A sentence without a place that exists is left out; so is what belongs to no changed file.
 */
import { visibleLine } from '../../base/visible-text.ts'
import type { ChangeSet, Side } from '../../domain/change-set.ts'
import { lineWithTag } from '../../domain/diff-lines.ts'
import type { AuthorQuestion, WalkthroughStep } from '../../domain/review.ts'

const most = { steps: 12, questions: 3 }

/** A sentence as a model gave it. */
type Sentence = { text: string; places: readonly { path: string; tag: string }[] }

export function checkWalkthrough(sentences: readonly Sentence[], change: ChangeSet): WalkthroughStep[] {
  return sentences
    .flatMap(({ text, places }) => {
      const found = places.flatMap(({ path, tag }) => placeOf(path, tag, change) ?? [])
      const distinct = [...new Map(found.map((place) => [JSON.stringify(place), place])).values()]
      const words = visibleLine(text).trim()
      return words === '' || distinct.length === 0 ? [] : [{ text: words, places: distinct }]
    })
    .slice(0, most.steps)
}

/** A question as a model put it; an empty tag for the change or the file as a whole. */
type Asked = Omit<AuthorQuestion, 'line'> & { tag: string }

/** At most three for the whole review, each once. */
export function checkQuestions(asked: readonly Asked[], change: ChangeSet): AuthorQuestion[] {
  const questions = asked.flatMap(({ plane, text, path, tag }) => {
    const words = visibleLine(text).trim()
    const file = change.files.find((one) => one.path === path)
    const place = file && placeOf(file.path, tag, change)
    return words === '' ? [] : [{ plane, text: words, path: file?.path ?? null, line: headLine(place) }]
  })
  return [...new Map(questions.map((one) => [one.text.toLowerCase(), one])).values()].slice(0, most.questions)
}

type Place = { path: string; side: Side; line: number }

function placeOf(path: string, tag: string, { files }: ChangeSet): Place | null {
  const file = files.find((one) => one.path === path)
  const spot = file && lineWithTag(file, tag)
  const line = spot?.line[spot.side]
  return spot && line ? { path, side: spot.side, line } : null
}

function headLine(place: Place | null | undefined): number | null {
  return place?.side === 'new' ? place.line : null
}
