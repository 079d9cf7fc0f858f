/**
 * What a person agrees to before a model is asked: that code is sent to a provider, and what the review may cost. Flags
 * answer both in advance; a question is asked only at a terminal.
 */
import { count, usdWords } from '../base/count.ts'
import { questionWords, tokenWords, totalUsd } from '../domain/estimate-words.ts'
import type { ModelEstimate, ModelOptions } from '../index.ts'
import { askWord, askYesNo, canAsk, conversationIn } from './input/ask.ts'
import { asciiJson } from './output/safe-text.ts'
import type { ProgressView } from './progress/contract.ts'
import type { Shell } from './shell.ts'
import type { Terminal } from './terminal.ts'

export type CostFlags = {
  readonly budget: number | undefined
  readonly estimate: boolean
}

export type CostQuestion = {
  options: Pick<ModelOptions, 'budget' | 'mayAsk'>
  /** The report for `--estimate`, after `mayAsk` was called. */
  renderEstimate(json: boolean): string
}

/** A user who gives a budget has agreed to it and is not asked again. Without a terminal, the budget alone decides. */
export function confirmCost(
  { budget, estimate: onlyEstimate }: CostFlags,
  progress: ProgressView,
  shell: Shell,
  signal: AbortSignal,
): CostQuestion {
  let seen: ModelEstimate | null = null
  const mayAsk: ModelOptions['mayAsk'] = async (estimate, { money }) => {
    seen = estimate
    if (onlyEstimate) return false
    const usd = totalUsd(estimate)
    if (budget !== undefined || usd === null || usd <= money.askAbove || !canAsk(shell)) return true
    const goOn = progress.pause()
    const sum = usdWords(usd)
    const agreed = await askYesNo(
      `sightline: ${questionWords(estimate)} to ${estimate.model} may cost up to ${sum}. Continue?`,
      signal,
      conversationIn(shell),
    )
    goOn()
    return agreed
  }
  return {
    options: { mayAsk, ...(budget === undefined ? {} : { budget }) },
    renderEstimate: (json) => renderEstimate(seen, json),
  }
}

type SendingFlags = { readonly quiet: boolean; readonly progress: boolean; readonly estimate: boolean }

/**
 * Asks, on the first review with a key found in the environment, whether code may be sent; the answer is remembered.
 * Returns no `maySend` where no one can be asked, so that no model is called. An empty answer counts as no and is not remembered.
 */
export function confirmSending(
  { quiet, progress: asEvents, estimate }: SendingFlags,
  progress: ProgressView,
  terminal: Terminal,
  shell: Shell,
  signal: AbortSignal,
): Pick<ModelOptions, 'maySend'> {
  if (quiet || asEvents || estimate || terminal.isJob || !canAsk(shell)) return {}
  return {
    maySend: async ({ model, provider, keys }) => {
      const goOn = progress.pause()
      const sign = keys.length > 0 ? `${keys.join(' and ')} is set` : `${provider} was found`
      const word = await askWord(
        `sightline: ${sign}. May reviews send the change and related code to ${provider} (${model})? This costs money. Your answer is remembered.`,
        signal,
        conversationIn(shell),
      )
      if (word !== null) terminal.note(`sightline: ${await remember(word === 'yes', shell.environment)}\n`)
      goOn()
      return word === 'yes'
    },
  }
}

async function remember(enabled: boolean, environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { rememberModelsEnabled } = await import('../config/settings/load.ts')
    return `saved as models.enabled: ${enabled} in ${await rememberModelsEnabled(enabled, environment)}`
  } catch (error) {
    return `the answer could not be saved: ${(error as Error).message}`
  }
}

/** `estimate` null: no model would be asked. */
function renderEstimate(estimate: ModelEstimate | null, json: boolean): string {
  if (json) return `${asciiJson({ estimate }, 2)}\n`
  if (!estimate || estimate.calls === 0)
    return 'This review would use no model and cost nothing. Nothing was sent.\n'
  const { model, followUps, explore, refutation } = estimate
  const lines = [
    `${questionWords(estimate)} to ${model}: at most ${usdWords(estimate.usd)}.`,
    ...(explore && explore.calls > 0
      ? [
          `Before that, up to ${explore.calls} requests to gather context: at most ${usdWords(explore.usd)} (${tokenWords(explore)}).`,
        ]
      : []),
    ...(followUps.calls > 0
      ? [
          `If every question has a follow-up, at most ${usdWords(followUps.usd)} more (${tokenWords(followUps)}); most have none.`,
        ]
      : []),
    ...(refutation
      ? [
          `Independent checks of the findings, usually at most ${count(refutation.calls, 'request')}: ${usdWords(refutation.usd)} more (${tokenWords(refutation)}).`,
        ]
      : []),
    'Nothing was sent.',
  ]
  return `${lines.join('\n')}\n`
}
