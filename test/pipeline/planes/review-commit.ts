/** Reviews one commit of a real repository with one plane, through the whole pipeline. */
import { createFactStore } from '../../../src/code-index/fact-store.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import type { Review } from '../../../src/domain/review.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import type { Plane } from '../../../src/pipeline/planes/contract.ts'
import { review } from '../../../src/pipeline/review.ts'

/** `repository` is any folder of it, bare or not; `commit` whatever git resolves. */
export async function reviewCommit(plane: Plane, repository: string, commit = 'HEAD'): Promise<Review> {
  const signal = new AbortController().signal
  const facts = createFactStore({ cacheFolder: null, signal })
  const change = await collectLocal({
    folder: repository,
    selector: { kind: 'commit', commit },
    limits: defaultConfig.limits,
    signal,
  })
  try {
    const parts = { config: defaultConfig, planes: [plane], facts, signal, now: () => new Date(0) }
    return await review(change, { ...parts, onEvent: () => {} })
  } finally {
    await Promise.all([facts.close(), change.close()])
  }
}

/** `path:line rule`, and for what was dropped `dropped rule: reason`, in the order of the verdicts. */
export function outcomesOf({ verdicts }: Review): string[] {
  return verdicts.map(({ candidate, finding, reason }) =>
    finding
      ? `${finding.anchor.path}:${finding.startLine} ${finding.rule}`
      : `dropped ${candidate.rule}: ${reason}`,
  )
}
