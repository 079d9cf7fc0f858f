/** The publisher's half: what of ours is on a pull request, one review, one check, and threads of ours resolved. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import {
  AnchorsRefused,
  type ChangeAddress,
  type ChangeWriter,
  type HostAccess,
  type PlannedAnnotation,
  type PlannedCheck,
  type PlannedClosing,
  type PlannedComment,
  type PublishedState,
} from '../remote/contract.ts'
import { type GitHubApi, openGitHubApi, Refused } from './client.ts'

/** Name of the check, by which people require it in branch rules. */
export const checkName = 'Sightline'
const annotationsAtOnce = 50
const mostPages = 20
/** Replies and resolutions in one document; each resolves to several writes inside GitHub. */
const closingsAtOnce = 50
const longestAnnotation = 60_000
const longestStatus = 140

/** `viewerDidAuthor` is GitHub's own word on who wrote it, whatever the kind of token, so no name or marker is believed. */
const publishedQuery = `query Published($owner: String!, $name: String!, $number: Int!, $reviews: String, $threads: String) {
  repository(owner: $owner, name: $name) {
    databaseId
    nameWithOwner
    isPrivate
    pullRequest(number: $number) {
      state
      headRefOid
      reviews(first: 100, after: $reviews) {
        nodes { databaseId body viewerDidAuthor }
        pageInfo { hasNextPage endCursor }
      }
      reviewThreads(first: 50, after: $threads) {
        nodes {
          id isResolved path line diffSide originalLine
          comments(first: 30) { nodes { databaseId url body viewerDidAuthor originalCommit { oid } } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() })

const Published = z.object({
  repository: z
    .object({
      databaseId: z.number(),
      nameWithOwner: z.string(),
      isPrivate: z.boolean(),
      pullRequest: z
        .object({
          state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
          headRefOid: z.string(),
          reviews: z.object({
            nodes: z.array(
              z.object({ databaseId: z.number(), body: z.string(), viewerDidAuthor: z.boolean() }),
            ),
            pageInfo: PageInfo,
          }),
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
                      databaseId: z.number(),
                      url: z.string().nullable().default(null),
                      body: z.string(),
                      viewerDidAuthor: z.boolean(),
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

export function openPullWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openGitHubApi(address, access, {
    checks: 'write',
    contents: 'read',
    pull_requests: 'write',
    statuses: 'write',
  })
  // A renamed repository answers to its old name only when it is read.
  const at = { owner: address.owner.join('/'), repo: address.name }
  let hasCheckRuns = api.isApp()
  return {
    abilities: {
      suggestions: 'github',
      multiLine: true,
      resolve: true,
      get check() {
        return hasCheckRuns ? ('run' as const) : ('status' as const)
      },
      bodyLength: 65_535,
      shownFiles: 300,
      shownLines: 20_000,
    },
    async readState(signal) {
      const { repository, state } = await readPublished(api, address, signal)
      const [owner = at.owner, repo = at.repo] = repository.split('/')
      Object.assign(at, { owner, repo })
      const check = hasCheckRuns
        ? await readCheckRun(api, at, state.head, signal)
        : await readStatus(api, at, state.head, signal)
      return { ...state, check }
    },
    async postReview({ head, body, comments }, signal) {
      const review = { commit_id: head, event: 'COMMENT', body, comments: comments.map(commentOf) }
      try {
        await api.request(
          'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
          { ...at, pull_number: address.number, ...review },
          signal,
        )
      } catch (error) {
        if (error instanceof Refused && error.status === 422 && comments.length > 0)
          throw new AnchorsRefused(error.message, { cause: error })
        throw error
      }
    },
    async closeThreads(closings, signal) {
      for (let from = 0; from < closings.length; from += closingsAtOnce) {
        const { query, variables } = closingMutation(closings.slice(from, from + closingsAtOnce))
        try {
          await api.graphql(query, variables, signal)
        } catch (error) {
          // The fields that it does not name were carried out; what is left to do is read from the host again.
          if (!(error instanceof Refused)) throw error
          return { refused: error.message }
        }
      }
      return { refused: null }
    },
    async putCheck(check, signal) {
      if (hasCheckRuns) {
        const refused = await unlessRefused(() => putCheckRun(api, at, check, signal))
        if (refused === null) return { refused }
        // The token is that of an App without the right to write checks.
        hasCheckRuns = false
        return { refused }
      }
      return { refused: await unlessRefused(() => putStatus(api, at, check, signal)) }
    },
  }
}

type At = { owner: string; repo: string }

async function readPublished(
  api: GitHubApi,
  { owner, name, number }: ChangeAddress,
  signal: AbortSignal,
): Promise<{ repository: string; state: Omit<PublishedState, 'check'> }> {
  const pages: Pull[] = []
  let cursors: { reviews: string | null; threads: string | null } = { reviews: null, threads: null }
  for (;;) {
    const variables = { owner: owner.join('/'), name, number, ...cursors }
    const { repository } = Published.parse(await api.graphql(publishedQuery, variables, signal))
    const pull = repository?.pullRequest
    if (!repository || !pull)
      throw new UserError('change-request-unknown', `${owner.join('/')}/${name}#${number}`)
    pages.push(pull)
    const { reviews, reviewThreads } = pull
    const isMore = reviews.pageInfo.hasNextPage || reviewThreads.pageInfo.hasNextPage
    if (isMore && pages.length >= mostPages)
      throw new UserError('host-unavailable', `more than ${mostPages * 50} threads cannot be read back`)
    if (!isMore) return { repository: repository.nameWithOwner, state: stateOf(repository, pages) }
    // A list that has ended gives its last page again.
    cursors = {
      reviews: reviews.pageInfo.endCursor ?? cursors.reviews,
      threads: reviewThreads.pageInfo.endCursor ?? cursors.threads,
    }
  }
}

function stateOf(
  { databaseId, isPrivate }: { databaseId: number; isPrivate: boolean },
  pages: readonly Pull[],
): Omit<PublishedState, 'check'> {
  const last = pages.at(-1)
  const reviews = new Map(pages.flatMap((page) => page.reviews.nodes).map((one) => [one.databaseId, one]))
  const threads = new Map(pages.flatMap((page) => page.reviewThreads.nodes).map((one) => [one.id, one]))
  return {
    state: states[last?.state ?? 'OPEN'],
    head: last?.headRefOid ?? '',
    repositoryId: String(databaseId),
    isPublic: !isPrivate,
    bodies: [...reviews.values()]
      .filter(({ viewerDidAuthor }) => viewerDidAuthor)
      .map(({ databaseId: id, body }) => ({ id: String(id), body })),
    threads: [...threads.values()].flatMap((thread) => {
      const [first, ...replies] = thread.comments.nodes
      if (!first?.viewerDidAuthor) return []
      const { id, isResolved, path, line, diffSide, originalLine } = thread
      const commit = first.originalCommit?.oid
      const side = diffSide === 'LEFT' ? ('old' as const) : ('new' as const)
      return [
        {
          id,
          comment: String(first.databaseId),
          body: first.body,
          path,
          line,
          posted: commit !== undefined && originalLine !== null ? { side, line: originalLine, commit } : null,
          isResolved,
          url: first.url,
          replies: replies.map(({ viewerDidAuthor, body }) => ({ isOwn: viewerDidAuthor, body })),
        },
      ]
    }),
  }
}

function commentOf({ path, side, start, end, body }: PlannedComment) {
  const [first, last] = [start[side] ?? end[side] ?? 1, end[side] ?? 1]
  const shown = side === 'old' ? 'LEFT' : 'RIGHT'
  return {
    path,
    body,
    line: last,
    side: shown,
    // GitHub refuses a range of one line.
    ...(first < last ? { start_line: first, start_side: shown } : {}),
  }
}

/** One document, and so one write: answers first, so that no thread is closed without its reason. */
function closingMutation(closings: readonly PlannedClosing[]) {
  const variables: Record<string, string> = {}
  const fields = closings.flatMap(({ thread, reply }, at) => {
    variables[`t${at}`] = thread
    if (reply !== null) variables[`b${at}`] = reply
    return [
      ...(reply === null
        ? []
        : [
            `r${at}: addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $t${at}, body: $b${at} }) { comment { id } }`,
          ]),
      `c${at}: resolveReviewThread(input: { threadId: $t${at} }) { thread { id } }`,
    ]
  })
  const declared = Object.keys(variables).map(
    (name) => `$${name}: ${name.startsWith('t') ? 'ID' : 'String'}!`,
  )
  return { query: `mutation Close(${declared.join(', ')}) {\n  ${fields.join('\n  ')}\n}`, variables }
}

async function unlessRefused(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof UserError && error.code === 'host-refused') return error.message
    throw error
  }
}

const CheckRuns = z.object({
  check_runs: z.array(z.object({ id: z.number(), external_id: z.string().nullable() })),
})

const keyPrefix = 'sightline-'

async function readCheckRun(api: GitHubApi, at: At, ref: string, signal: AbortSignal) {
  const query = { ...at, ref, check_name: checkName, filter: 'latest' }
  const answer = await api.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', query, signal)
  // Other Apps may use the name; the prefix of the key is ours.
  const own = CheckRuns.parse(answer).check_runs.find(({ external_id }) => external_id?.startsWith(keyPrefix))
  return own ? { key: own.external_id?.slice(keyPrefix.length) ?? null } : null
}

/**
 * A new run takes the place of an earlier one of the same name, whose annotations could not be taken away. The key comes
 * with the last batch, so that an interrupted check is never taken for a whole one.
 */
async function putCheckRun(api: GitHubApi, at: At, check: PlannedCheck, signal: AbortSignal): Promise<void> {
  const { head, key, conclusion, title, summary, annotations } = check
  const batches = [annotations.slice(0, annotationsAtOnce)]
  for (let from = annotationsAtOnce; from < annotations.length; from += annotationsAtOnce)
    batches.push(annotations.slice(from, from + annotationsAtOnce))
  let id: number | null = null
  for (const [index, batch] of batches.entries()) {
    const isLast = index === batches.length - 1
    const run = {
      name: checkName,
      external_id: `${keyPrefix}${isLast ? key : 'unfinished'}`,
      status: 'completed',
      conclusion,
      output: { title, summary, annotations: batch.map(annotationOf) },
    }
    const answer: unknown =
      id === null
        ? await api.request(
            'POST /repos/{owner}/{repo}/check-runs',
            { ...at, ...run, head_sha: head },
            signal,
          )
        : await api.request(
            'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
            { ...at, ...run, check_run_id: id },
            signal,
          )
    id ??= z.object({ id: z.number() }).parse(answer).id
  }
}

function annotationOf({ path, startLine, endLine, level, title, message }: PlannedAnnotation) {
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    annotation_level: level,
    title: title.slice(0, 255),
    message: message.slice(0, longestAnnotation),
  }
}

const Statuses = z.array(z.object({ context: z.string(), description: z.string().nullable() }))

/** Newest first; the key is at the end of the line. */
async function readStatus(api: GitHubApi, at: At, ref: string, signal: AbortSignal) {
  const statuses = Statuses.parse(
    await api.request(
      'GET /repos/{owner}/{repo}/commits/{ref}/statuses',
      { ...at, ref, per_page: 100 },
      signal,
    ),
  )
  const own = statuses.find(({ context }) => context === checkName)
  return own ? { key: /\[([a-z0-9-]+)\]$/.exec(own.description ?? '')?.[1] ?? null } : null
}

/** Neutral does not exist here: only gating makes it fail. */
async function putStatus(api: GitHubApi, at: At, check: PlannedCheck, signal: AbortSignal): Promise<void> {
  const { head, key, conclusion, title } = check
  const end = ` [${key}]`
  const status = {
    sha: head,
    context: checkName,
    state: conclusion === 'failure' ? 'failure' : 'success',
    description: `${title.slice(0, longestStatus - end.length)}${end}`,
  }
  await api.request('POST /repos/{owner}/{repo}/statuses/{sha}', { ...at, ...status }, signal)
}
