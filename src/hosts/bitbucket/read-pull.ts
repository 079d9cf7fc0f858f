/** The collector's half: a pull request with its words and people, as Bitbucket Cloud has them now. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor } from '../../domain/review-request.ts'
import { openAttempts } from '../remote/answers.ts'
import { withQuery } from '../remote/api.ts'
import type { ChangeAddress, ChangeReader, HostAccess } from '../remote/contract.ts'
import { associationOf, hostedChange, mostPeople } from '../remote/hosted-change.ts'
import { type BitbucketApi, Id, openBitbucketApi, personOf, User } from './client.ts'

export const Repository = z.object({ uuid: Id, full_name: z.string() })
/** A commit has twelve digits here. */
const End = z.object({
  branch: z.object({ name: z.string() }),
  commit: z.object({ hash: z.string() }).nullish(),
  /** Null when the fork was deleted, or may not be seen. */
  repository: Repository.nullish(),
})

export const Pull = z.object({
  id: z.int().positive(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.enum(['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']),
  draft: z.boolean().default(false),
  author: User.nullish(),
  updated_on: z.string(),
  source: End,
  destination: End.extend({ commit: z.object({ hash: z.string() }), repository: Repository }),
})
export type Pull = z.infer<typeof Pull>

export const states = { OPEN: 'open', MERGED: 'merged', DECLINED: 'closed', SUPERSEDED: 'closed' } as const

export function openPullReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openBitbucketApi(address, access)
  return {
    readHead: async (signal) => (await readPull(api, address, signal)).head,
    async read(signal) {
      const [{ pull, head }, visibility] = await Promise.all([
        readPull(api, address, signal),
        readVisibility(api, signal),
      ])
      const { source, destination } = pull
      const { attempt, limits } = openAttempts(signal)
      const [base, comments] = await Promise.all([
        readCommit(api, destination.commit.hash, signal),
        attempt('the discussion', [], () => api.readComments(pull.id, { pages: 5 }, signal)),
      ])
      const users = [pull.author, ...comments.map(({ user }) => user)].filter((user) => user != null)
      const known = [...new Map(users.map((user) => [user.uuid, user])).values()]
      const people = await Promise.all(known.slice(0, mostPeople).map((user) => api.readActor(user, signal)))
      const actorOf = (user: User | null | undefined) => people.find(({ id }) => id === user?.uuid)
      const isFork = source.repository?.uuid !== destination.repository.uuid
      return hostedChange(address, {
        ...{ number: pull.id, title: pull.title, body: pull.description ?? '', state: states[pull.state] },
        ...{ isDraft: pull.draft, isFork, labels: [], linkedIssues: [], mergeBase: null, head, base },
        ...{ baseRef: destination.branch.name, headRef: source.branch.name, visibility, people },
        ...{ fullName: destination.repository.full_name, repositoryId: destination.repository.uuid },
        ...{ author: actorOf(pull.author) ?? formerUser, authorName: pull.author?.display_name ?? null },
        ...{ authorization: api.gitAuthorization, fork: isFork ? forkOf(pull) : null, limits: limits() },
        discussion: comments.map(({ user, inline, content, resolution }) => ({
          author: user ? personOf(user).login : formerUser.login,
          association: associationOf(actorOf(user)),
          ...{ path: inline?.path ?? null, line: inline?.to ?? inline?.from ?? null },
          ...{ body: content, resolved: Boolean(resolution) },
        })),
      })
    },
  }
}

/** For an account that was deleted. */
const formerUser = Actor.parse({ id: '0', login: 'Former user', isBot: false, trust: 'unknown' })

const Hashes = z.object({ values: z.array(z.object({ hash: z.string() })) })

/** `head`: the whole id of the newest commit. Throws `head-moved` while the host shows a commit that its list does not have yet. */
export async function readPull(
  api: BitbucketApi,
  { number }: Pick<ChangeAddress, 'number'>,
  signal: AbortSignal,
): Promise<{ pull: Pull; head: string }> {
  const pull = Pull.parse(await api.get(`/pullrequests/${number}`, signal))
  const short = pull.source.commit?.hash
  if (short === undefined)
    throw new UserError('host-unavailable', 'the branch of the pull request was deleted')
  const path = withQuery(`/pullrequests/${number}/commits`, { pagelen: 1 })
  const [newest] = Hashes.parse(await api.get(path, signal)).values
  if (newest?.hash.startsWith(short)) return { pull, head: newest.hash }
  throw new UserError('head-moved', `its newest commit is not ${short}`)
}

async function readCommit(api: BitbucketApi, short: string, signal: AbortSignal): Promise<string> {
  const found = await api.get(`/commit/${encodeURIComponent(short)}`, signal)
  return z.object({ hash: z.string() }).parse(found).hash
}

/** What cannot be looked up is not public. */
export async function readVisibility(api: BitbucketApi, signal: AbortSignal): Promise<'public' | 'private'> {
  const found = z.object({ is_private: z.boolean().default(true) }).parse(await api.get('', signal))
  return found.is_private ? 'private' : 'public'
}

/** Bitbucket Cloud keeps the commits of a fork in the fork alone. */
function forkOf({ source: { repository } }: Pull): string {
  if (repository) return repository.full_name
  throw new UserError(
    'host-unavailable',
    'its fork was deleted or may not be seen, and Bitbucket Cloud keeps the commits of a fork nowhere else',
  )
}
