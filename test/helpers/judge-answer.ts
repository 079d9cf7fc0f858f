/**
 * What a judge answers to a question about findings. Each finding is found by its words behind the fence that has its number,
 * as a model has to find it; a step that speaks of a finding which is not in the question is a fault of the test and throws.
 */
import { generate } from './fakes/scenario/generators.ts'
import type { CodedStep } from './fakes/scenario/script.ts'

export type Judged = {
  quotes: readonly object[]
  reason: string
  judgement: string
  cut?: readonly string[]
  severity?: string | null
  /** Without the number of the finding. */
  look_up?: object | null
  /** Words of the finding that it is the same as. */
  same_as?: string
}

/** In every question to a judge, and in no other. */
export const refuteWords = 'Try to refute each by itself'

/** The numbers of the findings that a question asks about: `F1`, `F2` … */
export function labelsIn(prompt: string): string[] {
  const [, labels] = /Try to refute each by itself \(([^)\n]+)\):/.exec(prompt) ?? []
  return labels?.split(', ') ?? []
}

/** The number of the finding with these words in its title, or else in its text; null when the question has none. */
export function labelOf(prompt: string, words: string): string | null {
  const fences = [...prompt.matchAll(/<<<foreign \S+ "(F\d+): a finding[^\n]*\n(([^\n]*)[\s\S]*?)\n>>>end/g)]
  const found =
    fences.find(([, , , title = '']) => title.includes(words)) ??
    fences.find(([, , text = '']) => text.includes(words))
  return found?.[1] ?? null
}

type JudgeAnswer = { judgements: object[]; look_ups: object[] }

export type ByWords = Readonly<Record<string, Judged>>

/** The whole answer on the findings with these words, and on all others of the question, if anything is said of them. */
function judgementsOn(prompt: string, byWords: ByWords, others: Judged | null): JudgeAnswer {
  const named = Object.entries(byWords).map(([words, judged]) => {
    const label = labelOf(prompt, words)
    if (label === null) throw new Error(`The question is about no finding with "${words}".`)
    return { label, judged }
  })
  const left = labelsIn(prompt).filter((label) => !named.some((one) => one.label === label))
  return answerOf([...named, ...(others ? left.map((label) => ({ label, judged: others })) : [])], prompt)
}

/** The whole answer that says the same of every finding. */
export function judgedAlike(prompt: string, judged: Judged): JudgeAnswer {
  return answerOf(
    labelsIn(prompt).map((label) => ({ label, judged })),
    prompt,
  )
}

function answerOf(named: readonly { label: string; judged: Judged }[], prompt: string): JudgeAnswer {
  return {
    judgements: named.map(
      ({ label, judged: { quotes, reason, judgement, cut = [], severity = null, same_as = '' } }) => ({
        finding: label,
        ...{ quotes, reason, judgement, cut, severity },
        same_as: same_as === '' ? '' : (labelOf(prompt, same_as) ?? ''),
      }),
    ),
    look_ups: named.flatMap(({ label, judged: { look_up } }) =>
      look_up ? [{ finding: label, ...look_up }] : [],
    ),
  }
}

type More = Omit<CodedStep, 'answer' | 'value' | 'if'>

/** Answers a question that is about findings with all of these words; values may hold generators. */
export function judging(byWords: ByWords, others: Judged | null = null, more: More = {}): CodedStep {
  const isAsked = (prompt: string) =>
    labelsIn(prompt).length > 0 && Object.keys(byWords).every((words) => labelOf(prompt, words) !== null)
  return {
    ...more,
    answer: 'good',
    if: ({ prompt }) => isAsked(prompt),
    answerFrom: (call) => generate(judgementsOn(call.prompt, byWords, others), call),
  } as CodedStep
}
