/** The collector's half: a pull request with its words and people, as GitHub has them now. */
import { z } from 'zod'
import { Actor, type ActorTrust } from '../../domain/review-request.ts'
import type { DiscussionEntry } from '../../domain/ticket.ts'
import { openAttempts } from '../remote/answers.ts'
import type { ChangeAddress, ChangeReader, HostAccess } from '../remote/contract.ts'
import { hostedChange } from '../remote/hosted-change.ts'
import { type Pull, pullWords, readPull, User } from '../remote/pull-requests.ts'
import { type GitHubApi, openGitHubApi } from './client.ts'

const Association = z.string().default('NONE')

export const Comment = z.object({
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

export function openPullReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openGitHubApi(address, access, {
    contents: 'read',
    issues: 'read',
    pull_requests: 'read',
  })
  const { number } = address
  return {
    readHead: async (signal) => (await readPull(api, number, signal)).head.sha,
    async read(signal) {
      const pull = await readPull(api, number, signal)
      const { attempt, limits } = openAttempts(signal)
      const [mergeBase, commits, comments, threads] = await Promise.all([
        attempt('the merge base', null, () => readMergeBase(api, pull, signal)),
        attempt('the authors of the commits', [], async () =>
          z.array(Commit).parse(await api.list(`/pulls/${number}/commits`, { pages: 3 }, signal)),
        ),
        attempt('the discussion', [], () => readComments(api, number, signal)),
        access.token === null && !access.app
          ? null
          : attempt('comments on lines and linked issues', null, () => readThreads(api, address, signal)),
      ])
      const { user, head, author_association: association } = pull
      const author = actorOf(user, association)
      const others = [
        ...commits.flatMap((commit) =>
          [commit.author, commit.committer].map((one) => actorOf(one ?? null, '')),
        ),
        ...comments.map((comment) => actorOf(comment.user, comment.author_association)),
        ...(head.user ? [actorOf(head.user, '')] : []),
      ]
      return hostedChange(address, {
        ...{ ...pullWords(pull), author, people: distinct(others), mergeBase },
        linkedIssues: linkedIssues(address, threads),
        authorization: await api.gitAuthorization(signal),
        discussion: discussionOf(comments, threads),
        limits: limits(),
      })
    },
  }
}

type Comment = z.infer<typeof Comment>
type Threads = z.infer<typeof Discussion>['repository']['pullRequest']

async function readMergeBase(api: GitHubApi, { base, head }: Pull, signal: AbortSignal): Promise<string> {
  const answer = await api.get(`/compare/${base.sha}...${head.sha}?per_page=1`, signal)
  return z.object({ merge_base_commit: z.object({ sha: z.string() }) }).parse(answer).merge_base_commit.sha
}

async function readComments(api: GitHubApi, number: number, signal: AbortSignal): Promise<Comment[]> {
  const lists = [`/issues/${number}/comments`, `/pulls/${number}/reviews`]
  const pages = await Promise.all(lists.map((list) => api.list(list, { pages: 2 }, signal)))
  return z.array(Comment).parse(pages.flat())
}

async function readThreads(api: GitHubApi, address: ChangeAddress, signal: AbortSignal): Promise<Threads> {
  const { owner, name, number } = address
  const answer = await api.graphql(discussionQuery, { owner: owner.join('/'), name, number }, signal)
  return Discussion.parse(answer).repository.pullRequest
}

/** The account that signs what is done with a button of GitHub's own pages. */
const webFlow = 'web-flow'

function distinct(actors: readonly Actor[]): Actor[] {
  const byId = new Map<string, Actor>()
  for (const actor of actors) {
    const known = byId.get(actor.id)
    if (actor.login !== webFlow && (!known || known.trust === 'unknown')) byId.set(actor.id, actor)
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
    ...{ path: null, line: null, resolved: false },
  }))
  const onLines = (threads?.reviewThreads.nodes ?? []).flatMap(
    ({ isResolved: resolved, path, line, comments: { nodes } }) =>
      // What we wrote ourselves is read by the publisher.
      nodes
        .filter(({ viewerDidAuthor }) => !viewerDidAuthor)
        .map(({ author, authorAssociation, body, createdAt: time }) => ({
          ...{ time, body, path, line, resolved },
          author: author?.login ?? 'ghost',
          association: associationOf(authorAssociation, author?.__typename === 'Bot'),
        })),
  )
  return [...whole, ...onLines]
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
    .map(({ time: _, ...entry }) => entry)
}

function associationOf(association: string, isBot: boolean): DiscussionEntry['association'] {
  if (isBot) return 'bot'
  if (association === 'OWNER') return 'owner'
  if (association === 'MEMBER' || association === 'COLLABORATOR') return 'member'
  return association === 'CONTRIBUTOR' ? 'contributor' : 'stranger'
}
