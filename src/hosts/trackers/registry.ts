/** Which trackers there are, opened as the operator's settings say. */
import type { TrackerSettings } from '../../config/settings/trackers.ts'
import { isSameRepository } from '../../domain/repository-name.ts'
import { basicAuthorization } from '../remote/api.ts'
import { createAzureBoards } from './azure-boards.ts'
import type { Trackers } from './contract.ts'
import { createJira } from './jira.ts'
import { createLinear } from './linear.ts'
import { createSentry } from './sentry.ts'

export type TrackerPlace = {
  /** Where tokens are looked for. */
  environment: NodeJS.ProcessEnv
  /** What the repository under review is called: `owner/repo`, `host/owner/repo`; nothing for one of this machine. */
  repository: readonly string[]
  fetch: typeof globalThis.fetch
}

export type OpenedTrackers = Trackers & {
  /** Why one that the settings name is not asked, in a sentence each. */
  limits: readonly string[]
}

/** Asks nothing yet. */
export function openTrackers(
  { seconds, jira, linear, azureBoards, sentry }: TrackerSettings,
  { environment, repository, fetch }: TrackerPlace,
): OpenedTrackers {
  const limits: string[] = []
  const open = <Service extends Served, Opened>(
    name: string,
    service: Service | undefined,
    create: (service: Service, access: Common, token: string) => Opened,
  ): Opened[] => {
    if (!service || !isFor(service, repository)) return []
    const token = environment[service.token]
    if (!token) {
      limits.push(`${name} was not asked: the environment variable ${service.token} is not set`)
      return []
    }
    return [create(service, { name, url: service.url, tokenName: service.token, fetch }, token)]
  }
  const tickets = [
    ...open('Jira', jira, ({ projects, user, criteriaField = null }, access, token) =>
      createJira({
        ...access,
        projects,
        criteriaField,
        headers: {
          authorization: user ? basicAuthorization(user, token) : `Bearer ${token}`,
        },
      }),
    ),
    ...open('Linear', linear, ({ teams }, access, token) =>
      createLinear({
        ...access,
        teams,
        // Only tokens of OAuth are bearer tokens; a key of a person goes as it is.
        headers: { authorization: token.startsWith('lin_api_') ? token : `Bearer ${token}` },
      }),
    ),
    ...open('Azure Boards', azureBoards, ({ projects }, access, token) =>
      createAzureBoards({ ...access, projects, token }),
    ),
  ]
  const [errors = null] = open('Sentry', sentry, ({ organization, projects, days }, access, token) =>
    createSentry({
      ...access,
      organization,
      projects,
      days,
      headers: { authorization: `Bearer ${token}` },
    }),
  )
  return { tickets, errors, seconds, limits }
}

/**
 * Only those that name this repository, as `host/owner/repo`: a server has many tenants, and on another host the same name
 * may belong to anybody.
 */
export function trackersFor(
  { jira, linear, azureBoards, sentry, seconds }: TrackerSettings,
  repository: string,
): TrackerSettings {
  const mine = <Service extends Served>(service: Service | undefined) =>
    service?.repositories && isFor(service, [repository]) ? service : undefined
  return {
    seconds,
    ...{ jira: mine(jira), linear: mine(linear) },
    ...{ azureBoards: mine(azureBoards), sentry: mine(sentry) },
  }
}

/** The variables with tokens of trackers. */
export function trackerTokens({ jira, linear, azureBoards, sentry }: TrackerSettings): string[] {
  return [jira, linear, azureBoards, sentry].flatMap((service) => service?.token ?? [])
}

type Served = { url: string; token: string; repositories?: readonly string[] | undefined }
type Common = { name: string; url: string; tokenName: string; fetch: typeof globalThis.fetch }

function isFor({ repositories }: Served, names: readonly string[]): boolean {
  return !repositories || repositories.some((one) => names.some((name) => isSameRepository(one, name)))
}
