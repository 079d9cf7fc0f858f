/** The section `trackers`: services that know what a change was asked for or what breaks in production, and what may be read in them. */
import { z } from 'zod'
import { namePart } from '../../domain/repository-name.ts'
import { variableName } from './fields.ts'

const address = z.url({ protocol: /^https?$/ })

const token = variableName.meta({ description: 'Name of the environment variable that holds the token.' })

const keys = (what: string) =>
  z
    .array(z.string().regex(/^[A-Z][A-Z0-9_]{0,19}$/i, { error: 'must be a key such as PAY' }))
    .min(1)
    .max(100)
    .meta({
      description: `Keys of the ${what} that may be read. A change cannot make Sightline read others.`,
    })

const repositories = z
  .array(z.string().regex(/^[^\s/][^/]*(?:\/[^/]+)+$/, { error: 'must be written owner/repo' }))
  .max(1000)
  .optional()
  .meta({
    description:
      'Ask this tracker for change requests of these repositories only. Default: for all reviews on this machine.',
  })

const slug = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,99}$/i)

export const TrackerSettings = z.strictObject({
  seconds: z.int().min(1).max(120).default(10).meta({ description: 'Time for each tracker.' }),
  jira: z
    .strictObject({
      url: address.meta({
        description:
          'Your site, such as `https://acme.atlassian.net`, or `https://api.atlassian.com/ex/jira/CLOUD_ID` for a token with scopes.',
      }),
      projects: keys('projects'),
      user: z.string().max(254).optional().meta({
        description:
          'Mail address of the account that the API token belongs to. Without it, the token is sent as a bearer token.',
      }),
      token,
      criteriaField: z
        .string()
        .regex(/^customfield_\d{1,10}$/)
        .optional()
        .meta({ description: 'Field with acceptance criteria, if they are not in the description.' }),
      repositories,
    })
    .optional(),
  linear: z
    .strictObject({
      url: address.default('https://api.linear.app/graphql'),
      teams: keys('teams'),
      token,
      repositories,
    })
    .optional(),
  azureBoards: z
    .strictObject({
      url: address.meta({
        description: 'Your organization or collection, such as `https://dev.azure.com/acme`.',
      }),
      projects: z
        .array(z.string().regex(namePart))
        .min(1)
        .max(100)
        .meta({ description: 'Names of the projects whose work items may be read.' }),
      token,
      repositories,
    })
    .optional(),
  sentry: z
    .strictObject({
      url: address
        .default('https://sentry.io')
        .meta({ description: 'Your own server, or the region of your organization.' }),
      organization: slug.meta({ description: 'Slug of the organization.' }),
      projects: z
        .array(slug)
        .min(1)
        .max(50)
        .meta({ description: 'Slugs of the projects whose errors may be read.' }),
      token,
      days: z.int().min(1).max(90).default(14).meta({ description: 'How far back errors are looked for.' }),
      repositories,
    })
    .optional(),
})
export type TrackerSettings = z.infer<typeof TrackerSettings>
