/**
 * The publisher's half. Each comment is a separate request and is seen at once; answers are within what they answer. The lock
 * is a comment of a review that is never finished, so that only this account sees it.
 */
import { z } from 'zod'
import { unlessUnknown } from '../remote/answers.ts'
import { buildKey, buildOf, checkOfBuild } from '../remote/builds.ts'
import type {
  ChangeAddress,
  ChangeWriter,
  HostAccess,
  OwnCheck,
  PlannedCheck,
  PlannedComment,
  PlannedLine,
} from '../remote/contract.ts'
import { pageOf } from '../remote/facts.ts'
import { writesOneByOne } from '../remote/one-by-one.ts'
import { toHost, withoutFolded } from '../remote/without-html.ts'
import { type ListedComment, publishedState, splitComments } from '../remote/writers.ts'
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
  const at = (id: string | number) => `${comments}/${encodeURIComponent(id)}`
  const edit = (id: string, change: object, signal: AbortSignal) =>
    withVersion(own, at(id), (version) => own.send('PUT', at(id), { ...change, version }, signal), signal)
  const remove = (id: string | number, signal: AbortSignal) => {
    const del = (version: number) => own.send('DELETE', `${at(id)}?version=${version}`, null, signal)
    return unlessUnknown(() => withVersion(own, at(id), del, signal))
  }
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
      const found = {
        ...{ me, head: fromRef.latestCommit, state: states[state], lacks: [], check },
        ...{ repositoryId: toRef.repository.id, isPublic: toRef.repository.visibility === 'public' },
        ...splitComments(all.map((one) => listedOf(address, one))),
      }
      const users = new Map(all.map(({ author }) => [String(author.id), author]))
      return await publishedState(found, async (author) => {
        const user = users.get(author)
        return user ? await api.readTrust(user, signal) : 'unknown'
      })
    },
    readCheck: (head, signal) => readBuild(api, head, signal),
    ...writesOneByOne({
      async begin(signal) {
        const { fromRef } = await readPull(api, address, signal)
        const post = async (comment: PlannedComment) => {
          const placed = { text: toHost(withoutFolded(comment.body)), anchor: anchorOf(comment) }
          return [String(Pending.parse(await own.send('POST', comments, placed, signal)).id)]
        }
        return { head: fromRef.latestCommit, post }
      },
      say: (body, signal) => own.send('POST', comments, { text: toHost(body) }, signal),
      edit: (id, body, signal) => edit(id, { text: toHost(body) }, signal),
      remove,
      answer: (id, reply, signal) =>
        own.send('POST', comments, { text: toHost(reply), parent: { id: Number(id) } }, signal),
      close: (id, signal) => edit(id, { threadResolved: true }, signal),
      putCheck: (check, signal) => putBuild(api, address, check, signal),
      lock: {
        async take(signal) {
          const taken = { text: lockText, state: 'PENDING' }
          const { id, state } = Pending.parse(await own.send('POST', comments, taken, signal))
          if (state === 'PENDING') return id
          // Whoever does not know such comments would show it to all.
          await remove(id, signal)
          return null
        },
        async readAll(signal) {
          const path = `/pull-requests/${address.number}/review`
          const found = z.array(Pending).parse(await own.list(path, { pages: mostPages }, signal))
          return found.filter(({ text }) => text === lockText)
        },
        release: remove,
      },
    }),
  }
}

function listedOf(
  address: ChangeAddress,
  { id, root, author, text: body, anchor, threadResolved: isResolved }: Comment,
): ListedComment {
  const line = anchor?.orphaned ? null : (anchor?.line ?? null)
  return {
    ...{ id: String(id), root: String(root), author: String(author.id), body, isResolved },
    place: anchor ? { path: anchor.path, line, posted: null } : null,
    url: `${pageOf(address)}/overview?commentId=${id}`,
  }
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
