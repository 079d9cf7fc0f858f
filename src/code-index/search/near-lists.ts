/**
 * What stands near given files: by the graph of imports, and by changing together. These lists bring nothing new; they
 * lift what the others found in such files.
 */
import type { HistoryCommit } from '../../domain/snapshot.ts'
import type { FileGraph } from '../graph/file-graph.ts'
import { rankFiles } from '../graph/rank-files.ts'
import type { Scored } from '../lexical/best-rows.ts'
import { readHistorySignals } from '../related/history-signals.ts'
import type { ChunkIndex } from './index/chunk-index.ts'

/** Strength by path. */
export type Nearness = Readonly<Record<'graph' | 'history', ReadonlyMap<string, number>>>

const rankedFiles = 2_000

/** `commits` newest first. Files that are not in the tree are passed over. */
export function readNearness(
  paths: readonly string[],
  graph: FileGraph,
  commits: readonly HistoryCommit[],
): Nearness {
  const seeds = new Map(paths.map((path) => [path, 1]))
  return {
    graph: new Map(rankFiles(graph, seeds, rankedFiles).map(({ path, score }) => [path, score])),
    history: readHistorySignals(commits, paths).direct,
  }
}

/** Of the documents that were found, those in near files, nearest first; all of one file share their rank. */
export function nearLists(
  index: ChunkIndex,
  found: readonly Scored[],
  nearness: Nearness,
  rows: number,
): Record<'graph' | 'history', Scored[]> {
  const documents = [...new Set(found.map(({ document }) => document))].sort((a, b) => a - b)
  const by = (scores: ReadonlyMap<string, number>): Scored[] =>
    documents
      .map((document) => ({ document, score: scores.get(index.note(document).path) ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.document - b.document)
      .slice(0, rows)
  return { graph: by(nearness.graph), history: by(nearness.history) }
}
