/** What a repository says of itself in its configuration: which contracts it provides, and whose it needs. It narrows, and widens nothing. */
import { UserError } from '../../base/errors.ts'
import { matchGlobs } from '../../base/globs.ts'
import { configOfTree, loadConfig } from '../../config/load.ts'
import { defaultConfig } from '../../config/schema.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { ContractKind } from '../../workspace/contract.ts'
import { contractKinds } from '../../workspace/registry.ts'

export type OwnWords = {
  /** Kinds of contracts that it provides to others. */
  kinds: readonly ContractKind[]
  /** `provider`: `acme/api`; null where nothing says which it is, and then it may be any. */
  mayNeed(provider: string | null): boolean
}

/** A configuration that is not valid says nothing. */
export async function readOwnWords(snapshot: RepoSnapshot): Promise<OwnWords> {
  const { provides, needs } = await readSection(snapshot)
  const isNeeded = needs && matchGlobs(needs)
  return {
    kinds: provides ? contractKinds.filter(({ kind }) => provides.includes(kind)) : contractKinds,
    mayNeed: (provider) => isNeeded === null || provider === null || isNeeded(provider),
  }
}

async function readSection(snapshot: RepoSnapshot): Promise<typeof defaultConfig.workspace> {
  try {
    return (await loadConfig(configOfTree(snapshot))).config.workspace
  } catch (error) {
    if (error instanceof UserError) return defaultConfig.workspace
    throw error
  }
}
