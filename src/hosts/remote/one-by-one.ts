/**
 * The writes of a host where each comment is a request, and is seen at once. An adapter says what each request is; their order,
 * what is taken back, and what a refusal means are the same for all.
 */
import { UserError } from '../../base/errors.ts'
import { isForbidden, Refused, refusalOf, unlessRefused } from './answers.ts'
import {
  AnchorsRefused,
  type ChangeWriter,
  type PlannedCheck,
  type PlannedComment,
  type PlannedReview,
} from './contract.ts'

/** Each throws what the host refuses. */
export type ConversationRequests = {
  /** A new comment in the conversation. */
  say(body: string, signal: AbortSignal): Promise<unknown>
  edit(comment: string, body: string, signal: AbortSignal): Promise<unknown>
  answer(thread: string, reply: string, signal: AbortSignal): Promise<unknown>
  close(thread: string, signal: AbortSignal): Promise<unknown>
  putCheck(check: PlannedCheck, signal: AbortSignal): Promise<unknown>
}

export type CommentRequests = ConversationRequests & {
  /** What is needed before the comments of a review. */
  begin(signal: AbortSignal): Promise<PostedOn>
  remove(comment: string, signal: AbortSignal): Promise<unknown>
  /** Null where nothing can be taken by one process only. */
  lock: FirstLock | null
}

export type PostedOn = {
  /** As the host has it now: it asks for no commit. */
  head: string
  /** Puts a comment on its lines. Returns the ids of what was made. Throws `Refused` for a place that does not exist. */
  post(comment: PlannedComment): Promise<readonly string[]>
}

/** A lock where the host has nothing that it lets only one process make. */
export type FirstLock = {
  /** Returns the id of what was made; null where the host has no such thing. */
  take(signal: AbortSignal): Promise<number | null>
  /** Of this account, of all its processes. */
  readAll(signal: AbortSignal): Promise<readonly { id: number }[]>
  release(id: number, signal: AbortSignal): Promise<unknown>
}

/** Whatever the host has for the comments of a review: conversation, threads and check by one request each. */
export function conversationWrites(
  host: ConversationRequests,
): Pick<ChangeWriter, 'closeThreads' | 'putOverview' | 'putCheck'> {
  return {
    /** Every thread is answered, and closed where the token may: after one refusal, the others are answered only. */
    async closeThreads(closings, signal) {
      let refused: string | null = null
      for (const { thread, reply } of closings) {
        if (reply !== null) await host.answer(thread, reply, signal)
        refused ??= await refusalOf(() => host.close(thread, signal), isForbidden)
      }
      return { refused }
    },
    putOverview: async ({ id, body }, signal) => ({
      refused: await refusalOf(() => (id === null ? host.say(body, signal) : host.edit(id, body, signal))),
    }),
    putCheck: async (check, signal) => ({ refused: await refusalOf(() => host.putCheck(check, signal)) }),
  }
}

export function writesOneByOne(
  host: CommentRequests,
): Pick<ChangeWriter, 'postReview' | 'closeThreads' | 'putOverview' | 'putCheck' | 'lock' | 'unlock'> {
  const { lock } = host
  return {
    ...conversationWrites(host),
    postReview: (review, signal) => postAll(review, host, signal),
    lock: async (signal) => lock && (await takeFirst(lock, signal)),
    async unlock(signal) {
      for (const { id } of (await lock?.readAll(signal)) ?? []) await lock?.release(id, signal)
    },
  }
}

/** All comments or none: where one is refused, the others are removed. */
async function postAll(
  review: PlannedReview,
  { begin, say, remove }: CommentRequests,
  signal: AbortSignal,
): Promise<void> {
  const { head, post } = await begin(signal)
  if (head !== review.head)
    throw new UserError('head-moved', `the pull request is at ${head.slice(0, 12)} now`)
  const made: string[] = []
  try {
    for (const comment of review.comments) made.push(...(await post(comment)))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    for (const id of made) await remove(id, signal)
    throw new AnchorsRefused(error.message, { cause: error })
  }
  if (review.body !== '') await say(review.body, signal)
}

/** Of several that came at once, the first has it. Null where there is no lock for this token. */
async function takeFirst(
  { take, readAll, release }: FirstLock,
  signal: AbortSignal,
): Promise<boolean | null> {
  return await unlessRefused(async () => {
    const own = await take(signal)
    if (own === null) return null
    const isTaken = (await readAll(signal)).every(({ id }) => id >= own)
    if (!isTaken) await release(own, signal)
    return isTaken
  })
}
