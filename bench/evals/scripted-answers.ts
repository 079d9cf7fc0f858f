/**
 * A reviewer that knows the truth of a case and answers with a mixture of right and wrong findings, drawn from a seed:
 * so that one sees which of them each check of validation lets through. It says nothing about any real model.
 */

import { createHash } from 'node:crypto'
import type { EvalCase, LineRange } from '../../evals/cases/eval-case.ts'
import { seededRandom } from '../../evals/scores/random.ts'
import { emptyAnswer, plainFinding } from '../../test/helpers/reviewer-answer.ts'

/** What the wrong findings are, and how many of a hundred answers have one. */
export const mistakes = {
  'nothing cited': 40,
  'words quoted that stand nowhere': 40,
  'a true quote with a wrong tag': 40,
  'a claim that code refutes': 40,
  'hidden characters in the title': 20,
  'another file than any of the change': 20,
  'a repetition of the right one': 40,
  'wrong, and nothing shows it': 30,
} as const
type Mistake = keyof typeof mistakes

/** Of a hundred faults, those that it names. */
const rightOnes = 70
/** Between a wrong finding and the fault, so that it does not hit by chance. */
const farLines = 6

type ShownLine = { file: string; tag: string; line: number; text: string }

/** The answer to a prompt about the case; the same case and prompt give the same one. */
export function answerFor(one: EvalCase, prompt: string): object {
  const seed = Number.parseInt(createHash('sha256').update(one.id).digest('hex').slice(0, 8), 16)
  const random = seededRandom(seed)
  const draws = (percent: number) => random() * 100 < percent
  const shown = linesShown(prompt)
  const places = one.expected.flatMap(({ place, also }) => (place ? [place, ...also] : also))
  const truth = shown.find((line) => places.some((place) => distance(line, place) === 0))
  const far = shown.filter((line) => places.every((place) => distance(line, place) > farLines))
  const category = one.expected[0]?.category ?? 'correctness'
  const isRight = draws(rightOnes)
  const findings = truth && isRight ? [finding(truth, { category, title: 'The planted fault' })] : []
  for (const [mistake, percent] of Object.entries(mistakes) as [Mistake, number][]) {
    const wanted = draws(percent)
    const line = far[Math.floor(random() * far.length)]
    if (!wanted) continue
    if (mistake === 'a repetition of the right one') {
      if (truth && isRight) findings.push(finding(truth, { category, title: 'The planted fault, once more' }))
    } else if (line) findings.push(wrong(mistake, line))
  }
  return { ...emptyAnswer, findings }
}

function wrong(mistake: Mistake, line: ShownLine): object {
  const title = `Wrong: ${mistake}`
  const quoted = (id: string, quote: string) => ({ title, evidence: [{ id, quote }] })
  switch (mistake) {
    case 'nothing cited':
      return finding(line, { title, evidence: [] })
    case 'words quoted that stand nowhere':
      return finding(line, quoted(line.tag, 'return nothingOfThisKind(stands, here)'))
    case 'a true quote with a wrong tag':
      return finding(line, quoted(`L${line.line + 400}#zzz`, line.text))
    case 'a claim that code refutes':
      return finding(line, { title, claims: [{ ...noClaim, ...at(line), text: 'no such words are here' }] })
    case 'hidden characters in the title':
      return finding(line, { title: `${title}\u202e` })
    case 'another file than any of the change':
      return finding(line, { title, file: 'nowhere/at-all.txt' })
    default:
      return finding(line, { title })
  }
}

const noClaim = {
  kind: 'line-contains',
  side: 'new',
}

const at = ({ file, line }: ShownLine) => ({ path: file, line })

function finding({ file, tag, text }: ShownLine, words: object): object {
  return {
    ...plainFinding,
    file,
    tags: [tag],
    evidence: [{ id: tag, quote: text }],
    explanation: 'A script said so.',
    category: 'correctness',
    severity: 'medium',
    confidence: 'likely',
    claims: [],
    remedy: null,
    ...words,
  }
}

/** Lines of the new side that the diffs of the prompt show, with more than a bracket on them. */
function linesShown(prompt: string): ShownLine[] {
  return [...prompt.matchAll(/"diff of ([^"\n]+)"\n([\s\S]*?)\n>>>end /g)].flatMap(
    ([, file = '', diff = '']) =>
      [...diff.matchAll(/^\[(L(\d+)#[0-9a-z]{3})\] [+ ][ \t]*(\S[^\n]*)/gm)].flatMap(
        ([, tag = '', line = '', text = '']) =>
          text.length > 8 ? [{ file, tag, line: Number(line), text }] : [],
      ),
  )
}

function distance({ file, line }: ShownLine, place: LineRange): number {
  if (place.file !== file) return Number.POSITIVE_INFINITY
  if (place.side === 'left') return farLines
  return Math.max(0, place.start - line, line - place.end)
}
