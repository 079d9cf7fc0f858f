/** What a review may spend: by the flags, or by what a person at the terminal says to the estimate. */

import { usdWords } from '../base/usd-words.ts'
import type { ModelEstimate, ModelOptions } from '../index.ts'
import { askYesNo, canAsk } from './input/ask.ts'
import type { ProgressView } from './progress/contract.ts'

export type MoneyFlags = {
  readonly budget: number | undefined
  readonly estimate: boolean
}

export type MoneyQuestion = {
  options: Pick<ModelOptions, 'budget' | 'mayAsk'>
  /** What was estimated, for `--estimate`. */
  tellEstimate(json: boolean): Promise<string>
}

/** Who gives a budget has agreed to it, and is not asked again. Without a terminal the budget alone decides. */
export function askForMoney(
  { budget, estimate: onlyEstimate }: MoneyFlags,
  progress: ProgressView,
  signal: AbortSignal,
): MoneyQuestion {
  let seen: ModelEstimate | null = null
  const mayAsk: ModelOptions['mayAsk'] = async (estimate, { money }) => {
    seen = estimate
    if (onlyEstimate) return false
    const usd = sumOf(estimate)
    if (budget !== undefined || usd === null || usd <= money.askAbove || !canAsk()) return true
    const goOn = progress.pause()
    const { describe } = await import('./output/estimate.ts')
    const sum = usdWords(usd)
    const agreed = await askYesNo(
      `sightline: ${describe(estimate)} to ${estimate.model} may cost up to ${sum}. Go on?`,
      signal,
    )
    goOn()
    return agreed
  }
  return {
    options: { mayAsk, ...(budget === undefined ? {} : { budget }) },
    async tellEstimate(json) {
      const { renderEstimate } = await import('./output/estimate.ts')
      return renderEstimate(seen, json)
    },
  }
}

/** Null when any part of it has no known price. */
function sumOf({ usd, explore, refutation }: ModelEstimate): number | null {
  const parts = [usd, explore ? explore.usd : 0, refutation ? refutation.usd : 0]
  return parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)
}
