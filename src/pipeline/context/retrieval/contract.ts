/** What the retrievals find around a change: passages of the head, in lists that are fused into one order. */
import type { CodeTree } from '../../../code-index/query/contract.ts'
import type { CodeSearch } from '../../../code-index/search/search.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'

/**
 * `used`: definitions that changed lines use, types first; `callers` and `tests`: uses of what changed; `siblings`:
 * beside the change in its file or class; `neighbours`: near in the graph of code; `look-alikes`: similar words.
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
  /** The head. */
  tree: CodeTree
  /** Null: no look-alikes. */
  search: CodeSearch | null
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
