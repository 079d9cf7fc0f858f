/** Plays the reviewer at the answer desk: it answers with the planted findings of the files that a question shows. */
import type { WireFinding } from '../../src/index.ts'
import type { DeskAnswerer } from '../desk/answer-desk.ts'
import { deskNameOf } from '../desk/arms.ts'
import type { PlantedFinding } from './planted-finding.ts'
import { type QuestionPlaces, readPlaces } from './question-places.ts'

/** Each finding is given once, in the order of `planted`. Questions to the refuter are left to whoever plays it. */
export function plantedReviewer(planted: readonly PlantedFinding[]): DeskAnswerer {
  const waiting = new Set(planted)
  return ({ name, role, text }) => {
    if (role !== 'reader') return null
    const places = readPlaces(text)
    const given = [...waiting].filter(
      ({ head, finding }) => deskNameOf(head) === name && places.showsDiff(finding.file),
    )
    for (const one of given) waiting.delete(one)
    return JSON.stringify({
      walkthrough: [],
      findings: given.map(({ finding }) => placed(finding, places)),
      verdicts: [],
      insufficient_context: [],
      context_requests: [],
      author_questions: [],
    })
  }
}

/** With the tags and numbers of this question; what it does not show could not be cited. */
function placed(finding: WireFinding, places: QuestionPlaces): WireFinding {
  const { file } = finding
  const cited = <Citation extends { id: string }>(citation: Citation): Citation[] => {
    const id = idOf(citation.id, file, places)
    return id === null ? [] : [{ ...citation, id }]
  }
  return {
    ...finding,
    tags: finding.tags.flatMap((line) => places.tagOf(file, line) ?? []),
    evidence: finding.evidence.flatMap(cited),
    also_at: finding.also_at.flatMap(cited),
  }
}

function idOf(id: string, file: string, places: QuestionPlaces): string | null {
  const [, path, line] = /^(.+):(\d+)$/.exec(id) ?? []
  if (path === undefined) return places.tagOf(file, id)
  return places.tagOf(path, `L${line}`) ?? places.evidenceAt(path, Number(line))
}
