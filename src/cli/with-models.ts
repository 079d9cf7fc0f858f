/** What every command that asks models needs, opened once: progress, the user's consent, services and models. */
import type { Depth, PreparedModels, Services } from '../index.ts'
import { type CostFlags, type CostQuestion, confirmCost, confirmSending } from './confirm-models.ts'
import { readModelRoles } from './input/model-roles.ts'
import { chooseProgress, type ProgressFlags } from './progress/choose.ts'
import { type Shell, servicesIn } from './shell.ts'
import type { Terminal } from './terminal.ts'

export type ModelFlags = CostFlags &
  ProgressFlags & {
    readonly depth: Depth | undefined
    readonly model: readonly string[]
    readonly 'no-cache': boolean
  }

export type ModelRun = {
  readonly flags: ModelFlags
  readonly terminal: Terminal
  readonly shell: Shell
  readonly signal: AbortSignal
}

export type WithModels = {
  readonly services: Services
  readonly models: PreparedModels
  readonly cost: CostQuestion
}

/** Progress has ended and all is closed when it settles. Throws before any work if no model serves the depth. */
export async function withModels<Result>(
  { flags, terminal, shell, signal }: ModelRun,
  work: (opened: WithModels) => Promise<Result>,
): Promise<Result> {
  const roles = readModelRoles(flags.model)
  // Drawn before the heavy part is loaded, so that something is to be seen at once.
  const progress = chooseProgress(flags, terminal)
  try {
    const cost = confirmCost(flags, progress, shell, signal)
    const consent = confirmSending(flags, progress, terminal, shell, signal)
    const { openServices, prepareModels } = await import('../index.ts')
    const services = await openServices({
      ...servicesIn(shell),
      onEvent: progress.onEvent,
      signal,
      ...(flags['no-cache'] ? { cacheFolder: null } : {}),
    })
    try {
      const asked = { ...cost.options, ...consent, ...(roles ? { roles } : {}) }
      const models = prepareModels(asked, services, flags.depth)
      return await work({ services, models, cost })
    } finally {
      await services.close()
    }
  } finally {
    progress.end()
  }
}
