/** The publisher's half: what of ours is on a pull request, one review, one check, and threads of ours resolved. */
import { UserError } from '../../base/errors.ts'
import {
  AnchorsRefused,
  type ChangeAddress,
  type ChangeWriter,
  type HostAccess,
  type PlannedClosing,
  type PlannedComment,
} from '../remote/contract.ts'
import { openGitHubApi, Refused } from './client.ts'
import { putCheckRun, putStatus, readCheckRun, readStatus } from './pull-check.ts'
import { readPublished } from './read-published.ts'

/** Replies and resolutions in one document; each resolves to several writes inside GitHub. */
const closingsAtOnce = 50

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
      const { repository, state } = await readPublished(api, address, signal)
      const [owner = at.owner, repo = at.repo] = repository.split('/')
      Object.assign(at, { owner, repo })
      return { ...state, check: await readCheck(state.head, signal) }
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
    if (isRefusal(error)) return error.message
    throw error
  }
}

function isRefusal(error: unknown): error is UserError {
  return error instanceof UserError && error.code === 'host-refused'
}
