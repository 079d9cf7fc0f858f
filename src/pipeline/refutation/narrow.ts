/** Cuts side claims that a judge disproved out of the text of a finding, by whole sentences. */
import type { Finding } from '../../domain/finding.ts'

/** Shorter words could stand anywhere. */
const fewestCharacters = 12
const mostCuts = 10

export type Narrowed = Pick<Finding, 'explanation' | 'remedy'> & {
  /** What was cut, in the order of the text. */
  sentences: string[]
}

/**
 * The text without the sentences that hold the words; words that are the whole suggested fix remove it. Null when any of
 * them are in neither, or no explanation would be left.
 */
export function withoutSentences({ explanation, remedy }: Finding, cuts: readonly string[]): Narrowed | null {
  const wanted = cuts.map(folded).filter((words) => words !== '')
  if (wanted.length === 0 || wanted.length > mostCuts) return null
  const dropsRemedy = remedy !== null && wanted.includes(folded(remedy))
  const others = wanted.filter((words) => !dropsRemedy || words !== folded(remedy ?? ''))
  const paragraphs = explanation.split(/\n\n+/).map(sentencesIn)
  const doomed = new Set<string>()
  for (const words of others) {
    const holders = holding(paragraphs.flat(), words)
    if (holders.length === 0) return null
    for (const sentence of holders) doomed.add(sentence)
  }
  const left = paragraphs
    .map((sentences) => sentences.filter((sentence) => !doomed.has(sentence)).join(' '))
    .filter((paragraph) => paragraph !== '')
  if (left.length === 0) return null
  const cut = paragraphs.flat().filter((sentence) => doomed.has(sentence))
  return {
    explanation: left.join('\n\n'),
    remedy: dropsRemedy ? null : remedy,
    sentences: dropsRemedy ? [...cut, remedy] : cut,
  }
}

/** Whether the words are all of the explanation: then the main claim is among them. */
export function holdsAll(cuts: readonly string[], { explanation }: Pick<Finding, 'explanation'>): boolean {
  const words = cuts.map(folded).join(' ')
  return explanation
    .split(/\n\n+/)
    .flatMap(sentencesIn)
    .every((sentence) => words.includes(folded(sentence)))
}

/** The sentence that holds the words, or the sentences that they hold. */
function holding(sentences: readonly string[], words: string): string[] {
  if (words.length < fewestCharacters) return []
  const around = sentences.find((sentence) => folded(sentence).includes(words))
  if (around !== undefined) return [around]
  const within = sentences.filter((sentence) => words.includes(folded(sentence)))
  // Nothing but these sentences: a text that the model made up around them cuts nothing.
  return folded(within.join(' ')) === words ? within : []
}

/** A full stop, or another end, and a space; not before a small letter, as in `e.g. this`. */
function sentencesIn(paragraph: string): string[] {
  const sentences: string[] = []
  let from = 0
  for (const end of paragraph.matchAll(/[.!?]\s/g)) {
    if (/\p{Ll}/u.test(paragraph[end.index + 2] ?? '')) continue
    sentences.push(paragraph.slice(from, end.index + 1).trim())
    from = end.index + 2
  }
  return [...sentences, paragraph.slice(from).trim()].filter((sentence) => sentence !== '')
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
