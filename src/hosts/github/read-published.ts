/** What of ours is on a pull request: reviews and threads, as GitHub says now. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { ChangeAddress, PublishedState } from '../remote/contract.ts'
import type { GitHubApi } from './client.ts'

const mostPages = 20

/** Accounts by GitHub's own ids, whatever the kind of token: no name is believed. */
const publishedQuery = `query Published($owner: String!, $name: String!, $number: Int!, $reviews: String, $threads: String, $comments: String) {
  viewer { ...account }
  repository(owner: $owner, name: $name) {
    databaseId
    nameWithOwner
    isPrivate
    pullRequest(number: $number) {
      state
      headRefOid
      reviews(first: 100, after: $reviews) {
        nodes { databaseId body author { ...account } }
        pageInfo { hasNextPage endCursor }
      }
      comments(first: 100, after: $comments) {
        nodes { databaseId body author { ...account } }
        pageInfo { hasNextPage endCursor }
      }
      reviewThreads(first: 50, after: $threads) {
        nodes {
          id isResolved path line diffSide originalLine
          comments(first: 30) { nodes { id databaseId url body isMinimized author { ...account } originalCommit { oid } } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
fragment account on Actor { login ... on User { databaseId } ... on Bot { databaseId } }`

/** `id`: empty for a deleted account, and for the kinds that no program can be. */
const Account = z
  .object({ login: z.string(), databaseId: z.number().optional() })
  .nullable()
  .transform((account) => ({ id: String(account?.databaseId ?? ''), login: account?.login ?? '' }))
type Account = z.infer<typeof Account>

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() })

const Bodies = z.object({
  nodes: z.array(z.object({ databaseId: z.number(), body: z.string(), author: Account })),
  pageInfo: PageInfo,
})

const Published = z.object({
  viewer: Account,
  repository: z
    .object({
      databaseId: z.number(),
      nameWithOwner: z.string(),
      isPrivate: z.boolean(),
      pullRequest: z
        .object({
          state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
          headRefOid: z.string(),
          reviews: Bodies,
          comments: Bodies,
          reviewThreads: z.object({
            nodes: z.array(
              z.object({
                id: z.string(),
                isResolved: z.boolean(),
                path: z.string(),
                line: z.number().nullable(),
                diffSide: z.enum(['LEFT', 'RIGHT']),
                originalLine: z.number().nullable(),
                comments: z.object({
                  nodes: z.array(
                    z.object({
                      id: z.string(),
                      databaseId: z.number(),
                      isMinimized: z.boolean(),
                      url: z.string().nullable().default(null),
                      body: z.string(),
                      author: Account,
                      originalCommit: z.object({ oid: z.string() }).nullable(),
                    }),
                  ),
                }),
              }),
            ),
            pageInfo: PageInfo,
          }),
        })
        .nullable(),
    })
    .nullable(),
})
type Pull = NonNullable<NonNullable<z.infer<typeof Published>['repository']>['pullRequest']>

const states = { OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' } as const

/** Throws `change-request-unknown`, and `host-unavailable` where there are more threads than can be read. */
export async function readPublished(
  api: GitHubApi,
  { owner, name, number }: ChangeAddress,
  signal: AbortSignal,
): Promise<{
  repository: string
  state: Omit<PublishedState, 'check' | 'lacks' | 'writers'>
  /** Ids of threads to the node ids of their first comments. */
  nodes: ReadonlyMap<string, string>
  /** Names of accounts by their ids. */
  logins: ReadonlyMap<string, string>
}> {
  const pages: Pull[] = []
  type Cursors = Record<'reviews' | 'threads' | 'comments', string | null>
  let cursors: Cursors = { reviews: null, threads: null, comments: null }
  for (;;) {
    const variables = { owner: owner.join('/'), name, number, ...cursors }
    const { viewer, repository } = Published.parse(await api.graphql(publishedQuery, variables, signal))
    const pull = repository?.pullRequest
    if (!repository || !pull)
      throw new UserError('change-request-unknown', `${owner.join('/')}/${name}#${number}`)
    pages.push(pull)
    const { reviews, reviewThreads, comments } = pull
    const isMore = [reviews, reviewThreads, comments].some(({ pageInfo }) => pageInfo.hasNextPage)
    if (isMore && pages.length >= mostPages)
      throw new UserError('host-unavailable', `more than ${mostPages * 50} threads cannot be read back`)
    if (!isMore) {
      const threads = pages.flatMap((page) => page.reviewThreads.nodes)
      const nodes = threads.flatMap(({ id, comments: { nodes: all } }) =>
        all.slice(0, 1).map((first) => [id, first.id] as const),
      )
      const state = stateOf(viewer.id, repository, pages)
      const logins = new Map(pages.flatMap(authorsOf).map(({ id, login }) => [id, login]))
      return { repository: repository.nameWithOwner, state, nodes: new Map(nodes), logins }
    }
    // A list that has ended gives its last page again.
    cursors = {
      reviews: reviews.pageInfo.endCursor ?? cursors.reviews,
      threads: reviewThreads.pageInfo.endCursor ?? cursors.threads,
      comments: comments.pageInfo.endCursor ?? cursors.comments,
    }
  }
}

function authorsOf({ reviews, comments, reviewThreads }: Pull): Account[] {
  const threads = reviewThreads.nodes.flatMap((thread) => thread.comments.nodes)
  return [...reviews.nodes, ...comments.nodes, ...threads].map(({ author }) => author)
}

const postedOf = ({ author, body }: { author: Account; body: string }) => ({ author: author.id, body })

function stateOf(
  me: string,
  { databaseId, isPrivate }: { databaseId: number; isPrivate: boolean },
  pages: readonly Pull[],
): Omit<PublishedState, 'check' | 'lacks' | 'writers'> {
  const last = pages.at(-1)
  const bodies = (['reviews', 'comments'] as const).flatMap((list) => {
    const all = pages.flatMap((page) => page[list].nodes)
    return [...new Map(all.map((one) => [one.databaseId, one])).values()]
  })
  const threads = new Map(pages.flatMap((page) => page.reviewThreads.nodes).map((one) => [one.id, one]))
  return {
    me,
    state: states[last?.state ?? 'OPEN'],
    head: last?.headRefOid ?? '',
    repositoryId: String(databaseId),
    isPublic: !isPrivate,
    bodies: bodies.map((one) => ({ id: String(one.databaseId), ...postedOf(one) })),
    threads: [...threads.values()].flatMap((thread) => {
      const [first, ...replies] = thread.comments.nodes
      if (!first) return []
      const { id, isResolved, path, line, diffSide, originalLine } = thread
      const commit = first.originalCommit?.oid
      const side = diffSide === 'LEFT' ? ('old' as const) : ('new' as const)
      return [
        {
          id,
          comment: String(first.databaseId),
          ...postedOf(first),
          path,
          line,
          posted: commit !== undefined && originalLine !== null ? { side, line: originalLine, commit } : null,
          // Whoever hides a comment has settled it.
          isResolved: isResolved || first.isMinimized,
          url: first.url,
          replies: replies.map(postedOf),
        },
      ]
    }),
  }
}
