/** Which models a review asks: from the operator's settings and environment, or none. */
import type { Config } from '../config/schema.ts'
import type { ModelRoles } from '../config/settings/models.ts'
import type { Settings } from '../config/settings/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { Journal } from '../domain/journal.ts'
import type { ModelEstimate } from '../domain/model-report.ts'
import type { Depth } from '../domain/review.ts'
import { noJournal } from '../llm/metered-fetch.ts'
import type { Account } from '../llm/money/account.ts'
import { type ModelSetup, setUpModels } from '../llm/routes/setup.ts'
import type { Explorer, ModelParts } from '../pipeline/ask-models.ts'
import {
  type Agreement,
  asksModels,
  type FoundModel,
  foundModel,
  readAgreement,
  withheldWords,
} from './agree-to-models.ts'

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
  /** Null when nobody plays the reviewer. */
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

/** Without the models, and with the reason in words, where nobody agrees that code is sent. */
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

/** Null when nobody plays the reviewer. Nothing is sent yet. */
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
