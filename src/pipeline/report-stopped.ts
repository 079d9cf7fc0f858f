/**
 * The review of a change of which no check finished before the watchdog ended it. Reads nothing of the change, since any
 * of it may be what held the first attempt.
 */
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { packageVersion } from '../base/package-root.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import type { Config } from '../config/schema.ts'
import type { StoppedReview } from '../domain/coverage.ts'
import { Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { concludeReview } from './conclude/conclude-review.ts'
import type { PlaneOff } from './conclude/coverage.ts'
import { buildContext } from './context/build-context.ts'

export type StoppedParts = {
  stopped: StoppedReview
  /** All planes of this review. */
  off: readonly PlaneOff[]
  config: Config
  now: () => Date
}

/** Incomplete, without findings, and without the names of the changed files. */
export function reportStopped(
  { request, repositoryLabel: repository }: Pick<CollectedChange, 'request' | 'repositoryLabel'>,
  { stopped, off, config, now }: StoppedParts,
): Review {
  const context = buildContext({
    request,
    configHash: sha256(canonicalJson(config)),
    change: { files: [], overflow: [] },
    symbols: [],
    tests: [],
    evidence: [],
    cuts: [],
  })
  const review = concludeReview({
    version: packageVersion,
    depth: 'offline',
    context,
    verdicts: [],
    outcomes: [],
    off,
    stopped,
    parseFailures: [],
    config,
    run: { startedAt: now(), stagesMs: {}, repository },
  })
  return Review.parse(redactStrings(review))
}
