/** What GitHub's API has on pull requests, and those of Forgejo and Gitea after it. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { HostedRepository, ListedChange } from '../repository/contract.ts'
import { Refused, unlessRefused } from './answers.ts'
import type { Answer, HostApi } from './api.ts'
import {
  AnchorsRefused,
  type HostedChange,
  type PlannedCheck,
  type PlannedOverview,
  type PlannedReview,
  type RepositoryPlace,
} from './contract.ts'
import { hostedRepository, type ReadChange } from './hosted-change.ts'
import { statusOf } from './status.ts'

export const User = z.object({ id: z.number(), login: z.string(), type: z.string().default('User') })
export type User = z.infer<typeof User>

const Repository = z.object({
  id: z.number(),
  full_name: z.string(),
  private: z.boolean(),
  /** Of GitHub. */
  visibility: z.enum(['public', 'internal', 'private']).optional(),
  /** Of Forgejo and Gitea. */
  internal: z.boolean().default(false),
})

export const Pull = z.object({
  number: z.number(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean().default(false),
  draft: z.boolean().default(false),
  title: z.string(),
  body: z.string().nullish(),
  user: User.nullable(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  /** The repository is null when the fork was deleted. */
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ id: z.number() }).nullable(),
    user: User.nullish(),
  }),
  base: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: Repository,
  }),
  /** Of GitHub. */
  author_association: z.string().default('NONE'),
  /** Of Forgejo and Gitea. */
  merge_base: z.string().nullish(),
})
export type Pull = z.infer<typeof Pull>

export function repositoryPath(fullName: string): string {
  return `/repos/${fullName.split('/').map(encodeURIComponent).join('/')}`
}

export async function readPull(api: HostApi, number: number, signal: AbortSignal): Promise<Pull> {
  return Pull.parse(await api.get(`/pulls/${number}`, signal))
}

export function stateOf({ merged, state }: Pull): HostedChange['state'] {
  return merged ? 'merged' : state
}

export function visibilityOf(repo: Pull['base']['repo']): ReadChange['visibility'] {
  return repo.visibility ?? (repo.private ? 'private' : repo.internal ? 'internal' : 'public')
}

function repositoryWords(repo: Pull['base']['repo']) {
  return { fullName: repo.full_name, repositoryId: repo.id, visibility: visibilityOf(repo) }
}

/** `authorization`: for git. */
export async function lookUp(
  api: HostApi,
  place: RepositoryPlace,
  authorization: string | null,
  signal: AbortSignal,
): Promise<HostedRepository> {
  const found = Repository.parse(await api.get('', signal))
  return hostedRepository(place, { ...repositoryWords(found), authorization })
}

export function pullWords(pull: Pull) {
  const { number, title, draft, user, base, head } = pull
  return {
    ...{ number, title, body: pull.body ?? '', isDraft: draft, state: stateOf(pull) },
    ...{ isFork: head.repo?.id !== base.repo.id, labels: (pull.labels ?? []).map(({ name }) => name) },
    ...{ baseRef: base.ref, headRef: head.ref, base: base.sha, head: head.sha },
    ...repositoryWords(base.repo),
    authorName: user?.login ?? null,
  }
}

const Listed = z.array(
  Pull.pick({ number: true, title: true, body: true, draft: true }).extend({
    updated_at: z.string(),
    user: z.object({ login: z.string() }).nullish(),
    head: z.object({
      ref: z.string(),
      sha: z.string(),
      repo: z.object({ id: z.number() }).nullish(),
    }),
    base: z.object({ repo: z.object({ id: z.number() }) }),
  }),
)

export function readListedPulls(found: readonly unknown[]): ListedChange[] {
  return Listed.parse(found).map(({ number, head, base, updated_at: at, title, body, user, draft }) => ({
    ...{ number, head: head.sha, updatedAt: Date.parse(at), title, body: body ?? '' },
    ...{ author: user?.login ?? null, isDraft: draft },
    ...{ branch: head.ref, isFork: head.repo?.id !== base.repo.id },
  }))
}

/** What an account may do here, in the words of the host; null where this token may not ask. */
export async function readPermission(
  api: HostApi,
  login: string,
  signal: AbortSignal,
): Promise<string | null> {
  const path = `/collaborators/${encodeURIComponent(login)}/permission`
  const found = await api.get(path, signal).catch((error: unknown) => {
    if (error instanceof UserError && error.code !== 'host-unavailable') return null
    throw error
  })
  return z.object({ permission: z.string() }).safeParse(found).data?.permission ?? null
}

/** `comments`: as the host takes them; `isPlace`: whether a refusal is about the place of one of them. */
export async function postReview(
  api: HostApi,
  number: number,
  { head, body }: PlannedReview,
  comments: readonly object[],
  isPlace: (refused: Refused) => boolean,
  signal: AbortSignal,
): Promise<void> {
  try {
    const review = { commit_id: head, event: 'COMMENT', body, comments }
    await api.send('POST', `/pulls/${number}/reviews`, review, signal)
  } catch (error) {
    if (error instanceof Refused && isPlace(error) && comments.length > 0)
      throw new AnchorsRefused(error.message, { cause: error })
    throw error
  }
}

export async function putComment(
  api: HostApi,
  number: number,
  { id, body }: PlannedOverview,
  signal: AbortSignal,
): Promise<void> {
  if (id === null) await api.send('POST', `/issues/${number}/comments`, { body }, signal)
  else await api.send('PATCH', `/issues/comments/${encodeURIComponent(id)}`, { body }, signal)
}

/** Of this account on the pull request, which is the lock. */
export const lockReaction = { content: 'eyes' }

export function reactionsOf(number: number): string {
  return `/issues/${number}/reactions`
}

/** Null where the token may not. */
export async function takeLock(
  api: HostApi,
  number: number,
  signal: AbortSignal,
): Promise<(Answer & { isTaken: boolean }) | null> {
  return await unlessRefused(async () => {
    const answer = await api.ask('POST', reactionsOf(number), lockReaction, signal)
    // 200 for a reaction that this account made before.
    return { ...answer, isTaken: answer.status === 201 }
  })
}

const states = { queued: 'pending', running: 'pending', success: 'success', failure: 'failure' }

export async function putStatus(
  api: HostApi,
  check: PlannedCheck,
  { context, longest, url }: { context: string; longest: number; url: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const status = {
    ...{ ...statusOf(check, states, longest), context },
    ...(url === undefined ? {} : { target_url: url }),
  }
  await api.send('POST', `/statuses/${check.head}`, status, signal)
}
