/**
 * What two readers of one group say, put together when both have ended. Neither knew of the other, so what both found is
 * better founded, and is one finding; what one of them found stands as it is, since an independent check comes after. Pure.
 */
import { firstBy } from '../../base/grouped.ts'
import { severityRank } from '../../domain/severity.ts'
import type { WireFinding } from './answer/schema.ts'
import type { AskedAuthor } from './contract.ts'
import { type Conversation, keptFindings } from './conversation.ts'
import { areAlike, repeats, type TrackedFinding } from './follow-up/merge-answers.ts'

/** The change is told by the first; of its other words the second adds what the first does not have. */
export function settleReaders(first: Conversation, second: Conversation): [Conversation, Conversation] {
  if (first.outcome !== 'answered' || second.outcome !== 'answered') return [first, second]
  const found = keptFindings(first)
  const joined = new Map(found.map((one) => [one.id, one]))
  const own = second.tracked.filter((one) => {
    const twin =
      one.withdrawn === null ? found.find((known) => repeats(one.finding, known.finding)) : undefined
    if (twin) joined.set(twin.id, join(joined.get(twin.id) ?? twin, one))
    return !twin
  })
  const noted = new Set(first.insufficient.map(({ path }) => path))
  return [
    { ...first, tracked: first.tracked.map((one) => joined.get(one.id) ?? one) },
    {
      ...second,
      tracked: own,
      walkthrough: first.walkthrough.length > 0 ? [] : second.walkthrough,
      questions: second.questions.filter(
        (one) => !first.questions.some((known) => isSameQuestion(one, known)),
      ),
      insufficient: second.insufficient.filter(({ path }) => !noted.has(path)),
    },
  ]
}

/** In the words of the one who says more, with all that the other shows beyond it. */
function join(known: TrackedFinding, again: TrackedFinding): TrackedFinding {
  const [a, b] = [known.finding, again.finding]
  const [richer, other] = b.explanation.trim().length > a.explanation.trim().length ? [b, a] : [a, b]
  const finding: WireFinding = {
    ...richer,
    evidence: firstBy([...richer.evidence, ...other.evidence], JSON.stringify),
    also_at: firstBy([...richer.also_at, ...other.also_at], JSON.stringify),
    documented: richer.documented ?? other.documented,
    severity: severityRank(a.severity) <= severityRank(b.severity) ? a.severity : b.severity,
    confidence: a.confidence === 'likely' ? a.confidence : b.confidence,
    claims: firstBy([...richer.claims, ...other.claims], JSON.stringify),
    enriches: richer.enriches || other.enriches,
    remedy: richer.remedy ?? other.remedy,
    wrong_if: richer.wrong_if ?? other.wrong_if,
    edits: richer.edits.length > 0 ? richer.edits : other.edits,
  }
  return { ...known, finding, repaired: known.repaired || again.repaired, byBoth: true }
}

function isSameQuestion(a: AskedAuthor, b: AskedAuthor): boolean {
  return a.path === b.path && areAlike(a.text, b.text)
}
