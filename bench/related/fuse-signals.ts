/** Fuses what the signals say of files into one order: which files belong to a change. */
import type { SignalScores } from '../../src/code-index/related/signals.ts'

/**
 * `direct`: changed together with a seed; `ripple`: changed together with what changed together with a seed; `folder`:
 * changed together with files of a seed's folder; `recent`: changed in the latest commits; `path`: its path is like a
 * seed's; `graph`: near a seed in the graph of code; `words`: has words of a seed's change.
 */
export type RelatedSignal = 'direct' | 'ripple' | 'folder' | 'recent' | 'path' | 'graph' | 'words'

type RelatedFile = {
  path: string
  /** Sum of the weighted signals, each as a share of its strongest file. */
  score: number
  /** Share of the strongest file in each signal that knows this one, 0 to 1. */
  shares: Partial<Record<RelatedSignal, number>>
}

/**
 * Found on 1,200 changes of 15 repositories (docs/quality/related-files.md), where neighbouring values differ little.
 * Shares rather than ranks are added: how far a partner is above the rest says much.
 */
export const defaultWeights: Readonly<Record<RelatedSignal, number>> = {
  direct: 1,
  path: 0.5,
  ripple: 0.3,
  folder: 0.2,
  recent: 0.1,
  graph: 0.3,
  words: 0.2,
}

/** Best first, equal ones in path order. Files that `keep` refuses are left out before the strongest is taken. */
export function fuseSignals(
  signals: Partial<Record<RelatedSignal, SignalScores>>,
  keep: (path: string) => boolean,
  weights: Readonly<Partial<Record<RelatedSignal, number>>> = defaultWeights,
): RelatedFile[] {
  const files = new Map<string, RelatedFile>()
  for (const name of Object.keys(defaultWeights) as RelatedSignal[]) {
    const scores = [...(signals[name] ?? [])].filter(([path]) => keep(path))
    const strongest = scores.reduce((most, [, score]) => Math.max(most, score), 0)
    const weight = weights[name] ?? 0
    if (strongest === 0 || weight === 0) continue
    for (const [path, score] of scores) {
      const file = files.get(path) ?? { path, score: 0, shares: {} }
      const share = score / strongest
      file.score += weight * share
      file.shares[name] = share
      files.set(path, file)
    }
  }
  return [...files.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
}
