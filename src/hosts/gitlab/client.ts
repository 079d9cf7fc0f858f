/** GitLab's REST API for all halves. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { ActorTrust } from '../../domain/review-request.ts'
import { basicAuthorization, type HostApi, openApi } from '../remote/api.ts'
import type { HostAccess, RepositoryPlace } from '../remote/contract.ts'
import { gitlab } from './facts.ts'

/** Paths are below the project. */
export interface GitLabApi extends HostApi {
  /** The token of a CI job: it reads a handful of resources and writes nothing. */
  readonly isJob: boolean
  /** The account of the token, by its id. */
  readUser(signal: AbortSignal): Promise<number>
  /** Whether the account is a bot, as the server says. */
  isBot(userId: number, signal: AbortSignal): Promise<boolean>
  /** Of an account, by its role in the project or in a group above it. */
  readTrust(userId: number, signal: AbortSignal): Promise<ActorTrust>
  /** What follows goes to the project by its id: one that was renamed answers to its old path only when it is read. */
  useId(projectId: number): void
  /** The `Authorization` header for git; null without a token. */
  readonly gitAuthorization: string | null
}

const Member = z.object({ access_level: z.number() })
/** Levels from which a member may push, and from which one runs the project. */
const developer = 30
const maintainer = 40

export const perPage = 100

export function openGitLabApi(address: RepositoryPlace, access: HostAccess): GitLabApi {
  const { apiUrl, owner, name, repositoryId } = address
  const { token } = access
  const isJob = access.tokenName === gitlab.ci?.token
  // By a former name it is read, and not written to.
  let project = repositoryId ?? encodeURIComponent([...owner, name].join('/'))
  const credential: Record<string, string> =
    token === null ? {} : isJob ? { 'job-token': token } : { authorization: `Bearer ${token}` }
  const root = openApi({
    ...{ apiUrl, access, page: { parameter: 'per_page', size: perPage } },
    headers: async () => credential,
    rightIn({ text }) {
      const scope = /"scope":"([\w ]+)"/.exec(text)?.[1]
      return scope && `the scope ${scope}`
    },
  })
  const own = root.below(() => `/projects/${project}`)
  return {
    ...own,
    isJob,
    readUser: async (signal) => z.object({ id: z.number() }).parse(await root.get('/user', signal)).id,
    isBot: async (userId, signal) =>
      z.object({ bot: z.boolean().default(false) }).parse(await root.get(`/users/${userId}`, signal)).bot,
    async readTrust(userId, signal) {
      try {
        const { access_level: level } = Member.parse(await own.get(`/members/all/${userId}`, signal))
        if (level >= developer) return level >= maintainer ? 'owner' : 'member'
        return level > 0 ? 'contributor' : 'none'
      } catch (error) {
        if (error instanceof UserError && error.code === 'change-request-unknown') return 'none'
        throw error
      }
    },
    useId(projectId) {
      project = String(projectId)
    },
    gitAuthorization: token === null ? null : basicAuthorization(isJob ? 'gitlab-ci-token' : 'oauth2', token),
  }
}
