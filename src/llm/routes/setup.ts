/** The model of each role: the command line first, then the settings, then what the environment has a key for. */
import { UserError } from '../../base/errors.ts'
import type { ModelRoles, ModelSettings } from '../../config/settings/models.ts'
import type { AskedRole } from '../contract.ts'
import type { Provider } from '../providers/contract.ts'
import {
  defaultModels,
  type Environment,
  type FoundProvider,
  findProviders,
  knownProvider,
} from './find-providers.ts'

export const askedRoles = ['scout', 'reviewer', 'judge'] as const satisfies readonly AskedRole[]

export type Route = {
  /** `provider/model` in the order in which they are asked; empty for a role without a model. */
  models: readonly string[]
  from: 'command line' | 'settings' | 'environment' | 'the reviewer' | 'nowhere'
}

/** Plain data without keys: a run keeps it, so that a replay asks the same models. */
export type ModelSetup = {
  providers: readonly Provider[]
  roles: Readonly<Record<AskedRole, Route>>
}

/** Throws `settings-invalid` for a role whose provider is unknown. */
export function setUpModels(
  settings: ModelSettings,
  environment: Environment,
  overrides: ModelRoles = {},
): ModelSetup & { found: readonly FoundProvider[] } {
  const found = findProviders(settings, environment)
  const fromEnvironment = pickFromEnvironment(found)
  const pick = (role: 'scout' | 'reviewer' | 'judge'): Route => {
    if (overrides[role]) return { models: overrides[role], from: 'command line' }
    if (settings.roles[role]) return { models: settings.roles[role], from: 'settings' }
    return { models: [], from: 'nowhere' }
  }
  const fall = (route: Route, model: string | undefined): Route =>
    route.models.length > 0 || model === undefined ? route : { models: [model], from: 'environment' }
  const reviewer = fall(pick('reviewer'), fromEnvironment?.reviewer)
  // Who names a reviewer alone wants that one asked, not some other provider whose key happens to be there.
  const named = reviewer.from === 'environment' ? fromEnvironment?.scout : sameProvider(reviewer, found)
  const scout = fall(pick('scout'), named)
  const judge = pick('judge')
  const roles = {
    scout: orReviewer(scout, reviewer),
    reviewer,
    judge: orReviewer(judge, reviewer),
  }
  return { found, roles, providers: providersOf(roles, found, environment) }
}

function orReviewer(route: Route, reviewer: Route): Route {
  if (route.models.length > 0 || reviewer.models.length === 0) return route
  return { models: reviewer.models, from: 'the reviewer' }
}

/** The first provider that can be used and has models we know. */
function pickFromEnvironment(found: readonly FoundProvider[]): { scout: string; reviewer: string } | null {
  for (const provider of found) {
    const models = modelsOf(provider)
    if (models && isReady(provider)) return models
  }
  return null
}

/** The scout of the provider that the reviewer is from, if it has one by default. */
function sameProvider({ models }: Route, found: readonly FoundProvider[]): string | undefined {
  const name = models[0]?.split('/')[0]
  const provider = found.find((one) => one.name === name)
  return provider && isReady(provider) ? modelsOf(provider)?.scout : undefined
}

function modelsOf(provider: FoundProvider): { scout: string; reviewer: string } | null {
  const models = defaultModels[provider.name] ?? defaultModels[provider.kind]
  // At an address of one's own stands who knows what.
  const isElsewhere =
    provider.kind !== 'bedrock' && provider.from === 'settings' && provider.baseUrl !== undefined
  if (!models || (isElsewhere && provider.name !== 'openrouter')) return null
  const name = (model: string) => `${provider.name}/${inRegion(model, provider)}`
  return { scout: name(models.scout), reviewer: name(models.reviewer) }
}

/** Bedrock's cross-region profiles begin with the continent. */
function inRegion(model: string, { kind, region = 'us-east-1' }: FoundProvider): string {
  if (kind !== 'bedrock') return model
  const continent = region.startsWith('eu-') ? 'eu' : region.startsWith('ap-') ? 'apac' : 'us'
  return model.replace(/^us\./, `${continent}.`)
}

export function isReady({ keysFrom, keysSet, keyIsOptional }: FoundProvider): boolean {
  return keyIsOptional || (keysFrom.length > 0 && keysSet.length === keysFrom.length)
}

/** Variables that the key of the model needs and that are not set. */
export function missingKeys(
  model: string,
  { providers }: Pick<ModelSetup, 'providers'>,
  environment: Environment,
): string[] {
  const provider = providers.find(({ name }) => name === providerName(model))
  if (!provider || provider.keyIsOptional) return []
  return provider.keysFrom.filter((variable) => (environment[variable] ?? '') === '')
}

function providersOf(
  roles: ModelSetup['roles'],
  found: readonly FoundProvider[],
  environment: Environment,
): Provider[] {
  const names = new Set(askedRoles.flatMap((role) => roles[role].models.map(providerName)))
  return [...names].sort().map((name) => {
    const provider = found.find((one) => one.name === name) ?? knownProvider(name, environment)
    if (provider) return asPlain(provider)
    throw new UserError(
      'settings-invalid',
      `a role names the provider \`${name}\`, which is neither in the settings nor among the built-in providers.`,
    )
  })
}

export function providerName(model: string): string {
  return model.slice(0, model.indexOf('/'))
}

function asPlain({ from: _from, keysSet: _keysSet, ...provider }: FoundProvider): Provider {
  return provider
}
