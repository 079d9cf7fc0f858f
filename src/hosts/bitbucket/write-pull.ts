/**
 * The publisher's half. Bitbucket Cloud has no reviews: each comment is a separate request and is seen at once, and a thread
 * is a comment with others that name it as their parent. Nothing there can be taken by one process only, so there is no lock.
 */
import { z } from 'zod'
import { Refused, unlessUnknown } from '../remote/answers.ts'
import { buildKey, buildOf, checkOfBuild } from '../remote/builds.ts'
import type {
  ChangeAddress,
  ChangeWriter,
  HostAccess,
  PlannedCheck,
  PlannedComment,
} from '../remote/contract.ts'
import { pageOf } from '../remote/facts.ts'
import { writesOneByOne } from '../remote/one-by-one.ts'
import { toHost, withoutFolded } from '../remote/without-html.ts'
import { type ListedComment, publishedState, splitComments } from '../remote/writers.ts'
import { type BitbucketApi, type Comment, openBitbucketApi } from './client.ts'
import { bitbucket } from './facts.ts'
import { readPull, readVisibility, states } from './read-pull.ts'

const mostPages = 40
const Made = z.object({ id: z.number() }).transform(({ id }) => [String(id)])

export function openPullWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openBitbucketApi(address, access)
  const { number } = address
  const comments = `/pullrequests/${number}/comments`
  const at = (id: string) => `${comments}/${encodeURIComponent(id)}`
  const readCheck: ChangeWriter['readCheck'] = (head, signal) =>
    checkOfBuild(() => api.get(`/commit/${head}/statuses/build/${buildKey}`, signal))
  return {
    ...{ abilities: bitbucket.abilities, readCheck },
    async readState(signal) {
      const [me, { pull, head }, visibility, all] = await Promise.all([
        api.readUser(signal),
        readPull(api, address, signal),
        readVisibility(api, signal),
        api.readComments(number, { pages: mostPages, isWhole: true }, signal),
      ])
      const state = {
        ...{ me, head, state: states[pull.state], lacks: [], isPublic: visibility === 'public' },
        repositoryId: pull.destination.repository.uuid,
        ...splitComments(all.map((one) => listedOf(address, one))),
        check: await readCheck(head, signal),
      }
      return await publishedState(state, (author) => api.readTrust(author, signal))
    },
    ...writesOneByOne({
      async begin(signal) {
        const { head } = await readPull(api, address, signal)
        const post = async (comment: PlannedComment) => {
          const placed = { ...commentOf(withoutFolded(comment.body)), inline: placeOf(comment) }
          return Made.parse(await api.send('POST', comments, placed, signal))
        }
        return { head, post }
      },
      say: (body, signal) => api.send('POST', comments, commentOf(body), signal),
      edit: (id, body, signal) => api.send('PUT', at(id), commentOf(body), signal),
      remove: (id, signal) => unlessUnknown(() => api.send('DELETE', at(id), null, signal)),
      answer: (id, reply, signal) =>
        api.send('POST', comments, { ...commentOf(reply), parent: { id: Number(id) } }, signal),
      close: (id, signal) => resolve(api, at(id), signal),
      putCheck: (check, signal) => putStatus(api, address, check, signal),
      lock: null,
    }),
  }
}

/** Bitbucket moves a comment along with its line, and says when the line is no longer in the diff. */
function listedOf(
  address: ChangeAddress,
  { id, parent, user, content: body, inline, resolution }: Comment,
): ListedComment {
  const line = inline?.outdated ? null : (inline?.to ?? inline?.from ?? null)
  return {
    ...{ id: String(id), root: String(parent?.id ?? id), author: user?.uuid ?? '', body },
    place: inline ? { path: inline.path, line, posted: null } : null,
    ...{ isResolved: Boolean(resolution), url: `${pageOf(address)}#comment-${id}` },
  }
}

function commentOf(body: string) {
  return { content: { raw: toHost(body) } }
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
