/** What the reader of any host makes of its answers: one form for the change request, its people and what was said of it. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { partsOf } from '../../domain/repository-name.ts'
import { type Actor, ChangeRequest, RepositoryIdentity } from '../../domain/review-request.ts'
import type { DiscussionEntry } from '../../domain/ticket.ts'
import type { HostedRepository } from '../repository/contract.ts'
import { type ChangeAddress, type HostedChange, markerStart, type RepositoryPlace } from './contract.ts'
import { gitUrlOf, headRefOf, pageOf } from './facts.ts'

/** People of whom is asked what they may do. */
export const mostPeople = 20
const longestBody = 4_000
const mostEntries = 200

/** In the words of the host, apart from what all have alike. */
export type ReadChange = Pick<
  HostedChange,
  'state' | 'title' | 'body' | 'head' | 'base' | 'mergeBase' | 'limits'
> &
  Pick<
    z.input<typeof ChangeRequest>,
    'number' | 'isDraft' | 'isFork' | 'baseRef' | 'headRef' | 'labels' | 'linkedIssues'
  > & {
    /** As it is called now, which may be another name than in the address. */
    fullName: string
    repositoryId: number | string
    visibility: RepositoryIdentity['visibility']
    author: Actor
    /** Null for an account that was deleted. */
    authorName: string | null
    /** The author may be among them. */
    people: readonly Actor[]
    authorization: string | null
    /** For a host whose data have no `headRef`. */
    headReference?: string
    /** Owner and name of the fork that alone has the head. */
    fork?: string | null
    discussion: readonly DiscussionEntry[]
  }

/** Throws `host-unavailable` when the host's answer does not make a change request. */
export function hostedChange(address: ChangeAddress, read: ReadChange): HostedChange {
  const { number, isDraft, isFork, baseRef, headRef, labels, linkedIssues, author } = read
  const { state, title, body, head, base, mergeBase, limits } = read
  const now = { ...address, ...partsOf(read.fullName), number }
  const changeRequest = ChangeRequest.safeParse({
    ...{ number, url: pageOf(now), isDraft, isFork, baseRef, headRef, labels, linkedIssues, author },
    participants: read.people.filter(({ id }) => id !== author.id),
  })
  const repository = RepositoryIdentity.safeParse(identityOf(address, read))
  const fork = ForkName.nullish().safeParse(read.fork?.split('/'))
  if (!changeRequest.success || !repository.success || !fork.success)
    throw new UserError('host-unavailable', 'its answer on the change request cannot be understood', {
      cause: changeRequest.error ?? repository.error ?? fork.error,
    })
  return {
    ...{ changeRequest: changeRequest.data, repository: repository.data },
    ...{ state, title, body, author: read.authorName, head, base, mergeBase, limits },
    fetch: {
      url: gitUrlOf(now),
      forkUrl: fork.data ? gitUrlOf({ ...now, ...fork.data }) : null,
      authorization: read.authorization,
      headRef: headRefOf(now) ?? read.headReference ?? `refs/heads/${headRef}`,
      baseRef: `refs/heads/${baseRef}`,
    },
    discussion: read.discussion
      // A stranger who writes our marker only keeps the own comment out.
      .filter((entry) => entry.body.trim() !== '' && !entry.body.includes(markerStart))
      .slice(0, mostEntries)
      .map((entry) => ({ ...entry, body: entry.body.slice(0, longestBody) })),
  }
}

function identityOf(
  { host }: RepositoryPlace,
  { fullName, repositoryId, visibility }: Pick<ReadChange, 'fullName' | 'repositoryId' | 'visibility'>,
): z.input<typeof RepositoryIdentity> {
  return { host, id: String(repositoryId), ...partsOf(fullName), visibility }
}

/** Throws `host-unavailable` when the host's answer does not make a repository. */
export function hostedRepository(
  place: RepositoryPlace,
  read: Pick<ReadChange, 'fullName' | 'repositoryId' | 'visibility' | 'authorization'>,
): HostedRepository {
  const { data: repository, error } = RepositoryIdentity.safeParse(identityOf(place, read))
  if (!repository)
    throw new UserError('host-unavailable', 'its answer on the repository cannot be understood', {
      cause: error,
    })
  const { owner, name } = repository
  const { authorization } = read
  return { repository, fetch: { url: gitUrlOf({ ...place, owner, name }), authorization } }
}

const PathName = RepositoryIdentity.shape.name
const ForkName = z.tuple([PathName, PathName]).transform(([owner, name]) => ({ owner: [owner], name }))

/** By what the account may do here. */
export function associationOf(actor: Actor | undefined): DiscussionEntry['association'] {
  if (!actor || actor.trust === 'unknown') return 'unknown'
  if (actor.isBot) return 'bot'
  if (actor.trust === 'owner' || actor.trust === 'member' || actor.trust === 'contributor') return actor.trust
  return 'stranger'
}

export function byId<User extends { id: number | string }>(users: readonly User[]): User[] {
  return [...new Map(users.map((user) => [user.id, user])).values()]
}
