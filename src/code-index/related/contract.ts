/** Which files belong to a change: what each signal says, and what they say together. */

/**
 * `direct`: changed together with a seed; `ripple`: changed together with what changed together with a seed; `folder`:
 * changed together with files of a seed's folder; `recent`: changed in the latest commits; `path`: its path is like a
 * seed's; `graph`: near a seed in the graph of code; `words`: has words of a seed's change.
 */
export type RelatedSignal = 'direct' | 'ripple' | 'folder' | 'recent' | 'path' | 'graph' | 'words'

/** Strength by path, above 0; only the order and the proportions inside one signal mean anything. */
export type SignalScores = ReadonlyMap<string, number>

export type RelatedFile = {
  path: string
  /** Sum of the weighted signals, each as a share of its strongest file. */
  score: number
  /** Share of the strongest file in each signal that knows this one, 0 to 1. */
  shares: Partial<Record<RelatedSignal, number>>
}
