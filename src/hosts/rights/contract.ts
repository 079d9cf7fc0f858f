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

/** One read, with headers of this host. Throws `host-refused` for status 401, `host-unavailable` for what is neither an answer nor a refusal. */
export async function askHost(
  url: string,
  own: Readonly<Record<string, string>>,
  { fetch }: Pick<HostAccess, 'fetch'>,
  signal: AbortSignal,
): Promise<Told> {
  const headers = { accept: 'application/json', 'user-agent': 'sightline', ...own }
  const answer = await fetch(url, { headers, redirect: 'manual', signal })
  const { status } = answer
  if (status === 401) throw new UserError('host-refused', 'the token is not valid, or has expired')
  const text = await answer.text()
  if (!answer.ok && status !== 403 && status !== 404)
    throw new UserError('host-unavailable', `${new URL(url).pathname}: status ${status}`)
  return { status, headers: answer.headers, body: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Each once, in their order; `where` names the repositories that it is missing in. */
export function missingIn(found: readonly { right: Right; where: string | null }[]): MissingRight[] {
  return [...Map.groupBy(found, ({ right }) => right)].map(([{ right, without }, places]) => {
    const names = places.flatMap(({ where }) => where ?? [])
    return { right: names.length > 0 ? `${right} in ${names.join(', ')}` : right, without }
  })
}
