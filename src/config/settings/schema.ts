/**
 * The operator's settings: what belongs to the machine and its user, and never to a repository. Providers, keys (by the
 * name of their environment variable), prices, programs to start. Large sections have a file each; `load.ts` finds and reads the settings.
 */
import { z } from 'zod'
import { isRepositoryName } from '../../domain/repository-name.ts'
import { EmbeddingSettings, RerankSettings } from './embedding.ts'
import { HostSettings } from './hosts.ts'
import { LanguageServerSettings } from './language-servers.ts'
import { LinterSettings } from './linters.ts'
import { McpSettings } from './mcp.ts'
import { ModelSettings } from './models.ts'
import { RepositorySettings } from './repositories.ts'
import { TelemetrySettings } from './telemetry.ts'
import { TrackerSettings } from './trackers.ts'
import { WorkspaceSettings } from './workspace.ts'

const TestCommand = z.strictObject({
  command: z
    .array(z.string().min(1))
    .min(1)
    .meta({ description: 'Program and arguments. No shell is used.' }),
  seconds: z.int().min(1).max(1800).default(120),
})

/** The section `sandbox`: what of reviewed code may run in one, and whether language servers need one. */
export const SandboxSettings = z.strictObject({
  tests: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/), TestCommand)
    .default({})
    .meta({ description: 'Test commands by name. Without any, models cannot run tests.' }),
  prove: z
    .strictObject({
      allow: z.boolean().default(false).meta({
        description:
          'Whether `sightline prove` may run tests of reviewed code, in a sandbox without network, with the packages that are installed in your checkout.',
      }),
      seconds: z.int().min(1).max(600).default(60).meta({ description: 'Time limit for one run of a test.' }),
      inReviews: z.boolean().default(false).meta({
        description:
          'Whether a review does this by itself for its most important findings. `allow` must be true, too.',
      }),
      findings: z.int().min(1).max(20).default(3).meta({ description: 'How many findings of a review.' }),
      reviewSeconds: z.int().min(1).max(3600).default(300).meta({
        description: 'Time limit for all tests of a review, with the model that writes them.',
      }),
      mutants: z.int().min(0).max(1000).default(0).meta({
        description:
          'How many runs of tests a review at depth deep may use to find changed lines that no test checks; 0 for none. `allow` must be true, too.',
      }),
      mutantSeconds: z
        .int()
        .min(1)
        .max(3600)
        .default(300)
        .meta({ description: 'Time limit for these runs.' }),
    })
    .prefault({}),
  readOnlyPaths: z
    .array(z.string().startsWith('/'))
    .default([])
    .meta({ description: 'Absolute paths of folders that tests can read, such as a toolchain.' }),
  memoryMb: z.int().min(64).max(65_536).default(1024),
  languageServers: z.enum(['required', 'optional']).default('required').meta({
    description:
      'Whether language servers run only in a sandbox. With `optional`, on a machine without a sandbox, reviewed code can make them read any of your files.',
  }),
  image: z.string().optional().meta({ description: 'Container image to use if bubblewrap does not work.' }),
})
export type SandboxSettings = z.infer<typeof SandboxSettings>

/** The section `money`: what a run may cost. US dollars. */
export const MoneySettings = z.strictObject({
  perRun: z.number().positive().default(2).meta({
    description: 'Spending limit per run. A run stops before it exceeds the limit and keeps its findings.',
  }),
  askAbove: z
    .number()
    .nonnegative()
    .default(0.5)
    .meta({ description: 'At a terminal, ask for confirmation if the estimate is higher than this.' }),
  unknownPrice: z
    .enum(['allow', 'refuse'])
    .default('allow')
    .meta({ description: 'What to do with a model whose price is unknown and cannot be counted.' }),
})
export type MoneySettings = z.infer<typeof MoneySettings>

/** The section `journal`: where runs are kept, for how long, and with how much of their text. */
export const JournalSettings = z.strictObject({
  keepDays: z.int().min(0).default(30).meta({ description: 'Delete runs older than this; 0 records none.' }),
  texts: z.enum(['full', 'hashes']).default('full').meta({
    description:
      '`hashes` stores neither prompts nor answers; such a run counts in statistics but cannot be replayed.',
  }),
  folder: z
    .string()
    .optional()
    .meta({ description: 'Folder for runs. Default: the state folder of the user.' }),
  store: z
    .union([
      z.literal('files'),
      z.string().regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*\/?$/),
    ])
    .default('files')
    .meta({ description: '`files`, or an S3-compatible bucket: `s3://BUCKET/PREFIX`.' }),
  s3: z
    .strictObject({
      region: z.string().min(1).optional().meta({
        description: 'Region of the bucket. Default: from the environment or the AWS profile.',
      }),
      endpoint: z.url().optional().meta({ description: 'Address of an S3 server other than AWS.' }),
      pathStyle: z.boolean().default(false).meta({
        description: 'Put the bucket name in the path, not in the host name. Most other servers need this.',
      }),
    })
    .prefault({})
    .meta({ description: 'Access to the bucket. Keys come from the environment or the AWS profile.' }),
})
export type JournalSettings = z.infer<typeof JournalSettings>

/** The section `tickets`: which tickets a change under review may point to. */
const TicketSettings = z.strictObject({
  repositories: z
    .array(z.string().refine(isRepositoryName, { error: 'must be written owner/repo' }))
    .max(100)
    .default([])
    .meta({
      description: 'Other repositories whose tickets may be read with your token if a change mentions them.',
    }),
})

/** The section `validation`: whether reviews on this machine ask language servers. */
const ValidationSettings = z.strictObject({
  servers: z.enum(['auto', 'always', 'off']).default('auto').meta({
    description: 'Overrides `validation.servers` of a repository unless it is `auto`.',
  }),
})

/** The section `index`: what may be done so that the next runs are faster. */
const IndexSettings = z.strictObject({
  background: z.boolean().default(false).meta({
    description:
      'After a report, index the reviewed commit in a background process: low priority, one at a time, 30 minutes at most.',
  }),
})

/** The section `memory`: what reviews may know about the author of a change. */
const MemorySettings = z.strictObject({
  developers: z.boolean().default(true).meta({
    description:
      'Show models what became of the earlier changes by the author of a change, in the same folders. Never shown by person elsewhere.',
  }),
  withoutDevelopers: z
    .array(z.string().min(1).max(300))
    .max(10_000)
    .default([])
    .meta({ description: 'Email addresses or names of people about whom nothing of this is read.' }),
})
export type MemorySettings = z.infer<typeof MemorySettings>

export const Settings = z.strictObject({
  $schema: z.string().optional(),
  models: ModelSettings.prefault({}),
  money: MoneySettings.prefault({}),
  embedding: EmbeddingSettings,
  rerank: RerankSettings,
  languageServers: LanguageServerSettings,
  linters: LinterSettings,
  validation: ValidationSettings.prefault({}),
  index: IndexSettings.prefault({}),
  journal: JournalSettings.prefault({}),
  sandbox: SandboxSettings.prefault({}),
  memory: MemorySettings.prefault({}),
  repositories: RepositorySettings.prefault({}),
  workspace: WorkspaceSettings.prefault({}),
  tickets: TicketSettings.prefault({}),
  trackers: TrackerSettings.prefault({}),
  mcp: McpSettings.prefault({}),
  telemetry: TelemetrySettings.prefault({}),
  hosts: HostSettings,
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = Settings.parse({})
