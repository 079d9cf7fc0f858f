/** The graph retrieval within its time: what was found by then is kept, and what is missing is named. */
import { OutOfTime, withinSeconds } from '../../../base/time-budget.ts'
import {
  type GraphRetrieval,
  type KeepList,
  type Passage,
  type PassageList,
  type PassageLists,
  passageLists,
  timeRanOut,
} from './contract.ts'
import { fusePassages } from './fuse-passages.ts'

/** Of the time; then lists are ended where they are, so that what is half found is not lost with the rest. */
const softShare = 0.85

/** Rejects with the signal's reason after an abort. Work that does not stop by itself is left behind. */
export async function retrieveInTime(
  seconds: number,
  signal: AbortSignal,
  retrieve: (keep: KeepList, isOutOfTime: () => boolean) => Promise<GraphRetrieval>,
): Promise<GraphRetrieval> {
  const startedAt = performance.now()
  const found = new Map<PassageList, readonly Passage[]>()
  const keep: KeepList = (list, passages) => found.set(list, passages)
  try {
    return await withinSeconds(seconds, signal, (inner) =>
      retrieve(keep, () => inner.aborted || performance.now() - startedAt > seconds * 1000 * softShare),
    )
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    const missing = passageLists.filter((list) => !found.has(list))
    const lists = Object.fromEntries(
      passageLists.map((list) => [list, found.get(list) ?? []]),
    ) as unknown as PassageLists
    const cuts = [timeRanOut, `nobody looked for: ${missing.join(', ')}`]
    return { lists, passages: fusePassages(lists), cuts }
  }
}
