/**
 * What of ours is on a change request, in the form that all hosts share, which accounts besides ours are believed, and how the
 * comments of a review are posted and closed where each is a request.
 */
import { UserError } from '../../base/errors.ts'
import { type ActorTrust, mayWrite } from '../../domain/review-request.ts'
import { isForbidden, Refused, refusalOf, unlessRefused } from './answers.ts'
import {
  AnchorsRefused,
  markerStart,
  mayBeOurs,
  type PlannedClosing,
  type PlannedReview,
  type PublishedState,
} from './contract.ts'

/** The earliest; strangers who come later cannot keep them from being asked about, nor make us ask without end. */
const mostAsked = 10

/** Of `state`, with everybody's bodies and threads, what may be ours. */
export async function publishedState(
  state: Omit<PublishedState, 'writers'>,
  readTrust: (author: string) => Promise<ActorTrust>,
): Promise<PublishedState> {
  const { me } = state
  const bodies = state.bodies.filter((body) => mayBeOurs(body, me))
  const threads = state.threads.filter((thread) => mayBeOurs(thread, me))
  return { ...state, bodies, threads, writers: await readWriters({ me, bodies, threads }, readTrust) }
}

/** Markers of these need no signature: they may decide about findings in any case, by the host's word. */
async function readWriters(
  { me, bodies, threads }: Pick<PublishedState, 'me' | 'bodies' | 'threads'>,
  readTrust: (author: string) => Promise<ActorTrust>,
): Promise<string[]> {
  const posted = [...bodies, ...threads, ...threads.flatMap(({ replies }) => replies)]
  const marked = posted.filter(({ author, body }) => ![me, ''].includes(author) && body.includes(markerStart))
  const others = [...new Set(marked.map(({ author }) => author))].slice(0, mostAsked)
  const trusts = await Promise.all(others.map(readTrust))
  return others.filter((_, at) => mayWrite(trusts[at] ?? 'unknown'))
}

export type OneByOne<Comment> = {
  /** The head as the host has it now: it asks for no commit. */
  head: string
  /** Returns the ids of what was made. Throws `Refused` for a place that does not exist. */
  post(comment: Comment): Promise<readonly string[]>
  remove(id: string): Promise<unknown>
}

/** All or none: where one is refused, the others are removed. Throws `head-moved`, `AnchorsRefused`, and as `post` does. */
export async function postOneByOne(
  review: PlannedReview,
  { head, post, remove }: OneByOne<PlannedReview['comments'][number]>,
): Promise<void> {
  if (head !== review.head)
    throw new UserError('head-moved', `the pull request is at ${head.slice(0, 12)} now`)
  const made: string[] = []
  try {
    for (const comment of review.comments) made.push(...(await post(comment)))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    for (const id of made) await remove(id)
    throw new AnchorsRefused(error.message, { cause: error })
  }
}

/** A lock where the host has nothing that it lets only one process make. */
export type FirstLock = {
  /** Returns the id of what was made; null where the host has no such thing. */
  take(): Promise<number | null>
  /** Of this account, of all its processes. */
  readAll(): Promise<readonly { id: number }[]>
  release(id: number): Promise<unknown>
}

/** Of several that came at once, the first has it. Null where there is no lock for this token. */
export async function takeFirst({ take, readAll, release }: FirstLock): Promise<boolean | null> {
  return await unlessRefused(async () => {
    const own = await take()
    if (own === null) return null
    const isTaken = (await readAll()).every(({ id }) => id >= own)
    if (!isTaken) await release(own)
    return isTaken
  })
}

/** Every thread is answered, and closed where the token may: after one refusal, the others are answered only. Returns why one was answered only. Throws as both writes do. */
export async function closeOneByOne(
  closings: readonly PlannedClosing[],
  writes: {
    answer(thread: string, reply: string): Promise<unknown>
    close(thread: string): Promise<unknown>
  },
): Promise<{ refused: string | null }> {
  let refused: string | null = null
  for (const { thread, reply } of closings) {
    if (reply !== null) await writes.answer(thread, reply)
    refused ??= await refusalOf(() => writes.close(thread), isForbidden)
  }
  return { refused }
}
