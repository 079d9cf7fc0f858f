/**
 * The operator's settings: what belongs to the machine and its user, and never to a repository. Providers, keys (by the
 * name of their environment variable), prices, programs to start. Large sections have a file each; `load.ts` finds and reads the settings.
 */
import { z } from 'zod'
import { isRepositoryName } from '../../domain/repository-name.ts'
import { EmbeddingSettings, RerankSettings } from './embedding.ts'
import { LanguageServerSettings } from './language-servers.ts'
import { ModelSettings } from './models.ts'
import { RepositorySettings } from './repositories.ts'

const TestCommand = z.strictObject({
  command: z
    .array(z.string().min(1))
    .min(1)
    .meta({ description: 'Program and arguments; no shell reads them.' }),
  seconds: z.int().min(1).max(1800).default(120),
})

/** The section `sandbox`: the tests that a review may run, only those listed here, and whether language servers need one. */
export const SandboxSettings = z.strictObject({
  tests: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/), TestCommand)
    .default({})
    .meta({ description: 'Test commands by name. None means that the tool is not offered.' }),
  readOnlyPaths: z
    .array(z.string().startsWith('/'))
    .default([])
    .meta({ description: 'Absolute folders that the tests can read, such as a tool chain.' }),
  memoryMb: z.int().min(64).max(65_536).default(1024),
  languageServers: z.enum(['required', 'optional']).default('required').meta({
    description:
      'Whether language servers run only in a sandbox. With `optional`, on a machine without one, code under review can make them read any file of yours.',
  }),
  image: z
    .string()
    .optional()
    .meta({ description: 'Container image to run in where bubblewrap does not work.' }),
})
export type SandboxSettings = z.infer<typeof SandboxSettings>

/** The section `money`: what a run may cost. US dollars. */
export const MoneySettings = z.strictObject({
  perRun: z
    .number()
    .positive()
    .default(2)
    .meta({ description: 'A run stops before it spends more; what was confirmed by then is kept.' }),
  askAbove: z
    .number()
    .nonnegative()
    .default(0.5)
    .meta({ description: 'On a terminal, a run that is estimated to cost more asks first.' }),
  unknownPrice: z
    .enum(['allow', 'refuse'])
    .default('allow')
    .meta({ description: 'What to do with a model whose price is not known, and so cannot be counted.' }),
})
export type MoneySettings = z.infer<typeof MoneySettings>

/** The section `journal`: where runs are kept, for how long, and with how much of their text. */
export const JournalSettings = z.strictObject({
  keepDays: z
    .int()
    .min(0)
    .default(30)
    .meta({ description: 'Runs older than this are removed; 0 keeps none at all.' }),
  texts: z.enum(['full', 'hashes']).default('full').meta({
    description: '`hashes` keeps no prompt and no answer: such a run can be counted, not replayed.',
  }),
  folder: z
    .string()
    .optional()
    .meta({ description: 'Where runs are kept; the user’s state folder when not given.' }),
})
export type JournalSettings = z.infer<typeof JournalSettings>

/** The section `tickets`: which tickets a change under review may point to. */
const TicketSettings = z.strictObject({
  repositories: z
    .array(z.string().refine(isRepositoryName, { error: 'must be written owner/repo' }))
    .max(100)
    .default([])
    .meta({
      description:
        'Repositories beside the reviewed one whose tickets are read, with your token, when a change points to them.',
    }),
})

/** The section `validation`: whether reviews on this machine ask language servers. */
const ValidationSettings = z.strictObject({
  servers: z.enum(['auto', 'always', 'off']).default('auto').meta({
    description: 'Unless `auto`, it wins over `validation.servers` of a repository’s configuration.',
  }),
})

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
