/** The graph retrieval: code around a change in the rest of the repository, as lists, fused into one order, within its time. */
import { isTestPath } from '../../../base/file-paths.ts'
import { nextTurn, OutOfTime, withinSeconds } from '../../../base/time-budget.ts'
import { openPartialTree } from '../../../code-index/query/partial-tree.ts'
import { indexPaths, openWorld } from '../../../code-index/resolve/world.ts'
import { changedWords, readChangedFiles } from './changed-places.ts'
import {
  type GraphInput,
  type GraphRetrieval,
  type KeepList,
  type Passage,
  type PassageList,
  type PassageLists,
  passageLists,
  type RankedPassage,
  timeRanOut,
} from './contract.ts'
import { countReads } from './count-reads.ts'
import { lookAlikes } from './look-alikes.ts'
import { definedNearby } from './named-nearby.ts'
import { findNearFiles } from './near-files.ts'
import {
  neighbourPassages,
  seedDefinitions,
  siblingPassages,
  usedPassages,
  userPassages,
} from './passage-lists.ts'
import { usersOfRemovedNames } from './removed-names.ts'
import { unchangedCopies } from './unchanged-copies.ts'

/**
 * Calls `keep` with each list as soon as it is complete; the cheap ones come first. What is looked into, and how far, is
 * counted in files and bytes.
 */
export async function retrieveGraph(input: GraphInput, keep: KeepList = () => {}): Promise<GraphRetrieval> {
  const { change, base, head, isOutOfTime } = input
  const paths = indexPaths(await head.list())
  await nextTurn()
  const facts = countReads(input.facts, (path) => paths.entry(path)?.size ?? 0)
  const isOver = () => isOutOfTime() || facts.bytesRead() > mostBytes
  const world = await openWorld(head, facts, [], { paths })
  const files = await readChangedFiles(world, change)
  const siblings = siblingPassages(files)
  keep('siblings', siblings)
  const seeds = seedDefinitions(files)
  const words = changedWords(files)
  await nextTurn()
  const near = await findNearFiles({ head, changed: files.map(({ file }) => file.path), seeds, words })
  const tree = openPartialTree(world, facts, near.users, near.isWhole)
  const { passages, unresolved } = await usedPassages(tree, files, isOver)
  const used = [...passages, ...(await definedNearby(head, world, { unresolved, files }, isOver))]
  keep('used', used)
  const left = isOver() ? [] : await usersOfRemovedNames(change, { base, head, facts, world })
  const users = await userPassages(tree, seeds, isOver)
  const ofTests = (isTest: boolean) => left.filter(({ path }) => isTestPath(path) === isTest)
  const [callers, tests] = [
    [...ofTests(false), ...users.callers],
    [...ofTests(true), ...users.tests],
  ]
  keep('callers', callers)
  keep('tests', tests)
  const alike = isOutOfTime()
    ? []
    : [
        ...(await unchangedCopies(head, world, change)),
        ...(await lookAlikes(head, input.facts, near.alike, words)),
      ]
  keep('look-alikes', alike)
  const { passages: neighbours } = await neighbourPassages(tree, seeds, isOver)
  keep('neighbours', neighbours)
  const lists: PassageLists = { siblings, used, callers, tests, neighbours, 'look-alikes': alike }
  // Limits of the graph are by design; only running out of time makes the bundle incomplete.
  return { lists, passages: fusePassages(lists), cuts: isOutOfTime() ? [timeRanOut] : [] }
}

/** Source that is parsed for one graph, counted between its steps. */
const mostBytes = 6 * 2 ** 20

/** Shares of the time: after the first, lists end early; after the second, what is there is taken, and has yet to be read. */
const softShare = 0.8
const hardShare = 0.9

/**
 * Keeps the lists found in time, and names the missing ones. Rejects with the signal's reason after an abort. Work that
 * does not stop by itself goes on unobserved.
 */
export async function retrieveInTime(
  seconds: number,
  signal: AbortSignal,
  retrieve: (keep: KeepList, isOutOfTime: () => boolean) => Promise<GraphRetrieval>,
): Promise<GraphRetrieval> {
  const startedAt = performance.now()
  const found = new Map<PassageList, readonly Passage[]>()
  const keep: KeepList = (list, passages) => found.set(list, passages)
  try {
    return await withinSeconds(seconds * hardShare, signal, (inner) =>
      retrieve(keep, () => inner.aborted || performance.now() - startedAt > seconds * 1000 * softShare),
    )
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    const missing = passageLists.filter((list) => !found.has(list))
    const lists = Object.fromEntries(
      passageLists.map((list) => [list, found.get(list) ?? []]),
    ) as unknown as PassageLists
    const cuts = [timeRanOut, `not searched: ${missing.join(', ')}`]
    return { lists, passages: fusePassages(lists), cuts }
  }
}

/** Chosen by the ablations of docs/quality/context.md; 0 leaves a list out. */
export const defaultWeights: Readonly<Record<PassageList, number>> = {
  used: 2,
  callers: 1.5,
  tests: 0.7,
  siblings: 1,
  neighbours: 0.6,
  'look-alikes': 0.7,
}

const damping = 20

/** Fuses the lists by reciprocal ranks, best first, then by path and line; overlapping passages become one. */
export function fusePassages(
  lists: PassageLists,
  weights: Readonly<Record<PassageList, number>> = defaultWeights,
): RankedPassage[] {
  const fused: RankedPassage[] = []
  const byFile = new Map<string, RankedPassage[]>()
  for (const list of passageLists) {
    if (weights[list] === 0) continue
    for (const [at, passage] of lists[list].entries()) {
      const here = byFile.get(passage.path) ?? []
      const known = here.find((one) => isSame(one, passage))
      const gain = weights[list] / (damping + at + 1)
      if (known) {
        if (known.ranks[list] === undefined) known.score += gain
        known.ranks[list] ??= at + 1
        known.focus = [...(known.focus ?? []), ...(passage.focus ?? [])]
        continue
      }
      const added = { ...passage, score: gain, ranks: { [list]: at + 1 } }
      fused.push(added)
      byFile.set(passage.path, [...here, added])
    }
  }
  return fused.sort(
    (a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine),
  )
}

/** Both are mostly the same lines. A type that holds a method is not the same as the method. */
function isSame(known: Passage, { startLine, endLine }: Passage): boolean {
  const common = Math.min(known.endLine, endLine) - Math.max(known.startLine, startLine) + 1
  return common >= 0.7 * (Math.max(endLine - startLine, known.endLine - known.startLine) + 1)
}
