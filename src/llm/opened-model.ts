/** A model of a route with everything that is known about its provider. */
import type { PricedModel } from './money/prices.ts'
import type { Model, Provider, ProviderFamily } from './providers/contract.ts'
import { families } from './providers/registry.ts'
import type { Environment } from './routes/find-providers.ts'
import { type ModelSetup, missingKeys, providerName } from './routes/setup.ts'

export type OpenedModel = PricedModel & {
  provider: Provider
  family: ProviderFamily
  structuredOutput: 'native' | 'prompt'
  /** Variables of the key that are not set though they are needed. */
  missingKeys: readonly string[]
  /** Loads the SDK of the provider; nothing is sent. */
  open(fetch: typeof globalThis.fetch): Promise<Model>
}

/** `name` is `provider/model` with a provider of the setup. Throws for another: that is our bug. */
export function openModel(name: string, setup: ModelSetup, environment: Environment): OpenedModel {
  const provider = setup.providers.find((one) => one.name === providerName(name))
  if (!provider) throw new Error(`The setup has no provider for ${name}.`)
  const family = families[provider.kind]
  const model = name.slice(provider.name.length + 1)
  const secret = (variable: string) => environment[variable] ?? ''
  return {
    name,
    model,
    provider,
    family,
    table: family.priceTable(provider),
    structuredOutput: provider.structuredOutput ?? family.structuredOutput,
    missingKeys: missingKeys(name, setup, environment),
    open: (fetch) => family.open({ provider, model, secret, fetch }),
  }
}
