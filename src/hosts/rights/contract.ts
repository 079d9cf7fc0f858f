/** What a token may do on a host, as far as the host tells: which rights it should have, what for, and which it lacks. */
import { UserError } from '../../base/errors.ts'
import type { HostAccess } from '../remote/contract.ts'

export type Right = {
  /** As the host calls it: `scope api`. */
  right: string
  isFor: string
  without: string
}

export type MissingRight = Pick<Right, 'right' | 'without'>

export type RightsPlace = {
  apiUrl: string
  /** `owner/name`; what the account lacks there is named. */
  repositories: readonly string[]
}

export type TokenAccess = Pick<HostAccess, 'fetch'> & { token: string }

export interface TokenRights {
  readonly needed: readonly Right[]
  /** Throws `host-refused` for a token that is not valid, `host-unavailable`. */
  readMissing(place: RightsPlace, access: TokenAccess, signal: AbortSignal): Promise<MissingRight[]>
}

export type Told = { status: number; headers: Headers; body: unknown }

/** Reads paths of this host. Throws `host-refused` for status 401, `host-unavailable` for what is neither an answer nor a refusal. */
export function openAsk(
  { apiUrl }: RightsPlace,
  { fetch }: TokenAccess,
  own: Readonly<Record<string, string>>,
  signal: AbortSignal,
): (path: string) => Promise<Told> {
  const headers = { accept: 'application/json', 'user-agent': 'sightline', ...own }
  return async (path) => {
    const answer = await fetch(`${apiUrl}${path}`, { headers, redirect: 'manual', signal })
    const { status } = answer
    if (status === 401) throw new UserError('host-refused', 'the token is not valid, or has expired')
    const text = await answer.text()
    if (!answer.ok && status !== 403 && status !== 404)
      throw new UserError('host-unavailable', `${new URL(apiUrl).pathname}${path}: status ${status}`)
    return { status, headers: answer.headers, body: parsed(text) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Without it, nothing of a repository is seen. */
export const accountAccess: Right = {
  right: 'access of the account',
  isFor: 'reading the repository',
  without: 'it cannot be reviewed',
}

export const withoutRoles = 'commands in comments are ignored, and every author counts as a newcomer'

/** Where the host tells the roles of people to administrators alone. */
export const administrator: Right = {
  right: 'account as an administrator',
  isFor: 'the roles of people, which only administrators learn',
  without: withoutRoles,
}

/** What `lacksIn` finds in each of them. */
export async function missingIn(
  { repositories }: Pick<RightsPlace, 'repositories'>,
  lacksIn: (where: string) => Promise<readonly Right[]>,
): Promise<{ right: Right; where: string }[]> {
  const found = repositories.map(async (where) => (await lacksIn(where)).map((right) => ({ right, where })))
  return (await Promise.all(found)).flat()
}

/** Each once, in their order; `where` names the repositories that it is missing in. */
export function missingRights(
  ofToken: readonly Right[],
  ofAccount: readonly { right: Right; where: string }[] = [],
): MissingRight[] {
  const inRepositories = [...Map.groupBy(ofAccount, ({ right }) => right)]
  return [
    ...ofToken.map(({ right, without }) => ({ right, without })),
    ...inRepositories.map(([{ right, without }, places]) => ({
      right: `${right} in ${places.map(({ where }) => where).join(', ')}`,
      without,
    })),
  ]
}
