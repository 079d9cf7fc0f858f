/** What the retrievals find around a change: passages of the head, in lists that are fused into one order. */
import type { IndexStore } from '../../../code-index/contract.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'

/**
 * `used`: definitions that changed lines use, types first; `callers` and `tests`: uses of what changed, and
 * of names that it took away; `siblings`:
 * beside the change in its file or class; `neighbours`: near in the graph of code; `look-alikes`: what still has lines that
 * the change replaced, and similar words.
 */
export const passageLists = ['used', 'callers', 'tests', 'siblings', 'neighbours', 'look-alikes'] as const
export type PassageList = (typeof passageLists)[number]

/** Lines of one file at the head. */
export type Passage = {
  path: string
  /** 1-based, inclusive. */
  startLine: number
  endLine: number
  /** Why it is here, in a few words: `caller of parse()`. */
  title: string
  /** Lines inside of it to show in any case, if it is too long to be shown whole. */
  focus?: readonly number[]
}

/** Best first. */
export type PassageLists = Record<PassageList, readonly Passage[]>

export type RankedPassage = Passage & {
  /** Sum of weighted reciprocal ranks. */
  score: number
  /** Rank in each list that has it, 1 is best. */
  ranks: Partial<Record<PassageList, number>>
}

export type GraphInput = {
  change: ChangeSet
  /** Says which definitions the change took away. */
  base: RepoSnapshot
  head: RepoSnapshot
  facts: IndexStore
  /** The emergency brake: what is found is a function of the trees as long as it never says so. */
  isOutOfTime: () => boolean
}

export type GraphRetrieval = {
  lists: PassageLists
  passages: RankedPassage[]
  /** What was not searched, in words. */
  cuts: string[]
}

/** Among the cuts of a retrieval that would have found more with more time. */
export const timeRanOut = 'the time for the graph ran out'

/** Called with each list as soon as it is complete. */
export type KeepList = (list: PassageList, passages: readonly Passage[]) => void
