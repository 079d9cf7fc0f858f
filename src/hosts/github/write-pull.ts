/** The publisher's half: what of ours is on a pull request, one review, one check, and threads of ours resolved. */
import { z } from 'zod'
import { isForbidden, Refused, refusalOf, unlessUnknown } from '../remote/answers.ts'
import type {
  ChangeAddress,
  ChangeWriter,
  HostAccess,
  PlannedClosing,
  PlannedComment,
} from '../remote/contract.ts'
import { postReview, putComment, reactionsOf, takeLock } from '../remote/pull-requests.ts'
import { publishedState } from '../remote/writers.ts'
import { type GitHubApi, openGitHubApi } from './client.ts'
import { github } from './facts.ts'
import { putCheckRun, putCommitStatus, readCheckRun, readStatus } from './pull-check.ts'
import { readPublished } from './read-published.ts'

/** Replies and resolutions in one document; each resolves to several writes inside GitHub. */
const closingsAtOnce = 50
const Reaction = z.object({ id: z.number() })

export function openPullWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openGitHubApi(address, access, {
    checks: 'write',
    contents: 'read',
    pull_requests: 'write',
    statuses: 'write',
  })
  const { number } = address
  let hasCheckRuns = api.isApp
  /** The first comment of each thread, as it was read. */
  let comments: ReadonlyMap<string, string> = new Map()
  /** Of this account on the pull request, which is the lock. */
  let reaction: number | null = null
  /** The token of an App without the right to checks is refused: from then on a status takes their place. */
  const readCheck: ChangeWriter['readCheck'] = async (head, signal) => {
    if (hasCheckRuns)
      try {
        return await readCheckRun(api, head, signal)
      } catch (error) {
        if (!isForbidden(error)) throw error
        hasCheckRuns = false
      }
    return readStatus(api, head, signal)
  }
  return {
    abilities: {
      ...github.abilities,
      get check() {
        return hasCheckRuns ? ('run' as const) : ('status' as const)
      },
    },
    async readState(signal) {
      const { repository, state, nodes, logins } = await readPublished(api, address, signal)
      api.useName(repository)
      comments = nodes
      const check = await readCheck(state.head, signal)
      const lacks =
        api.isApp && !hasCheckRuns
          ? ['checks (write): a commit status of one line takes the place of the check']
          : []
      return await publishedState({ ...state, check, lacks }, (author) =>
        api.readTrust(logins.get(author) ?? '', 'NONE', signal),
      )
    },
    readCheck,
    postReview: (review, signal) =>
      postReview(api, number, review, review.comments.map(commentOf), ({ status }) => status === 422, signal),
    async closeThreads(closings, signal) {
      let refused: string | null = null
      for (let from = 0; from < closings.length; from += closingsAtOnce) {
        const some = closings.slice(from, from + closingsAtOnce)
        // The fields that a refusal does not name were carried out: it is answered, and folded instead of resolved.
        const why = await carryOut(api, closingMutation(some), signal)
        if (why === null) continue
        const ids = some.flatMap(({ thread }) => comments.get(thread) ?? [])
        const isFolded = ids.length > 0 && (await carryOut(api, foldingMutation(ids), signal)) === null
        if (!isFolded) refused = why
      }
      return { refused }
    },
    putOverview: async (overview, signal) => ({
      refused: await refusalOf(() => putComment(api, number, overview, signal), isForbidden),
    }),
    async lock(signal) {
      const made = await takeLock(api, number, signal)
      if (made) reaction = Reaction.parse(JSON.parse(made.text)).id
      return made?.isTaken ?? null
    },
    async unlock(signal) {
      const path = `${reactionsOf(number)}/${reaction}`
      // Somebody else may have been faster.
      if (reaction !== null) await unlessUnknown(() => api.send('DELETE', path, null, signal))
    },
    async putCheck(check, signal) {
      const put = hasCheckRuns ? putCheckRun : putCommitStatus
      const refused = await refusalOf(() => put(api, check, signal), isForbidden)
      if (refused !== null) hasCheckRuns = false
      return { refused }
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
function carryOut(api: GitHubApi, { query, variables }: Mutation, signal: AbortSignal) {
  const write = () => api.graphql(query, variables, signal)
  return refusalOf(write, (error) => error instanceof Refused)
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
