/** Open pull requests, files, comments and reactions of a repository on Bitbucket Data Center. */
import { z } from 'zod'
import { unlessAbsent } from '../remote/answers.ts'
import { withQuery } from '../remote/api.ts'
import { hostedRepository } from '../remote/hosted-change.ts'
import { toHost } from '../remote/without-html.ts'
import {
  type AcknowledgeComment,
  type AnswerComment,
  answerOnce,
  answerPages,
  mostOpen,
  mostPatched,
  type OpenRepository,
  patchesOf,
  peopleWho,
} from '../repository/contract.ts'
import { openBitbucketDcApi, Page, perPage } from './client.ts'
import { Pull, Repository } from './read-pull.ts'

const File = z.object({ path: z.object({ components: z.array(z.string()) }) })
const Commit = z.object({ id: z.string() })

/** Pages of the list of files do not go on behind the first. */
const mostFiles = 1000

export const openRepository: OpenRepository = (place, access) => {
  const api = openBitbucketDcApi(place, access)
  const { own } = api
  return {
    async lookUp(signal) {
      const { id: repositoryId, fullName, visibility } = Repository.parse(await own.get('', signal))
      const { authorization } = api
      return hostedRepository(place, { fullName, repositoryId, visibility, authorization })
    },
    async readFiles(number, signal) {
      const path = withQuery(`/pull-requests/${number}/changes`, { limit: mostFiles, withComments: 'false' })
      const { values, isLastPage } = Page.parse(await own.get(path, signal))
      const paths = z.array(File).parse(values)
      // It counts no lines.
      return { paths: paths.map((file) => file.path.components.join('/')), lines: 0, isWhole: isLastPage }
    },
    async listOpen(signal) {
      const options = { pages: mostOpen / perPage, query: { state: 'OPEN', order: 'NEWEST' } }
      const found = await own.list('/pull-requests', options, signal)
      return z
        .array(Pull)
        .parse(found)
        .map(({ id: number, fromRef: from, toRef, updatedDate: updatedAt, title, author, ...pull }) => ({
          ...{ number, head: from.latestCommit, updatedAt, title, body: pull.description ?? '' },
          ...{ author: author.user.name, isDraft: pull.draft, branch: from.displayId },
          isFork: String(from.repository?.id) !== toRef.repository.id,
        }))
    },
    async readPatches(number, signal) {
      const text = await api.readDiff(number, signal)
      return patchesOf(asGitPrintsIt(text)).slice(0, mostPatched)
    },
    async isAncestor(older, newer, signal) {
      const path = withQuery(`/commits/${older}/merge-base`, { otherCommitId: newer })
      const base = await unlessAbsent(async () => (await own.get(path, signal)) ?? { id: '' })
      return base === null ? null : Commit.parse(base).id === older
    },
    async readComment({ number, id }, signal) {
      // What a comment answers is told by the list alone.
      const all = await api.readComments(number, { pages: answerPages }, signal)
      const found = all.find((one) => String(one.id) === id)
      if (!found) return null
      const { text: body, author, createdDate: created, updatedDate: updated, root } = found
      return {
        ...{ body, author: await api.readActor(author, signal), isEdited: (updated ?? created) !== created },
        thread: root === found.id ? null : String(root),
      }
    },
    async readReactions(number, threads, signal) {
      const [{ me }, all] = await Promise.all([
        api.readSelf(signal),
        api.readComments(number, { pages: answerPages }, signal),
      ])
      const ids = threads.map(({ id }) => id)
      const given = all
        .filter(({ id }) => ids.includes(String(id)))
        .flatMap(({ id, properties: { reactions } }) =>
          reactions.flatMap(({ emoticon: { shortcut: emoji }, users }) =>
            users.map((user) => ({ thread: String(id), emoji, user: { ...user, login: user.name } })),
          ),
        )
      const others = given.filter(({ user }) => String(user.id) !== me)
      return await peopleWho(others, (user) => api.readActor(user, signal))
    },
  }
}

/** It has prefixes of its own. */
function asGitPrintsIt(diff: string): string {
  return diff
    .replace(/^diff --git src:\/\/(.+) dst:\/\/(.+)$/gm, 'diff --git a/$1 b/$2')
    .replace(/^--- src:\/\//gm, '--- a/')
    .replace(/^\+\+\+ dst:\/\//gm, '+++ b/')
}

export const acknowledge: AcknowledgeComment = async (address, access, { number, id }, signal) => {
  const { root, place } = openBitbucketDcApi(address, access)
  const comment = `${place}/pull-requests/${number}/comments/${encodeURIComponent(id)}`
  await root.send('PUT', `/comment-likes/latest${comment}/reactions/eyes`, {}, signal)
}

/** Every comment begins a thread, or is in one. */
export const answer: AnswerComment = async (address, access, { number, id }, planned, signal) => {
  const api = openBitbucketDcApi(address, access)
  const all = await api.readComments(number, { pages: answerPages }, signal)
  const root = all.find((one) => String(one.id) === id)?.root ?? Number(id)
  const there = all.filter((one) => one.root === root).map(({ text: body }) => ({ body }))
  return await answerOnce(there, planned, (body) => {
    const comment = { text: toHost(body), parent: { id: root } }
    return api.own.send('POST', `/pull-requests/${number}/comments`, comment, signal)
  })
}
