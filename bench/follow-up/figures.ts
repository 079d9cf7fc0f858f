/** The figures of many reviews: the share without a follow-up, and what the others took on top. */
import type { FollowUp } from '../../src/domain/model-report.ts'
import type { Review } from '../../src/domain/review.ts'

export type Figures = {
  /** `scripted`: a rule answered, no model. */
  kind: 'scripted' | 'recorded'
  reviews: number
  questions: number
  withoutFollowUp: number
  followUps: number
  refused: Record<string, number>
  /** Of all reviews, in tokens in and out. */
  averageTokens: number
  /** On top, over all reviews; and of these, what was not read from the provider's cache. */
  averageExtraTokens: number
  averageExtraUncached: number
  /** On top, for each follow-up that was made. */
  extraTokensEach: number
  extraUncachedEach: number
  mostExtraUncached: number
  confirmed: number
  dismissed: number
  added: number
}

export function figuresOf(kind: Figures['kind'], all: readonly Review[]): Figures {
  const reviews = all.filter(({ models }) => models?.groups.some(({ outcome }) => outcome === 'answered'))
  const made = reviews.flatMap(
    ({ models }) => models?.followUps.filter(({ outcome }) => outcome !== null) ?? [],
  )
  const extra = sum(made, ({ extraTokens }) => extraTokens)
  const uncached = sum(made, uncachedOf)
  const refused: Record<string, number> = {}
  for (const { models } of reviews)
    for (const { refused: no } of models?.followUps ?? [])
      if (no) refused[no.kind] = (refused[no.kind] ?? 0) + 1
  const tokens = sum(reviews, ({ run }) => (run.cost ? run.cost.usage.input + run.cost.usage.output : 0))
  return {
    kind,
    reviews: reviews.length,
    questions: sum(reviews, ({ models }) => models?.groups.length ?? 0),
    withoutFollowUp: reviews.filter(
      ({ models }) => models?.followUps.every(({ outcome }) => outcome === null) ?? true,
    ).length,
    followUps: made.length,
    refused,
    averageTokens: per(tokens, reviews.length),
    averageExtraTokens: per(extra, reviews.length),
    averageExtraUncached: per(uncached, reviews.length),
    extraTokensEach: per(extra, made.length),
    extraUncachedEach: per(uncached, made.length),
    mostExtraUncached: Math.max(0, ...made.map(uncachedOf)),
    confirmed: sum(made, ({ confirmed }) => confirmed),
    dismissed: sum(made, ({ dismissed }) => dismissed),
    added: sum(made, ({ added }) => added),
  }
}

export function tableOf(figures: Figures): string {
  const share =
    figures.reviews === 0 ? 'none' : `${((100 * figures.withoutFollowUp) / figures.reviews).toFixed(1)} %`
  const title =
    figures.kind === 'scripted'
      ? "SCRIPTED: the answers follow a rule, no model was asked; the share is the rule's"
      : 'RECORDED: what models answered in the runs on record here'
  const rows: [string, string | number][] = [
    ['reviews with a model', figures.reviews],
    ['questions', figures.questions],
    ['reviews without a follow-up', `${figures.withoutFollowUp} (${share})`],
    ['follow-ups made', figures.followUps],
    ['follow-ups refused', JSON.stringify(figures.refused)],
    ['tokens of a review, on average', figures.averageTokens],
    ['  of them for follow-ups', figures.averageExtraTokens],
    ['  of these not from the cache', figures.averageExtraUncached],
    ['tokens of a follow-up, on average', figures.extraTokensEach],
    ['  of them not from the cache', `${figures.extraUncachedEach} (at most ${figures.mostExtraUncached})`],
    ['findings confirmed, dismissed, new', `${figures.confirmed}, ${figures.dismissed}, ${figures.added}`],
  ]
  return [title, ...rows.map(([name, value]) => `${name.padEnd(36)}${value}`)].join('\n')
}

function uncachedOf({ extraTokens, cachedTokens }: FollowUp): number {
  return extraTokens - cachedTokens
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

function per(total: number, number: number): number {
  return number === 0 ? 0 : Math.round(total / number)
}
