/** Which models a review asks, from the operator's settings and environment, where code may be sent to them. */
import { UserError } from '../base/errors.ts'
import type { Config } from '../config/schema.ts'
import { loadSettings, settingsPath } from '../config/settings/load.ts'
import type { ModelRoles } from '../config/settings/models.ts'
import type { Settings } from '../config/settings/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { Journal } from '../domain/journal.ts'
import type { ModelEstimate } from '../domain/model-report.ts'
import type { Depth } from '../domain/review.ts'
import {
  type Agreed,
  type Agreement,
  asksModels,
  askToSend,
  isAgreed,
  readAgreement,
} from '../llm/agreement.ts'
import type { Gateway } from '../llm/contract.ts'
import { noJournal } from '../llm/metered-fetch.ts'
import type { Account } from '../llm/money/account.ts'
import { type ModelSetup, missingKeys, providerName, setUpModels } from '../llm/routes/setup.ts'
import type { Explorer, ModelParts } from '../pipeline/ask-models.ts'

export type ModelOptions = {
  /** The model for each role; wins over settings and environment. */
  roles?: ModelRoles
  /** US dollars for this run; the settings' `money.perRun` when not given. */
  budget?: number
  /** Asked once, with what it would take at most, before anything is sent; false sends nothing. */
  mayAsk?: (estimate: ModelEstimate, settings: Settings) => Promise<boolean>
  /** Asked before code goes to a model that neither the caller nor the settings name; not given, it is a no. */
  maySend?: (found: FoundModel) => Promise<boolean>
  /** The caller serves others, as a server does: a depth or a model that is asked for is not the operator's agreement. */
  isServed?: boolean
  /** Where keys and addresses are looked for, and which file the settings are; the process's when not given. */
  environment?: NodeJS.ProcessEnv
}

/** What is known before any model is asked: the operator's settings, and the model of each role. */
export type PreparedModels = {
  settings: Settings
  environment: NodeJS.ProcessEnv
  /** Null when no model is set for the reviewer. */
  setup: ModelSetup | null
  budget: number | undefined
  mayAsk: ModelOptions['mayAsk']
  agreement: Agreement
  maySend: ModelOptions['maySend']
  isServed: boolean
}

/** `agreed` null: code is sent to no model. `withheld`: why, in words, where one was found. */
export type AgreedModels = Omit<PreparedModels, 'agreement' | 'maySend'> & {
  agreed: Agreed | null
  withheld: string | null
}

/**
 * `depth`: as the caller asks for it, if he does. Throws `settings-invalid` for a role whose provider the operator does
 * not have, and `no-model` where a model was asked for and none can be.
 */
export function prepareModels(
  { roles, budget, mayAsk, maySend, isServed = false }: ModelOptions,
  { settings, environment }: Pick<PreparedModels, 'settings' | 'environment'>,
  depth?: Config['review']['depth'],
): PreparedModels {
  const { roles: played, providers } = setUpModels(settings.models, environment, roles)
  const setup = played.reviewer.models.length === 0 ? null : { roles: played, providers }
  const isAskedFor = !isServed && (asksModels(depth) || (roles !== undefined && depth !== 'offline'))
  // Before anything is read or sent.
  if (isAskedFor) refuseUnusable(setup, environment)
  const agreement = readAgreement(settings.models, isAskedFor)
  return { settings, environment, setup, budget, mayAsk, agreement, maySend, isServed }
}

/** Without the models, and with the reason in words, where no one has agreed that code is sent. */
export async function agreeToModels(
  prepared: PreparedModels,
  depth: Config['review']['depth'],
): Promise<AgreedModels> {
  const { agreement, maySend, ...models } = prepared
  const found = foundModel(models.setup)
  if (isAgreed(agreement)) return { ...models, agreed: agreement, withheld: null }
  if (found === null || depth === 'offline') return { ...models, agreed: null, withheld: null }
  const without = { ...models, setup: null, agreed: null }
  if (agreement === 'refused') return { ...without, withheld: null }
  const agreed = await askToSend(maySend && (() => maySend(found)))
  if (agreed) return { ...models, agreed, withheld: null }
  return { ...without, withheld: withheldWords(found, models) }
}

export type ModelPlace = {
  /** Null keeps nothing. */
  journal: Journal | null
  explorer: Explorer | null
  /** From which they spend, besides others; an account of their own when not given. */
  account?: Account
  onEvent: EventListener
}

/** Null when no model is set for the reviewer. Nothing is sent yet. */
export async function openModels(
  { settings, environment, setup, budget, mayAsk, agreed }: AgreedModels,
  { journal, explorer, account, onEvent }: ModelPlace,
): Promise<ModelParts | null> {
  if (!setup || !agreed) return null
  // What speaks to models is heavy, and an offline review does without it.
  const { createGateway } = await import('../llm/gateway.ts')
  const gateway = await createGateway({
    settings,
    environment,
    journal: journal ?? noJournal,
    onEvent,
    setup,
    agreed,
    ...(budget === undefined ? {} : { budget }),
    ...(account ? { account } : {}),
  })
  return {
    gateway,
    journal,
    explorer,
    mayAsk: async (estimate) => (await mayAsk?.(estimate, settings)) ?? true,
  }
}

/** What is run in the end, and what of it is not as asked for. `withheld`: why there is no model, if there might be. */
export function resolveDepth(
  wanted: Config['review']['depth'],
  hasModel: boolean,
  withheld: string | null = null,
): { depth: Depth; remarks: string[] } {
  if (wanted === 'offline') return { depth: wanted, remarks: [] }
  if (!hasModel) {
    const remark = `no model is configured, so review.depth ${wanted} is not possible; this review ran offline`
    return { depth: 'offline', remarks: withheld ? [withheld] : wanted === 'auto' ? [] : [remark] }
  }
  return { depth: wanted === 'auto' ? 'quick' : wanted, remarks: [] }
}

/** A gateway to models outside of a review: for whoever asks them about reviews. */
/** Null when no model is set for the reviewer. Nothing is kept on record. Throws `settings-invalid`. */
export async function openModelGateway(options: ModelOptions): Promise<Gateway | null> {
  const { environment = process.env } = options
  const { settings } = await loadSettings(environment)
  const agreed = await agreeToModels(prepareModels(options, { settings, environment }), 'quick')
  const models = await openModels(agreed, { journal: null, explorer: null, onEvent: () => {} })
  return models?.gateway ?? null
}

/** What somebody is asked about. */
type FoundModel = {
  /** `provider/model`. */
  model: string
  provider: string
  /** The variables that its key was found in. */
  keys: readonly string[]
}

/** The model that would be asked first; null when no model is set for the reviewer. */
export function foundModel(setup: ModelSetup | null): FoundModel | null {
  const model = setup?.roles.reviewer.models[0]
  if (!setup || model === undefined) return null
  const provider = providerName(model)
  const keys = setup.providers.find(({ name }) => name === provider)?.keysFrom ?? []
  return { model, provider, keys }
}

/** One line: why no model was asked, and how to have one asked. */
function withheldWords(
  { provider, keys }: FoundModel,
  { environment, isServed }: Pick<PreparedModels, 'environment' | 'isServed'>,
): string {
  // What a server says is read by others than its operator.
  if (isServed) return 'no model was asked: the operator of this server has not agreed to send code to one'
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
