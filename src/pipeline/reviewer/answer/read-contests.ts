/** What a reviewing model contests of what checks found. Whether its quotes are true, and what they show, is for later. */
import { visibleLine } from '../../../base/visible-text.ts'
import type { RaisedContest } from '../../../domain/contest.ts'
import { bareId } from '../../../domain/line-tag.ts'
import { type CitationContext, citationOf, findingOfCode, type Unfit } from './draft-candidate.ts'
import type { WireContest } from './schema.ts'

const mostCitations = 10
const longestReason = 500

/** Only findings in files of the question can be contested: of no other was anything shown. Lines become evidence. */
export function readContests(
  contests: Iterable<WireContest>,
  context: CitationContext,
): { raised: RaisedContest[]; unfit: Unfit[] } {
  const raised: RaisedContest[] = []
  const unfit: Unfit[] = []
  const shown = context.known.filter(({ anchor }) => context.files.includes(anchor.path))
  for (const { finding: said, evidence, reason } of contests) {
    const finding = findingOfCode(said, shown, '')
    const path = shown.find(({ id }) => id === finding)?.anchor.path
    if (!finding || path === undefined) {
      const what = `a contest of "${visibleLine(said).slice(0, 20)}"`
      unfit.push({ what, reason: 'the question has no such finding of a check' })
      continue
    }
    const citations = evidence.slice(0, mostCitations).map(({ id, quote }) => {
      const citation = citationOf(bareId(id), quote, path, context)
      const number = 'item' in citation ? context.book.add(citation.item) : citation.cited
      return { evidence: number, quote: citation.quote }
    })
    raised.push({ finding, reason: visibleLine(reason).trim().slice(0, longestReason), citations })
  }
  return { raised, unfit }
}
