/**
 * The operator's settings: what belongs to the machine and its user, and never to a repository. Providers, keys (by the
 * name of their environment variable), prices, programs to start. See `load.ts` for where they are read from.
 */
import { z } from 'zod'
import { EmbeddingSettings, RerankSettings } from './embedding.ts'
import { JournalSettings } from './journal.ts'
import { LanguageServerSettings } from './language-servers.ts'
import { ModelSettings } from './models.ts'
import { MoneySettings } from './money.ts'
import { RepositorySettings } from './repositories.ts'
import { SandboxSettings } from './sandbox.ts'
import { TicketSettings } from './tickets.ts'
import { ValidationSettings } from './validation.ts'

export const Settings = z.strictObject({
  $schema: z.string().optional(),
  models: ModelSettings.prefault({}),
  money: MoneySettings.prefault({}),
  embedding: EmbeddingSettings,
  rerank: RerankSettings,
  languageServers: LanguageServerSettings,
  validation: ValidationSettings.prefault({}),
  journal: JournalSettings.prefault({}),
  sandbox: SandboxSettings.prefault({}),
  repositories: RepositorySettings.prefault({}),
  tickets: TicketSettings.prefault({}),
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = Settings.parse({})
