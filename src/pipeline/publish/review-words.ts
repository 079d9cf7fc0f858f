/**
 * What a review says besides its findings, as lines that the formats for people share: models and cost, criteria, signals,
 * conflicts, refutations. Foreign text stays raw; code is between backticks.
 */

import { usdWords } from '../../base/count.ts'
import type { Finding } from '../../domain/finding.ts'
import { parseTag } from '../../domain/line-tag.ts'
import type { RunCost, TokenUsage } from '../../domain/model-call.ts'
import type { FollowUp, RequestedPlace } from '../../domain/model-report.ts'
import type { Conflict, PlaneSignal, Review } from '../../domain/review.ts'
import type { CriterionCheck } from '../../domain/ticket.ts'
import type { CompanionChange, FoundBy } from '../../domain/workspace.ts'

import { count } from './words.ts'

const mostRemarks = 30

const mostLines = 20

const stateWords: Readonly<Record<CriterionCheck['state'], string>> = {
  covered: 'covered',
  'not-covered': 'NOT covered',
  undecidable: 'not decidable',
}

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

function followUpLine({ refused, outcome, ...made }: FollowUp): string {
  const places = made.places ?? [{ ...made, symbol: null, refused: null }]
  const named = places.map(
    (one) => requestedWords(one) + (one.refused && !refused ? ` (not given: ${one.refused.detail})` : ''),
  )
  const place = `follow-up on ${named.join(', ')}`
  if (refused) return `${place} was not made: ${refused.detail}`
  if (outcome !== 'answered') return `${place} was not answered (${outcome}); earlier findings remain`
  const { confirmed, dismissed, added, extraTokens } = made
  return `${place}: ${confirmed} confirmed, ${dismissed} dismissed, ${added} new, for ${extraTokens} tokens`
}

function requestedWords({ path, symbol, startLine, endLine }: Omit<RequestedPlace, 'refused'>): string {
  const lines = startLine === null ? '' : `:${startLine}-${endLine ?? '?'}`
  return `\`${ticks([path + lines, symbol ?? ''].filter((part) => part !== '').join(' '))}\``
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

type CriterionLine = {
  state: CriterionCheck['state']
  words: string
  reason: string
  places: string[]
}

export function criterionLines({ criteria = [] }: Review): CriterionLine[] {
  const tickets = new Set(criteria.map(({ ticket }) => ticket))
  return criteria.map(({ ticket, id, text, state, reason, lines, by }) => ({
    state,
    words: `${tickets.size > 1 ? `${ticket} ` : ''}${id} ${stateWords[state]} (says ${by === 'code' ? 'code' : 'a model'}): ${text}`,
    reason,
    places: lines.map(({ path, tags }) => `\`${ticks(path)}${lineNumbers(tags.slice(0, 3))}\``),
  }))
}

/** `:64, 66`; empty for what has no line of the head. */
function lineNumbers(tags: readonly string[]): string {
  const numbers = tags.flatMap((tag) => {
    const parsed = parseTag(tag)
    return parsed?.side === 'new' ? [parsed.line] : []
  })
  return numbers.length > 0 ? `:${numbers.join(', ')}` : ''
}

/** `contract high (2, certain), rules low (1, likely)`: the planes with findings in one line; empty without any. */
export function signalLine({ signals = [] }: Review): string {
  return signals
    .filter(({ severity }) => severity !== null)
    .map(describeSignal)
    .join(', ')
}

function describeSignal({ plane, severity, findings, confidence }: PlaneSignal): string {
  return `${plane} ${severity} (${findings}, ${confidence})`
}

export function conflictLines({ conflicts = [], findings }: Review): string[] {
  const titleOf = (id: string) => findings.find((finding) => finding.id === id)?.title ?? id
  return conflicts.map(
    ({ upheld, yielded, about, reason }) =>
      `${aboutWords[about]}: "${titleOf(upheld)}" prevails over "${titleOf(yielded)}": ${reason}`,
  )
}

const aboutWords: Readonly<Record<Conflict['about'], string>> = {
  severity: 'how bad it is',
  suggestion: 'suggested fix',
}

/** Every independent check with its result, then what became of each contest of a finding of code. */
export function refutationLines({ refutations = [], contests = [], verdicts }: Review): string[] {
  const titles = new Map(verdicts.map(({ candidate }) => [candidate.id, candidate.title]))
  const about = (finding: string, citations: readonly { evidence: string }[]) =>
    `${titles.get(finding) ?? finding}${citations.length > 0 ? ` (${citations.map(({ evidence }) => evidence).join(', ')})` : ''}`
  return [
    ...refutations.map(
      ({ finding, outcome, reason, citations, second }) =>
        `${outcome}: ${about(finding, citations)}: ${reason}${second ? ` (second check: ${second.outcome}: ${second.reason})` : ''}`,
    ),
    ...contests.map(
      ({ finding, outcome, reason, citations, decidedBy }) =>
        `contest ${outcome}: ${about(finding, citations)}: ${reason} ${decidedBy}`,
    ),
  ]
}

/** What the model asks the author, with the line that raises it. */
export function questionLines({ questions = [] }: Review): string[] {
  return questions.map(({ text, path, line }) => {
    const place = path === null ? '' : `\`${ticks(path)}${line === null ? '' : `:${line}`}\`: `
    return `${place}${text}`
  })
}

/** Change requests of other repositories with the other half of this one: what each is called, its page, and what to know of it. */
export function companionLines({
  request: { workspace },
}: Review): { name: string; url: string; words: string }[] {
  return (workspace?.companions ?? []).map(({ repository, name, url, foundBy, merge, reasons }) => ({
    name: repository + name,
    url,
    words: `${foundByWords[foundBy]}.${merge === null ? '' : ` ${mergeWords[merge]}: ${reasons.join('; ')}.`}`,
  }))
}

const foundByWords: Readonly<Record<FoundBy, string>> = {
  link: 'Linked by the author',
  branch: 'On a branch of the same name',
  'link-back': 'It links to this change',
  ticket: 'For the same ticket',
  content: 'It changes what uses this',
}

const mergeWords: Readonly<Record<NonNullable<CompanionChange['merge']>, string>> = {
  before: 'Merge it first',
  after: 'Merge this change first',
  together: 'Merge both together',
}

/** The change in the words of the model, each sentence with its lines; empty where code alone told it. */
export function walkthroughLines({ walkthrough = [] }: Review): string[] {
  return walkthrough.map(({ text, places }) => {
    const named = places.map(
      ({ path, side, line }) => `\`${ticks(path)}:${line}\`${side === 'old' ? ' (before the change)' : ''}`,
    )
    return `${text} (${named.join(', ')})`
  })
}

/** What each note of the team did in this review. */
export function memoryLines({ memory = [] }: Review): string[] {
  const lines = memory.map(({ path, text, considered, cited, dismissed, lowered }) => {
    const deeds = [
      ...(dismissed > 0 ? [`set aside ${count(dismissed, 'finding')}`] : []),
      ...(lowered > 0 ? [`made ${count(lowered, 'finding')} minor`] : []),
      ...(cited.length > 0 ? [`cited by ${count(cited.length, 'finding')}`] : []),
      ...(considered && cited.length === 0 ? ['considered by the models'] : []),
    ]
    return `\`${ticks(path)}\`: ${deeds.join(', ')}: ${text}`
  })
  return capped(lines, mostLines)
}

function capped(lines: readonly string[], number: number): string[] {
  const rest = lines.length - number
  return rest > 0 ? [...lines.slice(0, number), `… and ${count(rest, 'more line')}, in --json`] : [...lines]
}

function ticks(text: string): string {
  return text.replaceAll('`', "'")
}
