/** The graph retrieval: everything around a change in the rest of the repository, as lists and fused. */
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { readChangedFiles } from './changed-places.ts'
import type { GraphInput, Passage, PassageLists, RankedPassage } from './contract.ts'
import { fusePassages } from './fuse-passages.ts'
import {
  enclosingPassages,
  neighbourPassages,
  seedDefinitions,
  usedPassages,
  userPassages,
} from './graph-lists.ts'
import { changedWords, lookAlikes, partnerFiles } from './word-lists.ts'

export type GraphRetrieval = {
  lists: PassageLists
  passages: RankedPassage[]
  /** What was not looked at, in words. */
  cuts: string[]
}

export async function retrieveGraph(input: GraphInput, head: RepoSnapshot): Promise<GraphRetrieval> {
  const { change, tree, search, commits, isOutOfTime } = input
  const files = await readChangedFiles(tree.world, change)
  const seeds = seedDefinitions(files)
  const used = await usedPassages(tree, files, isOutOfTime)
  const users = await userPassages(tree, seeds, isOutOfTime)
  const { passages: neighbours, graph } = await neighbourPassages(tree, seeds, isOutOfTime)
  const alike = search && !isOutOfTime() ? await lookAlikes(search, changedWords(files)) : []
  const partners = await partnerFiles(change, head, commits)
  const lists: PassageLists = {
    enclosing: enclosingPassages(files),
    used,
    callers: users.callers,
    tests: users.tests,
    neighbours,
    'look-alikes': alike,
    partners: await beginnings(tree.world.factsOf(partners), partners),
  }
  const cuts = [...graph.cut, ...(isOutOfTime() ? ['the time for the graph ran out'] : [])]
  return { lists, passages: fusePassages(lists), cuts: [...new Set(cuts)] }
}

/** Of a partner file: its first definition, which mostly tells what it is. */
async function beginnings(
  facts: ReturnType<GraphInput['tree']['world']['factsOf']>,
  paths: readonly string[],
): Promise<Passage[]> {
  const known = await facts
  return paths.flatMap((path) => {
    const first = known.get(path)?.symbols.find(({ kind }) => kind !== 'package' && kind !== 'module')
    if (!first) return []
    const endLine = Math.min(first.endLine, first.startLine + 39)
    return [{ path, startLine: first.startLine, endLine, title: 'changes together with the changed files' }]
  })
}
