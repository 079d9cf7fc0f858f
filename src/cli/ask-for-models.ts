/** The first review with a key that was found, not given: may code be sent? Asked at a terminal only, and remembered. */
import type { ModelOptions } from '../index.ts'
import { askWord, canAsk } from './input/ask.ts'
import type { ProgressView } from './progress/contract.ts'
import type { Terminal } from './terminal.ts'

export type ConsentFlags = { readonly quiet: boolean; readonly progress: boolean; readonly estimate: boolean }

/** Without a person to ask it gives nothing, and no model is asked. No answer is a no that is not remembered. */
export function askForModels(
  { quiet, progress: asEvents, estimate }: ConsentFlags,
  progress: ProgressView,
  terminal: Terminal,
  signal: AbortSignal,
): Pick<ModelOptions, 'maySend'> {
  if (quiet || asEvents || estimate || terminal.isJob || !canAsk()) return {}
  return {
    maySend: async ({ model, provider, keys }) => {
      const goOn = progress.pause()
      const sign = keys.length > 0 ? `${keys.join(' and ')} is set` : `${provider} was found`
      const word = await askWord(
        `sightline: ${sign}. May reviews send the change and code around it to ${provider} (${model})? That costs money, and the answer is remembered.`,
        signal,
      )
      if (word !== null) terminal.note(`sightline: ${await remember(word === 'yes')}\n`)
      goOn()
      return word === 'yes'
    },
  }
}

async function remember(enabled: boolean): Promise<string> {
  try {
    const { rememberModelsEnabled } = await import('../config/settings/remember.ts')
    return `noted as models.enabled: ${enabled} in ${await rememberModelsEnabled(enabled)}`
  } catch (error) {
    return `this could not be remembered: ${(error as Error).message}`
  }
}
