/**
 * Which models a review asks, from the operator's settings and environment, and whether code may be sent to them. A key in
 * the environment is not an agreement, since it may be there for another tool; what the caller asks for and what the
 * settings say is.
 */
import { UserError } from '../base/errors.ts'
import type { Config } from '../config/schema.ts'
import { loadSettings, settingsPath } from '../config/settings/load.ts'
import type { ModelRoles } from '../config/settings/models.ts'
import type { Settings } from '../config/settings/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { Journal } from '../domain/journal.ts'
import type { ModelEstimate } from '../domain/model-report.ts'
import type { Depth } from '../domain/review.ts'
import type { Gateway } from '../llm/contract.ts'
import { noJournal } from '../llm/metered-fetch.ts'
import type { Account } from '../llm/money/account.ts'
import { type ModelSetup, missingKeys, providerName, setUpModels } from '../llm/routes/setup.ts'
import type { Explorer, ModelParts } from '../pipeline/ask-models.ts'

export type ModelOptions = {
  /** Who plays which role; wins over settings and environment. */
  roles?: ModelRoles
  /** US dollars for this run; the settings' `money.perRun` when not given. */
  budget?: number
  /** Asked once, with what it would take at most, before anything is sent; false sends nothing. */
  mayAsk?: (estimate: ModelEstimate, settings: Settings) => Promise<boolean>
  /** Asked before code goes to a model that neither the caller nor the settings name; not given, it is a no. */
  maySend?: (found: FoundModel) => Promise<boolean>
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
}

/**
 * `depth`: as the caller asks for it, if he does. Throws `settings-invalid` for a role whose provider the operator does
 * not have, and `no-model` where a model was asked for and none can be.
 */
export function prepareModels(
  { roles, budget, mayAsk, maySend }: ModelOptions,
  { settings, environment }: Pick<PreparedModels, 'settings' | 'environment'>,
  depth?: Config['review']['depth'],
): PreparedModels {
  const { roles: played, providers } = setUpModels(settings.models, environment, roles)
  const setup = played.reviewer.models.length === 0 ? null : { roles: played, providers }
  const isAskedFor = asksModels(depth) || (roles !== undefined && depth !== 'offline')
  const agreement = readAgreement({ settings, setup, isAskedFor, environment })
  return { settings, environment, setup, budget, mayAsk, agreement, maySend }
}

/** Without the models, and with the reason in words, where no one has agreed that code is sent. */
export async function agreeToModels(
  prepared: PreparedModels,
  depth: Config['review']['depth'],
): Promise<PreparedModels & { withheld: string | null }> {
  const { agreement, setup, environment, maySend } = prepared
  const found = foundModel(setup)
  if (agreement === 'agreed' || found === null || depth === 'offline') return { ...prepared, withheld: null }
  const without = { ...prepared, setup: null }
  if (agreement === 'refused') return { ...without, withheld: null }
  if (await maySend?.(found)) return { ...prepared, withheld: null }
  return { ...without, withheld: withheldWords(found, environment) }
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
  { settings, environment, setup, budget, mayAsk }: PreparedModels,
  { journal, explorer, account, onEvent }: ModelPlace,
): Promise<ModelParts | null> {
  if (!setup) return null
  // What speaks to models is heavy, and an offline review does without it.
  const { createGateway } = await import('../llm/gateway.ts')
  const gateway = await createGateway({
    settings,
    environment,
    journal: journal ?? noJournal,
    onEvent,
    setup,
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
  const models = await openModels(prepareModels(options, { settings, environment }), {
    journal: null,
    explorer: null,
    onEvent: () => {},
  })
  return models?.gateway ?? null
}

/**
 * Whether code may be sent to models in this run. A key in the environment is not an agreement: it may be there for
 * another tool. Agreed is what the caller asks for, and what the operator's settings say.
 */
/** `unsaid`: neither yes nor no was said; ask if someone is there to answer. */
type Agreement = 'agreed' | 'refused' | 'unsaid'

/** What somebody is asked about. */
type FoundModel = {
  /** `provider/model`. */
  model: string
  provider: string
  /** The variables that its key was found in. */
  keys: readonly string[]
}

type AgreementInput = {
  settings: Settings
  /** Null when no model is set for the reviewer. */
  setup: ModelSetup | null
  /** The caller named a depth that asks models, or a model. */
  isAskedFor: boolean
  environment: NodeJS.ProcessEnv
}

/** Throws `no-model` when models were asked for and none can be asked: before anything is read or sent. */
function readAgreement({ settings, setup, isAskedFor, environment }: AgreementInput): Agreement {
  if (isAskedFor) {
    refuseUnusable(setup, environment)
    return 'agreed'
  }
  const { enabled } = settings.models
  if (enabled !== undefined) return enabled ? 'agreed' : 'refused'
  // Whoever names a model in the settings of this program wants it asked.
  return setup?.roles.reviewer.from === 'settings' ? 'agreed' : 'unsaid'
}

function asksModels(depth: Depth | 'auto' | undefined): boolean {
  return depth === 'quick' || depth === 'standard' || depth === 'deep'
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
function withheldWords({ provider, keys }: FoundModel, environment: NodeJS.ProcessEnv): string {
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
