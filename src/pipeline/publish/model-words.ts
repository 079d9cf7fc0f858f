/** What models had to do with a review, in lines of words that the formats for people share. Foreign words stay raw. */
import { usdWords } from '../../base/count.ts'
import type { Finding } from '../../domain/finding.ts'
import type { RunCost, TokenUsage } from '../../domain/model-call.ts'
import type { FollowUp } from '../../domain/model-report.ts'
import type { Review } from '../../domain/review.ts'
import { count } from './words.ts'

const mostRemarks = 30

/** One line for each role, then one for the findings; empty when no model was to be asked. */
export function costLines(review: Review): string[] {
  const { cost } = review.run
  if (!cost) return []
  if (cost.calls === 0) return ['no model was asked: $0']
  const roles = cost.byRole.map(
    ({ role, model, calls, usage, usd }) =>
      `${role} ${model}: ${count(calls, 'call')}, ${tokenWords(usage)}, ${usdWords(usd)}`,
  )
  return [...roles, totalLine(cost, review)]
}

function totalLine({ usd, unpricedCalls, calls }: RunCost, review: Review): string {
  const unknown = unpricedCalls > 0 ? `, and ${count(unpricedCalls, 'call')} of unknown price` : ''
  const total = unpricedCalls === calls ? 'price unknown' : `${usdWords(usd)}${unknown}`
  const findings = review.models?.findingCosts.length ?? 0
  if (findings === 0) return `in all: ${total}`
  const each = unpricedCalls > 0 ? 'price unknown' : usdWords(usd / findings)
  return `in all: ${total}; ${each} for each of ${count(findings, 'finding')} by a model`
}

function tokenWords({ input, cacheRead, output }: TokenUsage): string {
  return `${input} tokens in${cacheRead > 0 ? ` (${cacheRead} from the cache)` : ''}, ${output} out`
}

/** What the finding cost; null for one that no model made. */
export function findingCost(review: Review, { id }: Pick<Finding, 'id'>): string | null {
  const cost = review.models?.findingCosts.find(({ finding }) => finding === id)
  return cost ? usdWords(cost.usd) : null
}

export function followUpLine({ path, startLine, endLine, refused, outcome, ...made }: FollowUp): string {
  const lines = startLine === null ? '' : `:${startLine}-${endLine ?? '?'}`
  const place = `follow-up on \`${path.replaceAll('`', "'")}${lines}\``
  if (refused) return `${place} was not made: ${refused.detail}`
  if (outcome !== 'answered') return `${place} was not answered (${outcome}); earlier findings remain`
  const { confirmed, dismissed, added, extraTokens } = made
  return `${place}: ${confirmed} confirmed, ${dismissed} dismissed, ${added} new, for ${extraTokens} tokens`
}

/** Follow-ups, doubts, what could not be used, and suspicious text. */
export function modelRemarks({ models }: Review): string[] {
  if (!models) return []
  const lines = [
    ...models.followUps.map(followUpLine),
    ...models.insufficient.map(
      ({ path, reason }) => `the model could not judge \`${path.replaceAll('`', "'")}\`: ${reason}`,
    ),
    ...models.trimmed.map((what) => `not shown to the model for lack of space: ${what}`),
    ...models.unfit.map(({ what, reason }) => `left out of what the model said: ${what}: ${reason}`),
    ...models.suspicions.map(
      ({ origin, line, sign, excerpt }) =>
        `\`${origin.replaceAll('`', "'")}:${line}\` looks like an instruction to a reviewing model (${sign}): \`${excerpt.replaceAll('`', "'")}\``,
    ),
  ]
  const rest = lines.length - mostRemarks
  return rest > 0 ? [...lines.slice(0, mostRemarks), `… and ${rest} more, in --json`] : lines
}
