/** The graph retrieval: everything around a change in the rest of the repository, as lists and fused. */
import type { World } from '../../../code-index/resolve/contract.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { type ChangedFile, readChangedFiles } from './changed-places.ts'
import {
  type GraphInput,
  type GraphRetrieval,
  type KeepList,
  type Passage,
  type PassageLists,
  timeRanOut,
} from './contract.ts'
import { fusePassages } from './fuse-passages.ts'
import {
  enclosingPassages,
  neighbourPassages,
  seedDefinitions,
  usedPassages,
  userPassages,
} from './graph-lists.ts'
import { changedWords, lookAlikes, partnerFiles } from './word-lists.ts'

/** `keep` hears of each list as soon as it is whole; the cheap ones come first. */
export async function retrieveGraph(
  input: GraphInput,
  head: RepoSnapshot,
  keep: KeepList = () => {},
): Promise<GraphRetrieval> {
  const { change, tree, search, commits, isOutOfTime } = input
  const { files, ...first } = await retrieveFirst({ change, world: tree.world, head, commits }, keep)
  const seeds = seedDefinitions(files)
  const used = await usedPassages(tree, files, isOutOfTime)
  keep('used', used)
  const { callers, tests } = await userPassages(tree, seeds, isOutOfTime)
  keep('callers', callers)
  keep('tests', tests)
  const { passages: neighbours } = await neighbourPassages(tree, seeds, isOutOfTime)
  keep('neighbours', neighbours)
  const alike = search && !isOutOfTime() ? await lookAlikes(search, changedWords(files)) : []
  const lists: PassageLists = { ...first, used, callers, tests, neighbours, 'look-alikes': alike }
  // How far the graph is followed is a matter of taste; only want of time makes the bundle less than it should be.
  return { lists, passages: fusePassages(lists), cuts: isOutOfTime() ? [timeRanOut] : [] }
}

type FirstInput = Pick<GraphInput, 'change' | 'commits'> & { world: World; head: RepoSnapshot }

/** What needs no index: code around the changed lines, and files that change together with theirs. */
export async function retrieveFirst(
  { change, world, head, commits }: FirstInput,
  keep: KeepList,
): Promise<Pick<PassageLists, 'enclosing' | 'partners'> & { files: ChangedFile[] }> {
  const files = await readChangedFiles(world, change)
  const enclosing = enclosingPassages(files)
  keep('enclosing', enclosing)
  const paths = await partnerFiles(change, head, commits)
  const partners = await beginnings(world.factsOf(paths), paths)
  keep('partners', partners)
  return { files, enclosing, partners }
}

/** Of a partner file: its first definition, which mostly tells what it is. */
async function beginnings(facts: ReturnType<World['factsOf']>, paths: readonly string[]): Promise<Passage[]> {
  const known = await facts
  return paths.flatMap((path) => {
    const first = known.get(path)?.symbols.find(({ kind }) => kind !== 'package' && kind !== 'module')
    if (!first) return []
    const endLine = Math.min(first.endLine, first.startLine + 39)
    return [{ path, startLine: first.startLine, endLine, title: 'changes together with the changed files' }]
  })
}
