/** The REST API of Forgejo and Gitea for all halves. */
import { z } from 'zod'
import type { ActorTrust } from '../../domain/review-request.ts'
import { basicAuthorization, type HostApi, openApi } from '../remote/api.ts'
import type { HostAccess, RepositoryPlace } from '../remote/contract.ts'
import { readPermission, repositoryPath } from '../remote/pull-requests.ts'

/** Paths are below the repository. */
export interface ForgejoApi extends HostApi {
  /** The account of the token, by its id. */
  readUser(signal: AbortSignal): Promise<number>
  /** Of an account. Only the administrators of a repository may ask about others: `unknown` for all else. */
  readTrust(login: string, signal: AbortSignal): Promise<ActorTrust>
  /** What follows goes to this name: a renamed repository answers to its old one only when it is read. */
  useName(fullName: string): void
  /** The `Authorization` header for git; null without a token. */
  readonly gitAuthorization: string | null
}

/** What most servers give at most. */
export const perPage = 50

const trustWords: Readonly<Record<string, ActorTrust>> = {
  owner: 'owner',
  admin: 'owner',
  write: 'member',
  read: 'none',
  none: 'none',
}

export function openForgejoApi({ apiUrl, owner, name }: RepositoryPlace, access: HostAccess): ForgejoApi {
  const { token } = access
  let fullName = [...owner, name].join('/')
  const headers: Record<string, string> = token === null ? {} : { authorization: `token ${token}` }
  const page = { parameter: 'limit', size: perPage, mayBeShort: true }
  const root = openApi({ apiUrl, access, page, headers: async () => headers })
  const own = root.below(() => repositoryPath(fullName))
  return {
    ...own,
    readUser: async (signal) => z.object({ id: z.number() }).parse(await root.get('/user', signal)).id,
    readTrust: async (login, signal) =>
      trustWords[(await readPermission(own, login, signal)) ?? ''] ?? 'unknown',
    useName(now) {
      fullName = now
    },
    gitAuthorization: token === null ? null : basicAuthorization('sightline', token),
  }
}
