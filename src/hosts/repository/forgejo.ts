/** Open pull requests, files and comments of a repository on Forgejo or Gitea. */
import { z } from 'zod'
import { Actor } from '../../domain/review-request.ts'
import { openForgejoApi } from '../forgejo/client.ts'
import {
  type AcknowledgeComment,
  type AnswerComment,
  answerOnce,
  filePages,
  mostOpen,
  mostPatched,
  type OpenRepository,
  type PatchedFile,
  sayingOf,
  withActors,
} from './contract.ts'
import { readListedPulls } from './listed-pulls.ts'

/** What most servers give at most. */
const perPage = 50

const File = z.object({ filename: z.string(), changes: z.number().default(0) })
const Comment = z.object({
  id: z.number(),
  body: z.string(),
  created_at: z.string(),
  updated_at: z.string().nullish(),
  user: z.object({ id: z.number(), login: z.string() }),
})
/** Null instead of an empty list. */
const Reactions = z
  .array(z.object({ content: z.string(), user: z.object({ id: z.number(), login: z.string() }).nullable() }))
  .nullable()

export const openForgejoRepository: OpenRepository = (address, access) => {
  const api = openForgejoApi(address, access)
  const pages = async (path: string, most: number, signal: AbortSignal) => {
    const all: unknown[] = []
    for (let page = 1; page <= most; page++) {
      const mark = path.includes('?') ? '&' : '?'
      const found = z
        .array(z.unknown())
        .parse(await api.get(`${path}${mark}limit=${perPage}&page=${page}`, signal))
      all.push(...found)
      if (found.length < perPage) break
    }
    return all
  }
  return {
    async readFiles(number, signal) {
      const files = z.array(File).parse(await pages(`/pulls/${number}/files`, filePages, signal))
      return {
        paths: files.map(({ filename }) => filename),
        lines: files.reduce((sum, { changes }) => sum + changes, 0),
        isWhole: files.length < filePages * perPage,
      }
    },
    async listOpen(signal) {
      const found = await pages('/pulls?state=open', mostOpen / perPage, signal)
      return readListedPulls(found)
    },
    async readPatches(number, signal) {
      return filesOf(await api.getText(`/pulls/${number}.diff`, signal)).slice(0, mostPatched)
    },
    // Neither server says which of two commits is older.
    isAncestor: async (older, newer) => (older === newer ? true : null),
    async readComment({ number, id }, signal) {
      const all = z.array(Comment).parse(await api.get(`/issues/${number}/comments`, signal))
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
      for (const { id, comment } of threads) {
        const found = await api.get(`/issues/comments/${encodeURIComponent(comment)}/reactions`, signal)
        for (const { content, user } of Reactions.parse(found) ?? []) {
          const says = sayingOf(content)
          if (says && user && user.id !== me.id) given.push({ thread: id, says, user })
        }
      }
      return await withActors(given, async ({ id, login }) => ({
        ...{ id: String(id), login, isBot: false },
        trust: await api.readTrust(login, signal),
      }))
    },
  }
}

export const acknowledgeOnForgejo: AcknowledgeComment = async (address, access, { id }, signal) => {
  const path = `/issues/comments/${encodeURIComponent(id)}/reactions`
  await openForgejoApi(address, access).post(path, { content: 'eyes' }, signal)
}

export const answerOnForgejo: AnswerComment = async (address, access, { number }, answer, signal) => {
  const api = openForgejoApi(address, access)
  const path = `/issues/${number}/comments`
  const there = z.array(Comment).parse(await api.get(path, signal))
  return await answerOnce(there, answer, (body) => api.post(path, { body }, signal))
}

/** Of a diff as git prints it; a file whose name git quotes is left out. */
function filesOf(diff: string): PatchedFile[] {
  return diff.split(/^(?=diff --git )/m).flatMap((section) => {
    const start = section.search(/^@@ /m)
    const header = start === -1 ? section : section.slice(0, start)
    const names = /^diff --git a\/(.+) b\/(.+)$/m.exec(header)
    const oldPath = /^(?:--- a\/|rename from )(.+)$/m.exec(header)?.[1] ?? names?.[1]
    const path = /^(?:\+\+\+ b\/|rename to )(.+)$/m.exec(header)?.[1] ?? names?.[2]
    if (oldPath === undefined || path === undefined) return []
    return [{ path, oldPath, patch: start === -1 ? null : section.slice(start) }]
  })
}
