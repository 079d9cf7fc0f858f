/** Open pull requests, files and comments of a repository on Azure DevOps. */
import { z } from 'zod'
import { unlessAbsent, unlessUnknown } from '../remote/answers.ts'
import { withQuery } from '../remote/api.ts'
import { listOf } from '../remote/azure-requests.ts'
import { hostedRepository } from '../remote/hosted-change.ts'
import {
  type AcknowledgeComment,
  type AnswerComment,
  answerOnce,
  changedFiles,
  mostOpen,
  mostPatched,
  type OpenRepository,
  peopleWho,
} from '../repository/contract.ts'
import { openAzureApi, perPage } from './client.ts'
import { actorOf, Comment, commentPath, isSaid, noIterations, openPull, Pull, threadPath } from './pull.ts'

const Commits = listOf(z.object({ commitId: z.string() }))

export const openRepository: OpenRepository = (place, access) => {
  const api = openAzureApi(place, access)
  const readLatest = async (number: number, signal: AbortSignal) => {
    const own = openPull(api, { number })
    return await own.readChanges(await own.readIterations(null, signal), signal)
  }
  return {
    lookUp: async (signal) => hostedRepository(place, await api.readRepository(signal)),
    async readFiles(number, signal) {
      const files = await readLatest(number, signal)
      // The server counts no lines.
      return changedFiles(
        files.map(({ path }) => ({ path, lines: 0 })),
        perPage,
      )
    },
    async listOpen(signal) {
      const options = { pages: mostOpen / perPage, query: { 'searchCriteria.status': 'active' } }
      const found = z.array(Pull).parse(await api.list('/pullRequests', options, signal))
      return found.flatMap((pull) =>
        // Without one, the server is still preparing it.
        pull.lastMergeSourceCommit
          ? {
              ...{ number: pull.pullRequestId, head: pull.lastMergeSourceCommit.commitId, title: pull.title },
              // It does not say when a pull request changed last.
              updatedAt: Date.parse(pull.creationDate),
              ...{ author: pull.createdBy.displayName, isDraft: pull.isDraft, body: pull.description ?? '' },
              ...{ branch: pull.sourceRefName, isFork: Boolean(pull.forkSource) },
            }
          : [],
      )
    },
    async readPatches(number, signal) {
      const files = await readLatest(number, signal)
      return files.slice(0, mostPatched).map(({ path, oldPath }) => ({ path, oldPath, patch: null }))
    },
    async isAncestor(older, newer, signal) {
      const path = withQuery(`/commits/${older}/mergeBases`, { otherCommitId: newer })
      const bases = await unlessAbsent(() => api.get(path, signal))
      return bases === null ? null : Commits.parse(bases).some(({ commitId }) => commitId === older)
    },
    async readComment({ number, id }, signal) {
      const found = await unlessUnknown(() => openPull(api, { number }).get(commentPath(id), signal))
      const comment = Comment.nullable().parse(found)
      if (!comment || !isSaid(comment)) return null
      const { author, content, publishedDate: published, lastContentUpdatedDate: edited } = comment
      return {
        body: content,
        author: actorOf(author, await api.readTrust(author.id, signal)),
        isEdited: (edited ?? published) !== published,
        thread: comment.parentCommentId === 0 ? null : `${id.split('/')[0]}/${comment.parentCommentId}`,
      }
    },
    async readReactions(number, threads, signal) {
      const me = await api.readUser(signal)
      const all = await openPull(api, { number }).readComments(noIterations, signal)
      const ids = threads.map(({ id }) => id)
      const likes = all
        .filter(({ id }) => ids.includes(id))
        .flatMap(({ id: thread, usersLiked }) =>
          usersLiked.map((user) => ({ thread, emoji: 'thumbsup', user: { ...user, login: user.id } })),
        )
      const others = likes.filter(({ user }) => user.id !== me)
      return await peopleWho(others, async (user) => actorOf(user, await api.readTrust(user.id, signal)))
    },
  }
}

export const acknowledge: AcknowledgeComment = async (address, access, place, signal) => {
  const own = openPull(openAzureApi(address, access), place)
  await own.send('POST', `${commentPath(place.id)}/likes`, null, signal)
}

export const answer: AnswerComment = async (address, access, place, planned, signal) => {
  const own = openPull(openAzureApi(address, access), place)
  const there = listOf(Comment).parse(await own.get(`${threadPath(place.id)}/comments`, signal))
  const said = there.map(({ content: body }) => ({ body }))
  return await answerOnce(said, planned, (body) => own.answer(place.id, body, signal))
}
