/**
 * The publisher's half. Bitbucket Cloud has no reviews: each comment is a separate request and is seen at once, and a thread
 * is a comment with others that name it as their parent. Nothing there can be taken by one process only, so there is no lock.
 */
import { z } from 'zod'
import { Refused, refusalOf, unlessUnknown } from '../remote/answers.ts'
import { buildKey, buildOf, checkOfBuild } from '../remote/builds.ts'
import type {
  ChangeAddress,
  ChangeWriter,
  HostAccess,
  OwnCheck,
  OwnThread,
  PlannedCheck,
  PlannedComment,
  PlannedReview,
} from '../remote/contract.ts'
import { pageOf } from '../remote/facts.ts'
import { toHost, withoutFolded } from '../remote/without-html.ts'
import { closeOneByOne, postOneByOne, publishedState } from '../remote/writers.ts'
import { type BitbucketApi, type Comment, openBitbucketApi } from './client.ts'
import { bitbucket } from './facts.ts'
import { readPull, readVisibility, states } from './read-pull.ts'

const mostPages = 40

export function openPullWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openBitbucketApi(address, access)
  const { number } = address
  const comments = `/pullrequests/${number}/comments`
  return {
    abilities: bitbucket.abilities,
    async readState(signal) {
      const [me, { pull, head }, visibility, all] = await Promise.all([
        api.readUser(signal),
        readPull(api, address, signal),
        readVisibility(api, signal),
        api.readComments(number, { pages: mostPages, isWhole: true }, signal),
      ])
      const first = all.filter(({ parent }) => !parent)
      const state = {
        ...{ me, head, state: states[pull.state], lacks: [], isPublic: visibility === 'public' },
        repositoryId: pull.destination.repository.uuid,
        bodies: first
          .filter(({ inline }) => !inline)
          .map((one) => ({ id: String(one.id), ...postedOf(one) })),
        threads: first.flatMap((one) => threadOf(address, one, all)),
        check: await readStatus(api, head, signal),
      }
      return await publishedState(state, (author) => api.readTrust(author, signal))
    },
    readCheck: (head, signal) => readStatus(api, head, signal),
    postReview: (review, signal) => postReview(api, address, review, signal),
    closeThreads: (closings, signal) =>
      closeOneByOne(closings, {
        answer(thread, reply) {
          const comment = { ...commentOf(reply), parent: { id: Number(thread) } }
          return api.send('POST', comments, comment, signal)
        },
        close: (thread) => resolve(api, `${comments}/${encodeURIComponent(thread)}`, signal),
      }),
    async putOverview({ id, body }, signal) {
      const comment = commentOf(body)
      const refused = await refusalOf(() =>
        id === null
          ? api.send('POST', comments, comment, signal)
          : api.send('PUT', `${comments}/${encodeURIComponent(id)}`, comment, signal),
      )
      return { refused }
    },
    lock: async () => null,
    unlock: async () => {},
    putCheck: async (check, signal) => ({
      refused: await refusalOf(() => putStatus(api, address, check, signal)),
    }),
  }
}

/** Bitbucket moves a comment along with its line, and says when the line is no longer in the diff. */
function threadOf(address: ChangeAddress, first: Comment, all: readonly Comment[]): OwnThread[] {
  const { id, inline, resolution } = first
  if (!inline) return []
  return [
    {
      ...{ id: String(id), comment: String(id), path: inline.path, ...postedOf(first) },
      ...{ line: inline.outdated ? null : (inline.to ?? inline.from ?? null), posted: null },
      isResolved: Boolean(resolution),
      url: `${pageOf(address)}#comment-${id}`,
      replies: all.filter(({ parent }) => parent?.id === id).map(postedOf),
    },
  ]
}

function postedOf({ user, content }: Comment) {
  return { author: user?.uuid ?? '', body: content }
}

function commentOf(body: string) {
  return { content: { raw: toHost(body) } }
}

const Made = z.object({ id: z.number() })

async function postReview(
  api: BitbucketApi,
  address: ChangeAddress,
  review: PlannedReview,
  signal: AbortSignal,
): Promise<void> {
  const { head } = await readPull(api, address, signal)
  const path = `/pullrequests/${address.number}/comments`
  await postOneByOne(review, {
    head,
    async post(comment) {
      const planned = { ...commentOf(withoutFolded(comment.body)), inline: placeOf(comment) }
      return [String(Made.parse(await api.send('POST', path, planned, signal)).id)]
    },
    remove: (id) => unlessUnknown(() => api.send('DELETE', `${path}/${id}`, null, signal)),
  })
  if (review.body !== '') await api.send('POST', path, commentOf(review.body), signal)
}

function placeOf({ path, oldPath, side, start, end }: PlannedComment) {
  const [first, last] = [start[side], end[side]]
  const isRange = first !== last
  return side === 'new'
    ? { path, to: last, ...(isRange ? { start_to: first } : {}) }
    : { path: oldPath, from: last, ...(isRange ? { start_from: first } : {}) }
}

async function resolve(api: BitbucketApi, comment: string, signal: AbortSignal): Promise<void> {
  await api.send('POST', `${comment}/resolve`, null, signal).catch((error: unknown) => {
    // Somebody was faster.
    if (!(error instanceof Refused && error.status === 409)) throw error
  })
}

async function readStatus(api: BitbucketApi, head: string, signal: AbortSignal): Promise<OwnCheck | null> {
  return await checkOfBuild(() => api.get(`/commit/${head}/statuses/build/${buildKey}`, signal))
}

async function putStatus(
  api: BitbucketApi,
  address: ChangeAddress,
  check: PlannedCheck,
  signal: AbortSignal,
) {
  const { pull } = await readPull(api, address, signal)
  // Without the branch, the status does not count for the pull request.
  const status = { ...buildOf(check, pageOf(address)), refname: pull.source.branch.name }
  await api.send('POST', `/commit/${check.head}/statuses/build`, status, signal)
}
