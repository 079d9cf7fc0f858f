/** Everything a review may ask that does not follow from the frozen change: models, language servers, a sandbox. */
import { isAbsolute } from 'node:path'
import { UserError } from '../base/errors.ts'
import { discoverRepository } from '../base/git/discover.ts'
import type { Sandbox } from '../base/sandbox/contract.ts'
import type { LanguageServers } from '../code-index/language-servers/contract.ts'
import { openLanguageServers } from '../code-index/language-servers/open-language-servers.ts'
import type { SandboxSettings } from '../config/settings/schema.ts'
import type { Side } from '../domain/change-set.ts'
import type { Journal } from '../domain/journal.ts'
import type { ModelCall } from '../domain/model-call.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { ForeignParts } from '../hosts/mcp/servers.ts'
import type { LedgerView } from '../ledger/settle.ts'
import { recount } from '../llm/metered-fetch.ts'
import { openAccount } from '../llm/money/account.ts'
import type { Explorer, ModelParts } from '../pipeline/ask-models.ts'
import { readLedgerView } from './follow-findings.ts'
import { foreignParts } from './foreign-tools.ts'
import { type AgreedModels, openModels } from './open-models.ts'
import { type SearchModels, searchModels } from './search-models.ts'
import { confinementBy, foreignFolders } from './servers-on-demand.ts'
import type { Services } from './services.ts'

/** A sandbox, and the person's own folder of the repository, which lends its installed packages. Both may be missing. */
export type TestPlace = { findSandbox(): Promise<Sandbox | null>; checkout: string | null }

/** Nothing of it is opened before it is asked. */
export type Outside = {
  /** Hears every question first, and every answer before it is used; null keeps nothing. */
  journal: Journal | null
  /** Null when no model can be asked. */
  openModels(explorer: Explorer): Promise<ModelParts | null>
  /** The language servers of one side; null where only the journal answers. */
  openServers: ((side: Side) => LanguageServers) | null
  searchModels(): Promise<SearchModels>
  /** For a recorded answer of a tool: what its search had cost. */
  recountSearch(calls: readonly ModelCall[]): void
  sandbox: SandboxSettings
  /** Where tests of findings run; null where no new ones may be written, such as with a model swapped in. */
  tests: TestPlace | null
  /** The operator's MCP servers; null where there are none, and where only the journal answers. */
  foreign: ForeignParts | null
  /** What the ledger knows of the findings of this repository. */
  readLedger(): Promise<LedgerView>
  /** What is on record stands, also where time had run out then. */
  isReplay: boolean
}

/** As the operator's settings say. `change` as it was collected: what servers read of it is no part of the run. */
export function openOutside(
  {
    settings,
    environment,
    ledger,
    runs,
    onEvent,
    now,
  }: Pick<Services, 'settings' | 'environment' | 'ledger' | 'runs' | 'onEvent' | 'now'>,
  change: CollectedChange,
  models: AgreedModels,
  journal: Journal | null,
): Outside {
  const confinement = confinementBy(settings)
  const account = openAccount(models.budget ?? models.settings.money.perRun)
  return {
    journal,
    openModels: (explorer) => openModels(models, { journal, explorer, account, onEvent }),
    openServers: (side) =>
      openLanguageServers({
        snapshot: side === 'old' ? change.base : change.head,
        settings: settings.languageServers,
        environment,
        foreignFolders: foreignFolders(change.repositoryLabel),
        confinement,
      }),
    searchModels: () => searchModels(settings, { journal, account, onEvent }, environment),
    recountSearch: (calls) => {
      for (const call of calls) recount(call, { account, onEvent })
    },
    sandbox: settings.sandbox,
    tests: { findSandbox: confinement.findSandbox, checkout: workTreeOf(change.repositoryLabel) },
    foreign: foreignParts({ settings, environment }),
    readLedger: () => readLedgerView({ journal, ledger, runs, change, settings: settings.memory, now }),
    isReplay: false,
  }
}

/** Null for a repository that is on no disk of ours, or is bare. */
function workTreeOf(label: string): string | null {
  if (!isAbsolute(label)) return null
  try {
    return discoverRepository(label).workTree
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}
