/**
 * Whether code may be sent to models in this run. A key in the environment is no word of agreement: it may be there for
 * another tool. Agreed is what the caller asks for, and what the operator's settings say.
 */
import { UserError } from '../base/errors.ts'
import { settingsPath } from '../config/settings/load.ts'
import type { Settings } from '../config/settings/schema.ts'
import type { Depth } from '../domain/review.ts'
import { type ModelSetup, missingKeys, providerName } from '../llm/routes/setup.ts'

/** `unsaid`: nobody said yes or no, and whoever can be asked is to be asked. */
export type Agreement = 'agreed' | 'refused' | 'unsaid'

/** What somebody is asked about. */
export type FoundModel = {
  /** `provider/model`. */
  model: string
  provider: string
  /** The variables that its key was found in. */
  keys: readonly string[]
}

export type AgreementInput = {
  settings: Settings
  /** Null when nobody plays the reviewer. */
  setup: ModelSetup | null
  /** The caller named a depth that asks models, or a model. */
  isAskedFor: boolean
  environment: NodeJS.ProcessEnv
}

/** Throws `no-model` when models were asked for and none can be asked: before anything is read or sent. */
export function readAgreement({ settings, setup, isAskedFor, environment }: AgreementInput): Agreement {
  if (isAskedFor) {
    refuseUnusable(setup, environment)
    return 'agreed'
  }
  const { enabled } = settings.models
  if (enabled !== undefined) return enabled ? 'agreed' : 'refused'
  // Whoever names a model in the settings of this program wants it asked.
  return setup?.roles.reviewer.from === 'settings' ? 'agreed' : 'unsaid'
}

export function asksModels(depth: Depth | 'auto' | undefined): boolean {
  return depth === 'quick' || depth === 'standard' || depth === 'deep'
}

/** The model that would be asked first; null when nobody plays the reviewer. */
export function foundModel(setup: ModelSetup | null): FoundModel | null {
  const model = setup?.roles.reviewer.models[0]
  if (!setup || model === undefined) return null
  const provider = providerName(model)
  const keys = setup.providers.find(({ name }) => name === provider)?.keysFrom ?? []
  return { model, provider, keys }
}

/** One line: why no model was asked, and how to have one asked. */
export function withheldWords({ provider, keys }: FoundModel, environment: NodeJS.ProcessEnv): string {
  const sign = keys.length > 0 ? `${keys.join(' and ')} is set, but ` : ''
  return `no model was asked: ${sign}sending code to ${provider} needs your agreement: use --depth quick for one review, or set \`models.enabled: true\` in ${settingsPath(environment)} for all`
}

function refuseUnusable(setup: ModelSetup | null, environment: NodeJS.ProcessEnv): void {
  if (!setup) throw new UserError('no-model', 'no key was found, and the settings name none.')
  const faults = setup.roles.reviewer.models.map((model) => ({
    model,
    missing: missingKeys(model, setup, environment),
  }))
  if (faults.some(({ missing }) => missing.length === 0)) return
  const words = faults.map(
    ({ model, missing }) => `${model} needs a key, and ${missing.join(' and ')} is not set.`,
  )
  throw new UserError('no-model', words.join('\n'))
}
