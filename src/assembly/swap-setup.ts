/** The model of each role when one is swapped: that one as the operator has it now, all others as they were. */
import { canonicalJson } from '../base/canonical-json.ts'
import type { ModelRoles, ModelSettings } from '../config/settings/models.ts'
import type { ModelRole } from '../domain/model-call.ts'
import { askedRoles, type ModelSetup, providerName, setUpModels } from '../llm/routes/setup.ts'

/** Throws `settings-invalid` for a model whose provider the operator does not have. */
export function mixedSetup(
  recorded: ModelSetup,
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv,
  swap: ModelRoles,
): ModelSetup {
  const now = setUpModels(settings, environment, swap)
  const roles = { ...recorded.roles }
  for (const role of askedRoles) if (swap[role]) roles[role] = now.roles[role]
  const names = new Set(now.providers.map(({ name }) => name))
  return {
    roles,
    providers: [...now.providers, ...recorded.providers.filter(({ name }) => !names.has(name))],
  }
}

/**
 * Which roles would be played today just as they were in the run. Only they may be asked again: the addresses of a run that
 * somebody else exported are his, and so are the names of the variables whose values would be sent there.
 */
export function rolesAsTheyWere(
  recorded: ModelSetup | null,
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv,
): ReadonlySet<ModelRole> {
  return new Set(
    askedRoles.filter((role) => {
      const models = recorded?.roles[role].models ?? []
      try {
        const now = setUpModels(settings, environment, { [role]: [...models] })
        return models.map(providerName).every((name) => {
          const [then, today] = [recorded?.providers, now.providers].map((all) =>
            all?.find((provider) => provider.name === name),
          )
          return then !== undefined && canonicalJson(then) === canonicalJson(today)
        })
      } catch {
        return false
      }
    }),
  )
}
