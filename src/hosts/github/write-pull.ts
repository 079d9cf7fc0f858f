/** The publisher's half: what of ours is on a pull request, one review, one check, and threads of ours resolved. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import {
  AnchorsRefused,
  type ChangeAddress,
  type ChangeWriter,
  type HostAccess,
  type PlannedClosing,
  type PlannedComment,
} from '../remote/contract.ts'
import { readWriters } from '../remote/writers.ts'
import { type GitHubApi, openGitHubApi, Refused, readTrust } from './client.ts'
import { putCheckRun, putStatus, readCheckRun, readStatus } from './pull-check.ts'
import { readPublished } from './read-published.ts'

/** Replies and resolutions in one document; each resolves to several writes inside GitHub. */
const closingsAtOnce = 50
const reactions = '/repos/{owner}/{repo}/issues/{issue_number}/reactions'
const Reaction = z.object({ id: z.number() })

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
  /** The first comment of each thread, as it was read. */
  let comments: ReadonlyMap<string, string> = new Map()
  const issue = { issue_number: address.number }
  /** Of this account on the pull request, which is the lock. */
  let reaction: number | null = null
  /** The token of an App without the right to checks is refused: from then on a status takes their place. */
  const readCheck: ChangeWriter['readCheck'] = async (head, signal) => {
    if (hasCheckRuns)
      try {
        return await readCheckRun(api, at, head, signal)
      } catch (error) {
        if (!isRefusal(error)) throw error
        hasCheckRuns = false
      }
    return readStatus(api, at, head, signal)
  }
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
      const { repository, state, nodes, logins } = await readPublished(api, address, signal)
      const [owner = at.owner, repo = at.repo] = repository.split('/')
      Object.assign(at, { owner, repo })
      comments = nodes
      const check = await readCheck(state.head, signal)
      const lacks =
        api.isApp() && !hasCheckRuns
          ? ['checks (write): a commit status of one line takes the place of the check']
          : []
      const writers = await readWriters(state, (author) =>
        readTrust(api, at, logins.get(author) ?? '', 'NONE', signal),
      )
      return { ...state, writers, check, lacks }
    },
    readCheck,
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
      let refused: string | null = null
      for (let from = 0; from < closings.length; from += closingsAtOnce) {
        const some = closings.slice(from, from + closingsAtOnce)
        // The fields that a refusal does not name were carried out: it is answered, and folded instead of resolved.
        const why = await refusalOf(api, closingMutation(some), signal)
        if (why === null) continue
        const ids = some.flatMap(({ thread }) => comments.get(thread) ?? [])
        const isFolded = ids.length > 0 && (await refusalOf(api, foldingMutation(ids), signal)) === null
        if (!isFolded) refused = why
      }
      return { refused }
    },
    async putOverview({ id, body }, signal) {
      const conversation = '/repos/{owner}/{repo}/issues'
      const write = () =>
        id === null
          ? api.request(`POST ${conversation}/{issue_number}/comments`, { ...at, ...issue, body }, signal)
          : api.request(
              `PATCH ${conversation}/comments/{comment_id}`,
              { ...at, comment_id: Number(id), body },
              signal,
            )
      return { refused: await unlessRefused(write) }
    },
    async lock(signal) {
      try {
        const made = { ...at, ...issue, content: 'eyes' }
        const { status, data } = await api.requestStatus(`POST ${reactions}`, made, signal)
        reaction = Reaction.parse(data).id
        // 200 for a reaction that this account made before.
        return status === 201
      } catch (error) {
        if (isRefusal(error) || error instanceof Refused) return null
        throw error
      }
    },
    async unlock(signal) {
      if (reaction === null) return
      const one = { ...at, ...issue, reaction_id: reaction }
      await api.request(`DELETE ${reactions}/{reaction_id}`, one, signal).catch((error: unknown) => {
        // Somebody else was faster.
        if (!(error instanceof UserError && error.code === 'change-request-unknown')) throw error
      })
    },
    async putCheck(check, signal) {
      if (hasCheckRuns) {
        const refused = await unlessRefused(() => putCheckRun(api, at, check, signal))
        if (refused === null) return { refused }
        hasCheckRuns = false
        return { refused }
      }
      return { refused: await unlessRefused(() => putStatus(api, at, check, signal)) }
    },
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
function closingMutation(closings: readonly PlannedClosing[]): Mutation {
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

type Mutation = { query: string; variables: Record<string, string> }

/** Null when all of it was carried out. */
async function refusalOf(
  api: GitHubApi,
  { query, variables }: Mutation,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await api.graphql(query, variables, signal)
    return null
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

/** As people do with "Hide": the reason is shown, and the comment behind a click. */
function foldingMutation(ids: readonly string[]): Mutation {
  const fields = ids.map(
    (_, at) =>
      `m${at}: minimizeComment(input: { subjectId: $c${at}, classifier: RESOLVED }) { minimizedComment { isMinimized } }`,
  )
  const declared = ids.map((_, at) => `$c${at}: ID!`).join(', ')
  const variables = Object.fromEntries(ids.map((id, at) => [`c${at}`, id]))
  return { query: `mutation Fold(${declared}) {\n  ${fields.join('\n  ')}\n}`, variables }
}

async function unlessRefused(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (isRefusal(error)) return error.message
    throw error
  }
}

function isRefusal(error: unknown): error is UserError {
  return error instanceof UserError && error.code === 'host-refused'
}
