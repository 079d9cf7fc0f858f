/** What a finding keeps of another that is merged into it: one sentence, and none that repeats what it says already. */
import type { Finding } from './finding.ts'

const longestExplanation = 4_000

type Told = Pick<Finding, 'plane' | 'title' | 'explanation' | 'startLine'>

/** The explanation of `winner` with the title of `other` behind it, while there is room. */
export function withRelated(winner: Told, other: Pick<Finding, 'plane' | 'title' | 'startLine'>): string {
  const note = noteOn(winner, other)
  const explanation = `${winner.explanation}${note === '' ? '' : `\n\n${note}`}`.trim()
  return explanation.length > longestExplanation ? winner.explanation : explanation
}

function noteOn(winner: Told, other: Pick<Finding, 'plane' | 'title' | 'startLine'>): string {
  const title = sentence(other.title)
  if (title === sentence(winner.title)) {
    const note = `Also on line ${other.startLine}.`
    return other.startLine === winner.startLine || winner.explanation.includes(note) ? '' : note
  }
  if (winner.explanation.includes(title)) return ''
  return `${other.plane === winner.plane ? 'Related' : `Related, from the ${other.plane} plane`}: ${title}`
}

function sentence(title: string): string {
  return /[.!?]$/.test(title) ? title : `${title}.`
}
