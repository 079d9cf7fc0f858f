/** The collector's half: a pull request with its words and people, as GitHub has them now. */
import { z } from 'zod'
import { Actor, type ActorTrust } from '../../domain/review-request.ts'
import type { DiscussionEntry } from '../../domain/ticket.ts'
import { identityOf, openAttempts } from '../remote/answers.ts'
import type { ChangeAddress, ChangeReader, HostAccess, HostedChange } from '../remote/contract.ts'
import { markerStart } from '../remote/contract.ts'
import { type GitHubApi, openGitHubApi } from './client.ts'

const User = z.object({ id: z.number(), login: z.string(), type: z.string().default('User') })
const Association = z.string().default('NONE')

const Pull = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean().default(false),
  draft: z.boolean().default(false),
  title: z.string(),
  body: z.string().nullable(),
  user: User.nullable(),
  author_association: Association,
  labels: z.array(z.object({ name: z.string() })).default([]),
  /** Null when the fork was deleted. */
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ id: z.number() }).nullable(),
    user: User.nullish(),
  }),
  base: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({
      id: z.number(),
      name: z.string(),
      owner: z.object({ login: z.string() }),
      private: z.boolean(),
      visibility: z.enum(['public', 'internal', 'private']).optional(),
    }),
  }),
})

const Comment = z.object({
  body: z.string().nullable(),
  user: User.nullable(),
  author_association: Association,
  created_at: z.string().optional(),
  submitted_at: z.string().optional(),
})

const Commit = z.object({ author: User.nullish(), committer: User.nullish() })

/** Comments on lines with what only GraphQL knows: whether a thread is resolved, and which comments are ours. */
const discussionQuery = `query Discussion($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      closingIssuesReferences(first: 20) { nodes { number repository { nameWithOwner } } }
      reviewThreads(first: 100) {
        nodes {
          isResolved path line
          comments(first: 20) {
            nodes { body viewerDidAuthor authorAssociation createdAt author { __typename login } }
          }
        }
      }
    }
  }
}`

const Discussion = z.object({
  repository: z.object({
    pullRequest: z.object({
      closingIssuesReferences: z.object({
        nodes: z.array(z.object({ number: z.number(), repository: z.object({ nameWithOwner: z.string() }) })),
      }),
      reviewThreads: z.object({
        nodes: z.array(
          z.object({
            isResolved: z.boolean(),
            path: z.string(),
            line: z.number().nullable(),
            comments: z.object({
              nodes: z.array(
                z.object({
                  body: z.string(),
                  viewerDidAuthor: z.boolean(),
                  authorAssociation: Association,
                  createdAt: z.string().default(''),
                  author: z.object({ __typename: z.string(), login: z.string() }).nullable(),
                }),
              ),
            }),
          }),
        ),
      }),
    }),
  }),
})

const longestBody = 4_000
const mostEntries = 200
const route = (path: string) => `GET /repos/{owner}/{repo}/${path}`

export function openPullReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openGitHubApi(address, access, {
    contents: 'read',
    issues: 'read',
    pull_requests: 'read',
  })
  const at = { owner: address.owner.join('/'), repo: address.name, pull_number: address.number }
  const readPull = async (signal: AbortSignal) =>
    Pull.parse(await api.request(route('pulls/{pull_number}'), at, signal))
  return {
    readHead: async (signal) => (await readPull(signal)).head.sha,
    async read(signal) {
      const pull = await readPull(signal)
      const { attempt, limits } = openAttempts(signal)
      const [mergeBase, commits, comments, threads] = await Promise.all([
        attempt('the merge base', null, () => readMergeBase(api, at, pull, signal)),
        attempt('the authors of the commits', [], async () =>
          z.array(Commit).parse(await api.list(route('pulls/{pull_number}/commits'), at, 3, signal)),
        ),
        attempt('the discussion', [], () => readComments(api, at, signal)),
        access.token === null && !access.app
          ? null
          : attempt('comments on lines and linked issues', null, () => readThreads(api, address, signal)),
      ])
      return hosted(address, pull, {
        authorization: await api.gitAuthorization(signal),
        mergeBase,
        commits,
        comments,
        threads,
        limits: limits(),
      })
    },
  }
}

type At = { owner: string; repo: string; pull_number: number }
type Pull = z.infer<typeof Pull>
type Comment = z.infer<typeof Comment>
type Threads = z.infer<typeof Discussion>['repository']['pullRequest']

async function readMergeBase(api: GitHubApi, at: At, pull: Pull, signal: AbortSignal): Promise<string> {
  const basehead = `${pull.base.sha}...${pull.head.sha}`
  const answer = await api.request(
    route('compare/{basehead}'),
    { owner: at.owner, repo: at.repo, basehead, per_page: 1 },
    signal,
  )
  return z.object({ merge_base_commit: z.object({ sha: z.string() }) }).parse(answer).merge_base_commit.sha
}

async function readComments(api: GitHubApi, at: At, signal: AbortSignal): Promise<Comment[]> {
  const lists = ['issues/{pull_number}/comments', 'pulls/{pull_number}/reviews']
  const pages = await Promise.all(lists.map((list) => api.list(route(list), at, 2, signal)))
  return z.array(Comment).parse(pages.flat())
}

async function readThreads(api: GitHubApi, address: ChangeAddress, signal: AbortSignal): Promise<Threads> {
  const { owner, name, number } = address
  const answer = await api.graphql(discussionQuery, { owner: owner.join('/'), name, number }, signal)
  return Discussion.parse(answer).repository.pullRequest
}

type Read = {
  authorization: string | null
  mergeBase: string | null
  commits: z.infer<typeof Commit>[]
  comments: Comment[]
  threads: Threads | null
  limits: string[]
}

function hosted(address: ChangeAddress, pull: Pull, read: Read): HostedChange {
  const { base, head, user, number } = pull
  const { repo } = base
  const author = actorOf(user, pull.author_association)
  const others = [
    ...read.commits.flatMap((commit) =>
      [commit.author, commit.committer].map((one) => actorOf(one ?? null, '')),
    ),
    ...read.comments.map((comment) => actorOf(comment.user, comment.author_association)),
    ...(head.user ? [actorOf(head.user, '')] : []),
  ]
  const identity = identityOf(
    {
      number,
      url: `${address.webUrl}/${repo.owner.login}/${repo.name}/pull/${number}`,
      isDraft: pull.draft,
      isFork: head.repo?.id !== repo.id,
      baseRef: base.ref,
      headRef: head.ref,
      author,
      participants: distinct(others, author, webFlow),
      labels: pull.labels.map(({ name }) => name),
      linkedIssues: linkedIssues(address, read.threads),
    },
    {
      host: address.host,
      id: String(repo.id),
      owner: [repo.owner.login],
      name: repo.name,
      visibility: repo.visibility ?? (repo.private ? 'private' : 'public'),
    },
  )
  return {
    ...identity,
    state: pull.merged ? 'merged' : pull.state,
    title: pull.title,
    body: pull.body ?? '',
    author: user?.login ?? null,
    head: head.sha,
    base: base.sha,
    mergeBase: read.mergeBase,
    fetch: {
      url: `${address.webUrl}/${repo.owner.login}/${repo.name}.git`,
      authorization: read.authorization,
      // It stays when the fork is deleted.
      headRef: `refs/pull/${number}/head`,
      baseRef: `refs/heads/${base.ref}`,
    },
    discussion: discussionOf(read.comments, read.threads),
    limits: read.limits,
  }
}

/** The account that signs what is done with a button of GitHub's own pages. */
const webFlow = 'web-flow'

function distinct(actors: readonly Actor[], author: Actor, left: string): Actor[] {
  const byId = new Map<string, Actor>()
  for (const actor of actors) {
    const known = byId.get(actor.id)
    if (actor.id === author.id || actor.login === left) continue
    if (!known || known.trust === 'unknown') byId.set(actor.id, actor)
  }
  return [...byId.values()]
}

const trustWords: Readonly<Record<string, ActorTrust>> = {
  OWNER: 'owner',
  MEMBER: 'member',
  COLLABORATOR: 'member',
  CONTRIBUTOR: 'contributor',
  FIRST_TIME_CONTRIBUTOR: 'first-time',
  FIRST_TIMER: 'first-time',
  NONE: 'none',
}

/** A deleted account is GitHub's `ghost`, of whom nothing is known. */
function actorOf(user: z.infer<typeof User> | null, association: string): Actor {
  return Actor.parse({
    id: String(user?.id ?? 0),
    login: user?.login ?? 'ghost',
    isBot: user?.type === 'Bot',
    trust: user ? (trustWords[association] ?? 'unknown') : 'unknown',
  })
}

function linkedIssues(address: ChangeAddress, threads: Threads | null): string[] {
  const own = [...address.owner, address.name].join('/').toLowerCase()
  return (threads?.closingIssuesReferences.nodes ?? []).map(({ number, repository: { nameWithOwner } }) =>
    nameWithOwner.toLowerCase() === own ? String(number) : `${nameWithOwner}#${number}`,
  )
}

function discussionOf(comments: readonly Comment[], threads: Threads | null): DiscussionEntry[] {
  const whole = comments.map((comment) => ({
    time: comment.created_at ?? comment.submitted_at ?? '',
    body: comment.body ?? '',
    author: comment.user?.login ?? 'ghost',
    association: associationOf(comment.author_association, comment.user?.type === 'Bot'),
    place: { path: null, line: null, resolved: false },
  }))
  const onLines = (threads?.reviewThreads.nodes ?? []).flatMap(
    ({ isResolved, path, line, comments: { nodes } }) =>
      // What we wrote ourselves is read by the publisher.
      nodes
        .filter(({ viewerDidAuthor }) => !viewerDidAuthor)
        .map((comment) => ({
          time: comment.createdAt,
          body: comment.body,
          author: comment.author?.login ?? 'ghost',
          association: associationOf(comment.authorAssociation, comment.author?.__typename === 'Bot'),
          place: { path, line, resolved: isResolved },
        })),
  )
  return (
    [...whole, ...onLines]
      // A stranger who writes our marker only keeps the own comment out.
      .filter(({ body }) => body.trim() !== '' && !body.includes(markerStart))
      .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
      .slice(0, mostEntries)
      .map(({ author, association, body, place }) => ({
        author,
        association,
        body: body.slice(0, longestBody),
        ...place,
      }))
  )
}

function associationOf(association: string, isBot: boolean): DiscussionEntry['association'] {
  if (isBot) return 'bot'
  if (association === 'OWNER') return 'owner'
  if (association === 'MEMBER' || association === 'COLLABORATOR') return 'member'
  return association === 'CONTRIBUTOR' ? 'contributor' : 'stranger'
}
