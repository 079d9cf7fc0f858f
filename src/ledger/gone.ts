/**
 * Whether a finding that was not found again is gone, and not only unseen. Code that was not reviewed says nothing; and a
 * model that is silent about unchanged code says nothing either. The same for the ledger and for comments on a host.
 */
import { isUnread } from '../domain/model-report.ts'
import type { Review } from '../domain/review.ts'
import type { Places } from './locate.ts'
import type { FindingRecord } from './record.ts'

export type GoneInput = Pick<Places, 'lineNow'> & {
  review: Pick<Review, 'coverage' | 'depth' | 'models'>
  /** By its path now, or the one that the change took from it. */
  isChanged: (path: string) => boolean
  /** Not every file of the change is listed. */
  isPartial: boolean
  pathNow: (path: string) => string
}

export type Gone = { type: 'fixed' | 'outdated'; why: string }

/** Null for one that may still be there. */
export function whyGone(record: FindingRecord, input: GoneInput): Gone | null {
  const { review, isChanged, isPartial, pathNow, lineNow } = input
  const path = pathNow(record.path)
  // Reverted, or in the base by now.
  if (!isChanged(path))
    return isPartial ? null : { type: 'outdated', why: 'the change no longer touches its file' }
  const { files, planes, stopped } = review.coverage
  if (files.find((file) => file.path === path)?.state !== 'reviewed' || stopped) return null
  if (lineNow(record) === null) return !record.byModel || wasReadByModels(review) ? replaced : null
  // Nobody knows whether another tool was run again.
  if (record.byModel || record.rule.startsWith('linters/')) return null
  return planes.every(({ state }) => state === 'ran' || state === 'skipped') ? notFound : null
}

const replaced: Gone = {
  type: 'fixed',
  why: 'its code is no longer there, and a review of what replaced it did not find it',
}
const notFound: Gone = { type: 'fixed', why: 'the check that reported it ran and did not find it' }

function wasReadByModels({ depth, models }: GoneInput['review']): boolean {
  return depth !== 'offline' && models !== undefined && !models.groups.some(isUnread)
}
