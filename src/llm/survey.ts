/** What was found of models: providers, the model of each role, windows and prices, each with where it is from. */
import type { ModelRoles, ModelSettings } from '../config/settings/models.ts'
import type { AskedRole } from './contract.ts'
import { openPriceBook, type PriceBook } from './money/prices.ts'
import { openModel } from './opened-model.ts'
import type { Environment } from './routes/find-providers.ts'
import { askedRoles, isReady, type Route, setUpModels } from './routes/setup.ts'

export type ProviderLine = {
  name: string
  kind: string
  from: 'settings' | 'environment'
  /** Names of variables, never what is in them. */
  keys: readonly { name: string; set: boolean }[]
  /** Null: the usual one. */
  address: string | null
  ready: boolean
}

export type ModelLine = {
  model: string
  /** Names of variables that it needs and that are not set. */
  missingKeys: readonly string[]
  contextWindow: { tokens: number; from: 'settings' | 'table' } | null
  /** US dollars for a million tokens; null when not known. */
  price: { input: number; output: number; pricedAs: string } | null
}

export type Survey = {
  providers: readonly ProviderLine[]
  roles: readonly { role: AskedRole; from: Route['from']; models: readonly ModelLine[] }[]
}

/** Sends nothing. Throws `settings-invalid` for a role whose provider is unknown. */
export function surveyModels(
  settings: ModelSettings,
  environment: Environment,
  roles: ModelRoles = {},
  now = new Date(),
): Survey {
  const setup = setUpModels(settings, environment, roles)
  const book = openPriceBook(settings)
  const lineOf = (name: string) => describe(openModel(name, setup, environment), book, now)
  return {
    providers: setup.found.map((provider) => ({
      name: provider.name,
      kind: provider.kind,
      from: provider.from,
      keys: provider.keysFrom.map((name) => ({ name, set: provider.keysSet.includes(name) })),
      address: provider.baseUrl ?? null,
      ready: isReady(provider),
    })),
    roles: askedRoles.map((role) => {
      const { from, models } = setup.roles[role]
      return { role, from, models: models.map(lineOf) }
    }),
  }
}

function describe(model: ReturnType<typeof openModel>, book: PriceBook, now: Date): ModelLine {
  return {
    model: model.name,
    missingKeys: model.missingKeys,
    contextWindow: book.contextWindow(model),
    price: book.rates(model, now),
  }
}
