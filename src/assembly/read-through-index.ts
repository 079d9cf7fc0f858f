/** A change whose trees find words by the stored index where there is one: a pass over a large tree takes seconds. */
import type { FactStore } from '../code-index/contract.ts'
import { withIndexedWords } from '../code-index/query/open-tree.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { methodsOf } from './collect-change.ts'

export function readThroughIndex(
  change: CollectedChange,
  { facts, cacheFolder, signal }: { facts: FactStore; cacheFolder: string | null; signal: AbortSignal },
): CollectedChange {
  if (cacheFolder === null) return change
  const { request, repositoryLabel: repository } = change
  const place = { cacheFolder, repository, signal }
  const indexed = (side: 'base' | 'head') =>
    withIndexedWords(change[side], facts, { ...place, keep: request[side].commit !== null })
  return { ...methodsOf(change), base: indexed('base'), head: indexed('head') }
}
