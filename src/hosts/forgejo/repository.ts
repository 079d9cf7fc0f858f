/** Open pull requests, files and comments of a repository on Forgejo or Gitea. */
import { z } from 'zod'
import { Actor } from '../../domain/review-request.ts'
import { lookUp, readListedPulls, User } from '../remote/pull-requests.ts'
import {
  type AcknowledgeComment,
  type AnswerComment,
  answerOnce,
  changedFiles,
  filePages,
  mostOpen,
  mostPatched,
  type OpenRepository,
  patchesOf,
  peopleWho,
} from '../repository/contract.ts'
import { openForgejoApi, perPage } from './client.ts'
import { Comment } from './read-pull.ts'

const File = z.object({ filename: z.string(), changes: z.number().default(0) })
const DatedComment = Comment.extend({ created_at: z.string(), updated_at: z.string().nullish(), user: User })
/** Null instead of an empty list. */
const Reactions = z.array(z.object({ content: z.string(), user: User.nullable() })).nullable()

export const openRepository: OpenRepository = (place, access) => {
  const api = openForgejoApi(place, access)
  return {
    lookUp: (signal) => lookUp(api, place, api.gitAuthorization, signal),
    async readFiles(number, signal) {
      const found = await api.list(`/pulls/${number}/files`, { pages: filePages }, signal)
      const files = z.array(File).parse(found)
      return changedFiles(
        files.map(({ filename, changes }) => ({ path: filename, lines: changes })),
        perPage,
      )
    },
    async listOpen(signal) {
      const options = { pages: mostOpen / perPage, query: { state: 'open' } }
      return readListedPulls(await api.list('/pulls', options, signal))
    },
    async readPatches(number, signal) {
      const { text } = await api.ask('GET', `/pulls/${number}.diff`, null, signal)
      return patchesOf(text).slice(0, mostPatched)
    },
    // Neither server says which of two commits is older.
    isAncestor: async () => null,
    async readComment({ number, id }, signal) {
      const all = z.array(DatedComment).parse(await api.get(`/issues/${number}/comments`, signal))
      const found = all.find((comment) => String(comment.id) === id)
      if (!found) return null
      const { body, user, created_at: created, updated_at: updated } = found
      const trust = await api.readTrust(user.login, signal)
      return {
        body,
        // A bot is an ordinary account here; ours is known by its id.
        author: Actor.parse({ id: String(user.id), login: user.login, isBot: false, trust }),
        isEdited: (updated ?? created) !== created,
        // Webhooks are about comments of the conversation only.
        thread: null,
      }
    },
    async readReactions(_number, threads, signal) {
      const me = await api.readUser(signal)
      const given = []
      for (const { id: thread, comment } of threads) {
        const found = Reactions.parse(await api.get(reactionsOf(comment), signal)) ?? []
        for (const { content: emoji, user } of found)
          if (user && user.id !== me) given.push({ thread, emoji, user })
      }
      return await peopleWho(given, async ({ id, login }) => ({
        ...{ id: String(id), login, isBot: false },
        trust: await api.readTrust(login, signal),
      }))
    },
  }
}

function reactionsOf(comment: string): string {
  return `/issues/comments/${encodeURIComponent(comment)}/reactions`
}

export const acknowledge: AcknowledgeComment = async (address, access, { id }, signal) => {
  await openForgejoApi(address, access).send('POST', reactionsOf(id), { content: 'eyes' }, signal)
}

export const answer: AnswerComment = async (address, access, { number }, planned, signal) => {
  const api = openForgejoApi(address, access)
  const path = `/issues/${number}/comments`
  const there = z.array(DatedComment).parse(await api.get(path, signal))
  return await answerOnce(there, planned, (body) => api.send('POST', path, { body }, signal))
}
