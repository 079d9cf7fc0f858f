/** The rules of the conclusion. `APPROVE` is a word in a text; nothing in this program approves anything. */
import type { Coverage } from '../../domain/coverage.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import { severities } from '../../domain/severity.ts'
import { count, list } from './words.ts'

/**
 * `REQUEST_CHANGES` if a critical or high finding stands; `NEEDS_DISCUSSION` if a medium one does, or if part of the
 * change was not looked at; otherwise `APPROVE`. What stood there before the change does not count.
 */
export function decideConclusion(all: readonly Finding[], coverage: Coverage): Review['conclusion'] {
  const findings = all.filter(({ preExisting }) => !preExisting)
  const counts = severities.map((severity) => ({
    severity,
    number: findings.filter((finding) => finding.severity === severity).length,
  }))
  const numberOf = (wanted: string) => counts.find(({ severity }) => severity === wanted)?.number ?? 0
  const worst = counts.filter(({ severity, number }) => number > 0 && severity !== 'low')
  const total = worst.reduce((sum, { number }) => sum + number, 0)
  const stand = `${list(worst.map(({ severity, number }) => `${number} ${severity}`))} ${total === 1 ? 'finding stands' : 'findings stand'}`
  const gaps = describeGaps(coverage)

  if (numberOf('critical') + numberOf('high') > 0)
    return { word: 'REQUEST_CHANGES', reason: sentence([stand, gaps]) }
  if (numberOf('medium') > 0) return { word: 'NEEDS_DISCUSSION', reason: sentence([stand, gaps]) }
  if (!coverage.complete)
    return { word: 'NEEDS_DISCUSSION', reason: sentence(['No finding above low stands', gaps]) }
  const low = numberOf('low')
  return {
    word: 'APPROVE',
    reason: sentence([
      low > 0 ? `Only ${count(low, 'low finding')} ${low === 1 ? 'stands' : 'stand'}` : 'No finding stands',
      'all that the rules do not leave out was looked at',
    ]),
  }
}

/** Empty for a complete review. */
export function describeGaps({ files, planes, complete }: Coverage): string {
  if (complete) return ''
  const notReviewed = files.filter(({ state }) => state === 'not-reviewed').length
  const partly = files.filter(({ state }) => state === 'partly').length
  const failed = planes.filter(({ state }) => state === 'failed').length
  const short = planes.filter(({ state }) => state === 'partly').length
  const parts = [
    ...(notReviewed > 0 ? [`${count(notReviewed, 'file')} not looked at`] : []),
    ...(partly > 0 ? [`${count(partly, 'file')} looked at in part`] : []),
    ...(failed > 0 ? [`${count(failed, 'plane')} failed`] : []),
    ...(short > 0 ? [`${count(short, 'plane')} ran in part`] : []),
  ]
  return `the review is incomplete: ${list(parts.length > 0 ? parts : ['a limit cut it short'])}`
}

function sentence(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('; ')}.`
}
