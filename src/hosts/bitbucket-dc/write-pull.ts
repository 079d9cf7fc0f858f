/**
 * The publisher's half. Each comment is a separate request and is seen at once; answers are within what they answer. The lock
 * is a comment of a review that is never finished, so that only this account sees it.
 */
import { z } from 'zod'
import { refusalOf, unlessUnknown } from '../remote/answers.ts'
import { buildKey, buildOf, checkOfBuild } from '../remote/builds.ts'
import type {
  ChangeAddress,
  ChangeWriter,
  HostAccess,
  OwnCheck,
  OwnThread,
  PlannedCheck,
  PlannedComment,
  PlannedLine,
  PlannedReview,
} from '../remote/contract.ts'
import { pageOf } from '../remote/facts.ts'
import { toHost, withoutFolded } from '../remote/without-html.ts'
import { closeOneByOne, postOneByOne, publishedState, takeFirst } from '../remote/writers.ts'
import { type BitbucketDcApi, type Comment, openBitbucketDcApi, Pending, withVersion } from './client.ts'
import { bitbucketDc } from './facts.ts'
import { readPull, states } from './read-pull.ts'

const mostPages = 40
const lockText = 'sightline: publishing'
/** The first version whose comments may span lines. */
const multiLineSince = 9002

export function openPullWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openBitbucketDcApi(address, access)
  const { own } = api
  const comments = `/pull-requests/${address.number}/comments`
  let { abilities } = bitbucketDc
  return {
    /** As they are at best, until the state was read. */
    get abilities() {
      return abilities
    },
    async readState(signal) {
      const [{ me, version }, pull, all] = await Promise.all([
        api.readSelf(signal),
        readPull(api, address, signal),
        api.readComments(address.number, { pages: mostPages, isWhole: true }, signal),
      ])
      // A suggestion replaces the lines of its comment.
      if (version < multiLineSince) abilities = { ...abilities, multiLine: false, suggestions: null }
      const { fromRef, toRef, state } = pull
      const check = await readBuild(api, fromRef.latestCommit, signal)
      const first = all.filter(({ id, root }) => id === root)
      const found = {
        ...{ me, head: fromRef.latestCommit, state: states[state], lacks: [], check },
        ...{ repositoryId: toRef.repository.id, isPublic: toRef.repository.visibility === 'public' },
        bodies: first
          .filter(({ anchor }) => !anchor)
          .map((one) => ({ id: String(one.id), ...postedOf(one) })),
        threads: first.flatMap((one) => threadOf(address, one, all)),
      }
      const users = new Map(all.map(({ author }) => [String(author.id), author]))
      return await publishedState(found, async (author) => {
        const user = users.get(author)
        return user ? await api.readTrust(user, signal) : 'unknown'
      })
    },
    readCheck: (head, signal) => readBuild(api, head, signal),
    postReview: (review, signal) => postReview(api, address, review, signal),
    closeThreads: (closings, signal) =>
      closeOneByOne(closings, {
        answer(thread, reply) {
          const comment = { text: toHost(reply), parent: { id: Number(thread) } }
          return own.send('POST', comments, comment, signal)
        },
        close: (thread) =>
          edit(api, `${comments}/${encodeURIComponent(thread)}`, { threadResolved: true }, signal),
      }),
    putOverview: async ({ id, body }, signal) => ({
      refused: await refusalOf(() =>
        id === null
          ? own.send('POST', comments, { text: toHost(body) }, signal)
          : edit(api, `${comments}/${encodeURIComponent(id)}`, { text: toHost(body) }, signal),
      ),
    }),
    lock: (signal) =>
      takeFirst({
        async take() {
          const taken = { text: lockText, state: 'PENDING' }
          const { id, state } = Pending.parse(await own.send('POST', comments, taken, signal))
          if (state === 'PENDING') return id
          // Whoever does not know such comments would show it to all.
          await remove(api, `${comments}/${id}`, signal)
          return null
        },
        readAll: () => readLocks(api, address, signal),
        release: (id) => remove(api, `${comments}/${id}`, signal),
      }),
    async unlock(signal) {
      for (const { id } of await readLocks(api, address, signal))
        await remove(api, `${comments}/${id}`, signal)
    },
    putCheck: async (check, signal) => ({
      refused: await refusalOf(() => putBuild(api, address, check, signal)),
    }),
  }
}

async function edit({ own }: BitbucketDcApi, path: string, change: object, signal: AbortSignal) {
  return await withVersion(
    own,
    path,
    (version) => own.send('PUT', path, { ...change, version }, signal),
    signal,
  )
}

async function remove({ own }: BitbucketDcApi, path: string, signal: AbortSignal) {
  const del = (version: number) => own.send('DELETE', `${path}?version=${version}`, null, signal)
  return await unlessUnknown(() => withVersion(own, path, del, signal))
}

async function readLocks({ own }: BitbucketDcApi, { number }: ChangeAddress, signal: AbortSignal) {
  const found = z
    .array(Pending)
    .parse(await own.list(`/pull-requests/${number}/review`, { pages: mostPages }, signal))
  return found.filter(({ text }) => text === lockText)
}

function threadOf(address: ChangeAddress, first: Comment, all: readonly Comment[]): OwnThread[] {
  const { id, anchor, threadResolved } = first
  if (!anchor) return []
  return [
    {
      ...{ id: String(id), comment: String(id), path: anchor.path, ...postedOf(first), posted: null },
      ...{ line: anchor.orphaned ? null : (anchor.line ?? null), isResolved: threadResolved },
      url: `${pageOf(address)}/overview?commentId=${id}`,
      replies: all.filter((one) => one.root === id && one.id !== id).map(postedOf),
    },
  ]
}

function postedOf({ author, text }: Comment) {
  return { author: String(author.id), body: text }
}

async function postReview(
  api: BitbucketDcApi,
  address: ChangeAddress,
  review: PlannedReview,
  signal: AbortSignal,
): Promise<void> {
  const { own } = api
  const path = `/pull-requests/${address.number}/comments`
  await postOneByOne(review, {
    head: (await readPull(api, address, signal)).fromRef.latestCommit,
    async post(comment) {
      const planned = { text: toHost(withoutFolded(comment.body)), anchor: anchorOf(comment) }
      return [String(Pending.parse(await own.send('POST', path, planned, signal)).id)]
    },
    remove: (id) => remove(api, `${path}/${id}`, signal),
  })
  if (review.body !== '') await own.send('POST', path, { text: toHost(review.body) }, signal)
}

const lineTypeOf = ({ old, new: fresh }: PlannedLine) =>
  old === null ? 'ADDED' : fresh === null ? 'REMOVED' : 'CONTEXT'

/** A span is told in the numbers of both sides; where one lacks a line, in the number of the next one there. */
function anchorOf({ path, oldPath, side, start, end }: PlannedComment) {
  const [first, last] = [start[side], end[side]]
  const span = {
    multilineMarker: { startLine: first, startLineType: lineTypeOf(start) },
    multilineSpan: {
      ...{ srcSpanStart: start.counted.old, srcSpanEnd: end.counted.old },
      ...{ dstSpanStart: start.counted.new, dstSpanEnd: end.counted.new },
    },
  }
  return {
    ...{ diffType: 'EFFECTIVE', path, ...(oldPath === path ? {} : { srcPath: oldPath }) },
    ...{ line: last, lineType: lineTypeOf(end), fileType: side === 'new' ? 'TO' : 'FROM' },
    ...(first === last ? {} : span),
  }
}

async function readBuild(
  { own }: BitbucketDcApi,
  head: string,
  signal: AbortSignal,
): Promise<OwnCheck | null> {
  return await checkOfBuild(() => own.get(`/commits/${head}/builds?key=${buildKey}`, signal))
}

async function putBuild(
  api: BitbucketDcApi,
  address: ChangeAddress,
  check: PlannedCheck,
  signal: AbortSignal,
) {
  const { fromRef } = await readPull(api, address, signal)
  // What a repository can require is the parent.
  const build = { ...buildOf(check, pageOf(address)), parent: buildKey, ref: fromRef.id }
  await api.own.send('POST', `/commits/${check.head}/builds`, build, signal)
}
