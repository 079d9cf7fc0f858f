/**
 * The settings of the server: one schema, from which the type, the environment variables, the reference page and the
 * checks of the example files derive. They belong to the operator; nothing in them comes from a repository.
 */

import { z } from 'zod'
import { reviewLimits } from '../../base/watchdog.ts'
import { HostKind } from '../../domain/host-kind.ts'
import { localTenant } from '../../storage/runs/registry.ts'
import { Budget, Policy, PolicyOverrides } from './policy.ts'

/** Where a secret is. The file holds no secret itself, so that it can be shown, mailed and put under version control. */
export const SecretPlace = z.union(
  [
    z.strictObject({ file: z.string().min(1) }),
    z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
  ],
  { error: 'must be `{ file: PATH }` or `{ env: NAME }`; the secret itself must not be in this file' },
)
export type SecretPlace = z.infer<typeof SecretPlace>

const secret = (description: string) =>
  SecretPlace.optional().meta({ description: `${description} \`file: PATH\` or \`env: NAME\`.` })

/** The folders of all tenants are below those of this one, which is `sightline` on a person's machine. */
const isReserved = `\`${localTenant}\` is reserved; choose another name`

const connectionName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, { error: 'must be a name of small letters, digits and hyphens' })
  .refine((name) => name !== localTenant, { error: isReserved })

/** A server of a host that sends webhooks here. */
export const Connection = z.strictObject({
  kind: HostKind.meta({ description: 'What the host runs, or the package that knows it.' }),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'Root of its web pages. Default: the public server of its kind.' }),
  apiUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description:
        'Root of its API. Default: that of the public server, or where a server of this kind has it, below `url`.',
    }),
  tenant: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .refine((name) => name !== localTenant, { error: isReserved })
    .optional()
    .meta({
      description:
        'Tenant that owns everything of this connection. Default: with a GitHub App each account that installs it is a tenant; otherwise the name of the connection.',
    }),
  appId: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional()
    .meta({
      description: 'GitHub: id of an App that exists already. Without it, `/setup` creates one.',
    }),
  appKey: secret('GitHub: private key (PEM) of that App.'),
  token: secret('Token that reads and comments; on GitHub in place of an App.'),
  webhookSecret: secret('Secret that signs its webhooks, or comes with them.'),
  previousWebhookSecret: secret('Accepted as well while a secret is being replaced.'),
  repositories: z
    .array(z.string().min(1).max(300))
    .max(1000)
    .default(['**'])
    .meta({ description: 'Globs of repositories (`owner/name`) to review; `!` in front excludes.' }),
})
export type Connection = z.infer<typeof Connection>

/** A role from a claim, where no host of code says what a person may do. */
export const ClaimRole = z.strictObject({
  value: z
    .string()
    .min(1)
    .max(300)
    .meta({ description: 'A value of the claim, such as the name of a group.' }),
  tenant: z.string().min(1).max(120).meta({ description: 'Tenant that it gives access to.' }),
  role: z.enum(['viewer', 'reviewer', 'admin']).meta({ description: 'What it allows there.' }),
  repositories: z
    .array(z.string().min(1).max(300))
    .max(1000)
    .optional()
    .meta({ description: 'Globs of repositories (`owner/name`). Default: all of the tenant.' }),
})
export type ClaimRole = z.infer<typeof ClaimRole>

/** A server that people sign in with. */
export const SignInProvider = z.strictObject({
  kind: z.enum(['github', 'gitlab', 'oidc']).meta({ description: 'How it is asked who somebody is.' }),
  title: z.string().min(1).max(60).optional().meta({ description: 'What the sign-in page calls it.' }),
  connection: connectionName.optional().meta({
    description:
      'GitHub, GitLab: the connection whose people sign in. They may do with its repositories what the host lets them do. Default: the name of the provider.',
  }),
  issuer: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'OIDC: the issuer, exactly as it writes itself in its tokens.' }),
  clientId: z
    .string()
    .min(1)
    .max(300)
    .meta({ description: 'Client id of the application, or of the GitHub App.' }),
  clientSecret: secret('Client secret.'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/))
    .max(20)
    .default([])
    .meta({
      description: 'OIDC: scopes besides `openid` and `profile`, such as `groups` or `offline_access`.',
    }),
  claim: z.string().min(1).max(200).default('groups').meta({
    description: 'OIDC: the claim that roles are taken from: a text or a list of texts.',
  }),
  roles: z
    .array(ClaimRole)
    .max(1000)
    .default([])
    .meta({ description: 'OIDC: which values give which roles.' }),
})
export type SignInProvider = z.infer<typeof SignInProvider>

const RepositoryRules = z.strictObject({
  enabled: z.boolean().default(true).meta({ description: 'Whether this repository is reviewed.' }),
  policy: PolicyOverrides.prefault({}),
  budget: Budget.prefault({}),
})

const Tenant = z.strictObject({
  policy: PolicyOverrides.prefault({}),
  budget: Budget.prefault({}),
  repositories: z.record(z.string().min(1).max(300), RepositoryRules).default({}),
})

export const ServerSettings = z.strictObject({
  role: z.enum(['all', 'web', 'worker']).default('all').meta({
    description:
      'What this process does: `web` takes webhooks in, `worker` reviews, `all` does both. More than one process needs PostgreSQL.',
  }),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description:
        'Public address of this server, as hosts and browsers reach it. Required to create a GitHub App.',
    }),
  listen: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1').meta({
        description: 'Address to listen on. `0.0.0.0` listens on all; put a TLS proxy in front.',
      }),
      port: z.int().min(0).max(65_535).default(8080).meta({ description: 'Port; 0 picks a free one.' }),
      proxies: z.int().min(0).max(5).default(0).meta({
        description:
          'Number of proxies in front whose `X-Forwarded-For` is believed, so that limits apply to each sender.',
      }),
    })
    .prefault({}),
  dataFolder: z.string().startsWith('/').optional().meta({
    description:
      'Absolute path of the folder for the embedded database, keys, mirrors and records. Default: `sightline/server` in the state folder of the user.',
  }),
  databaseUrl: secret(
    'Address of a PostgreSQL database (15 or newer). Without it, the embedded database in `dataFolder` is used.',
  ),
  secretKey: secret(
    'Key that encrypts stored secrets, at least 32 characters. Default: a key file in `dataFolder`, made at the first start. Required with several machines.',
  ),
  adminToken: secret(
    'Token for `/setup` and `/api/v1/operator`, at least 32 characters. Default: a file in `dataFolder`, made at the first start.',
  ),
  metricsToken: secret('If set, `/metrics` requires it as a bearer token.'),
  connections: z
    .record(connectionName, Connection)
    .default({ github: Connection.parse({ kind: 'github' }) })
    .meta({ description: 'The hosts that send webhooks, by a name that you choose.' }),
  signIn: z
    .strictObject({
      providers: z
        .record(connectionName, SignInProvider)
        .default({})
        .meta({ description: 'Whom people sign in with, by a name that is part of the redirect address.' }),
      hours: z.int().min(1).max(720).default(12).meta({
        description: 'A session ends after this many hours, even in use.',
      }),
      idleMinutes: z.int().min(1).max(10_080).default(120).meta({
        description: 'A session that is not used for this many minutes ends.',
      }),
      recheckMinutes: z.int().min(1).max(1440).default(10).meta({
        description: 'How long it is believed what a person may do; then the provider is asked again.',
      }),
    })
    .prefault({}),
  policy: Policy.prefault({}),
  budget: Budget.prefault({}),
  tenants: z.record(z.string().min(1).max(120), Tenant).default({}),
  intake: z
    .strictObject({
      bodyBytes: z.int().min(1024).max(26_214_400).default(5_242_880).meta({
        description:
          'Largest webhook that is accepted, in bytes. Missed changes are found by the reconciler.',
      }),
      perSecond: z.int().min(1).max(100_000).default(2000).meta({
        description: 'Webhooks accepted from one connection per second; more get status 429.',
      }),
      strangersPerMinute: z.int().min(1).max(100_000).default(300).meta({
        description: 'Requests refused from one address per minute before it gets status 429.',
      }),
      replayHours: z.int().min(1).max(720).default(96).meta({
        description: 'Webhooks about events older than this are refused. Hosts redeliver for three days.',
      }),
      reconcileMinutes: z.int().min(1).max(60).default(10).meta({
        description: 'How often open changes and failed deliveries are compared with what arrived.',
      }),
      commandsPerHour: z.int().min(1).max(1000).default(20).meta({
        description: 'Commands that one person may give in one repository per hour.',
      }),
    })
    .prefault({}),
  workers: z
    .strictObject({
      slots: z.int().min(1).max(256).optional().meta({
        description: 'Reviews that one worker process runs at a time. Default: four for each processor.',
      }),
      memoryMb: z.int().min(256).max(65_536).default(reviewLimits.megabytes).meta({
        description: 'Memory limit of one review in MB; beyond it, the review is killed and reported.',
      }),
      minutes: z.int().min(1).max(1440).default(reviewLimits.minutes).meta({
        description: 'Time limit of one review in minutes.',
      }),
      cpuMinutes: z.int().min(1).max(1440).default(reviewLimits.cpuMinutes).meta({
        description: 'Processor time that one review may use, in minutes.',
      }),
      sandbox: z.enum(['required', 'optional']).default('optional').meta({
        description:
          'Whether a worker refuses to start without a sandbox. With `optional`, it reports so and runs without language servers.',
      }),
    })
    .prefault({}),
  retentionDays: z.int().min(1).max(3650).default(30).meta({
    description:
      'Ended reviews and their runs are deleted after this many days; what was spent and the ids of deliveries, after 32 and 31 at least.',
  }),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info').meta({
    description: 'Least important level to log. Logs are JSON lines on standard error.',
  }),
  shutdownSeconds: z.int().min(1).max(600).default(20).meta({
    description: 'After SIGTERM, how long running requests may take; reviews are handed over at once.',
  }),
})
export type ServerSettings = z.infer<typeof ServerSettings>
