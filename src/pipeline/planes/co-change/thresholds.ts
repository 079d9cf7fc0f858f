/** How sure the history must be before a missing partner is worth a word. Tuned by bench/co-change/replay.ts. */
export type Thresholds = {
  /** Commits that are looked back. */
  commits: number
  /** Commits that touched more files than this say nothing about any two of them. */
  filesOfCommit: number
  /** Changes that touch more files than this are not asked. */
  filesOfChange: number
  /** Commits in which both changed, at least. */
  together: number
  /**
   * The same for two files of one kind in one folder: twin implementations share features, but each has faults
   * and fixes of its own.
   */
  togetherAsSiblings: number
  /** Share of the commits that changed the file in which the partner changed too. */
  share: number
  /** The same seen from the partner: low for a file that changes with everything. */
  shareOfPartner: number
  /** Of this many latest commits that changed the file, all must have changed the partner. */
  latest: number
}

export const strictThresholds: Thresholds = {
  commits: 2000,
  filesOfCommit: 30,
  filesOfChange: 30,
  together: 8,
  togetherAsSiblings: 20,
  share: 0.85,
  shareOfPartner: 0.8,
  latest: 3,
}
