/** Open merge requests, files and notes of a project on GitLab. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor } from '../../domain/review-request.ts'
import { type GitLabApi, openGitLabApi } from '../gitlab/client.ts'
import { Refused } from '../remote/answers.ts'
import {
  type AcknowledgeComment,
  type AnswerComment,
  answerOnce,
  answerPages,
  type CommentPlace,
  filePages,
  mostOpen,
  mostPatched,
  type OpenRepository,
  sayingOf,
  withActors,
} from './contract.ts'

const perPage = 100

const Diff = z.object({ new_path: z.string(), old_path: z.string(), diff: z.string().default('') })
const Merge = z.object({
  iid: z.int().positive(),
  sha: z.string().nullable(),
  updated_at: z.string(),
  title: z.string().default(''),
  draft: z.boolean().default(false),
  author: z.object({ username: z.string() }).nullish(),
})
const Note = z.object({
  body: z.string(),
  system: z.boolean().default(false),
  created_at: z.string(),
  updated_at: z.string(),
  author: z.object({ id: z.number(), username: z.string() }),
})
const Discussion = z.object({
  id: z.string(),
  notes: z.array(z.object({ id: z.number(), body: z.string() })),
})
const Award = z.object({ name: z.string(), user: z.object({ id: z.number(), username: z.string() }) })
const Base = z.object({ id: z.string() })

export const openGitLabRepository: OpenRepository = (address, access) => {
  const api = openGitLabApi(address, access)
  return {
    async readFiles(number, signal) {
      const found = await api.list(
        `/merge_requests/${number}/diffs`,
        {},
        { pages: filePages, isWhole: false },
        signal,
      )
      const files = z.array(Diff).parse(found)
      return {
        paths: files.map((file) => file.new_path),
        lines: files.reduce((sum, { diff }) => sum + (diff.match(/^[+-]/gm)?.length ?? 0), 0),
        isWhole: files.length < filePages * perPage,
      }
    },
    async listOpen(signal) {
      const wanted = { state: 'opened', order_by: 'created_at', sort: 'desc' }
      const limits = { pages: mostOpen / perPage, isWhole: false }
      const found = await api.list('/merge_requests', wanted, limits, signal)
      return z
        .array(Merge)
        .parse(found)
        .flatMap(({ iid, sha, updated_at: at, title, author, draft }) =>
          sha === null
            ? []
            : [
                {
                  ...{ number: iid, head: sha, updatedAt: Date.parse(at) },
                  ...{ title, author: author?.username ?? null, isDraft: draft },
                },
              ],
        )
    },
    async readPatches(number, signal) {
      const limits = { pages: mostPatched / perPage, isWhole: false }
      const found = await api.list(`/merge_requests/${number}/diffs`, {}, limits, signal)
      return z
        .array(Diff)
        .parse(found)
        .map(({ new_path: path, old_path: oldPath, diff }) => ({
          ...{ path, oldPath },
          patch: diff === '' ? null : diff,
        }))
    },
    async isAncestor(older, newer, signal) {
      if (older === newer) return true
      const refs = `?refs[]=${encodeURIComponent(older)}&refs[]=${encodeURIComponent(newer)}`
      const base = await orNull(async () =>
        Base.parse(await api.get(`/repository/merge_base${refs}`, {}, signal)),
      )
      return base && base.id === older
    },
    async readComment({ number, id, place }, signal) {
      const note = await orNull(async () =>
        Note.parse(await api.get(`/merge_requests/${number}/notes/${encodeURIComponent(id)}`, {}, signal)),
      )
      if (!note || note.system) return null
      const { author, body, created_at: created, updated_at: updated } = note
      const [trust, isBot, discussion] = await Promise.all([
        api.readTrust(author.id, signal),
        api.isBot(author.id, signal),
        place === 'thread' ? findDiscussion(api, { number, id }, signal) : null,
      ])
      const [first] = discussion?.notes ?? []
      return {
        body,
        author: Actor.parse({ id: String(author.id), login: author.username, isBot, trust }),
        isEdited: created !== updated,
        thread: first && String(first.id) !== id ? String(first.id) : null,
      }
    },
    async readReactions(number, threads, signal) {
      const given = []
      for (const { id, comment } of threads) {
        const path = `/merge_requests/${number}/notes/${encodeURIComponent(comment)}/award_emoji`
        const awards = await orNull(() => api.list(path, {}, { pages: 1, isWhole: false }, signal))
        for (const { name, user } of z.array(Award).parse(awards ?? [])) {
          const says = sayingOf(name)
          if (says) given.push({ thread: id, says, user: { id: user.id, login: user.username } })
        }
      }
      return await withActors(given, async ({ id, login }) => ({
        ...{ id: String(id), login, isBot: await api.isBot(id, signal) },
        trust: await api.readTrust(id, signal),
      }))
    },
  }
}

export const acknowledgeOnGitLab: AcknowledgeComment = async (address, access, { number, id }, signal) => {
  const path = `/merge_requests/${number}/notes/${encodeURIComponent(id)}/award_emoji`
  await openGitLabApi(address, access).send('POST', path, { name: 'eyes' }, signal)
}

export const answerOnGitLab: AnswerComment = async (
  address,
  access,
  { number, id, place },
  answer,
  signal,
) => {
  const api = openGitLabApi(address, access)
  const discussion = place === 'thread' ? await findDiscussion(api, { number, id }, signal) : null
  const thread = discussion ? `/discussions/${encodeURIComponent(discussion.id)}` : ''
  const newestFirst = { order_by: 'created_at', sort: 'desc' }
  const limits = { pages: answerPages, isWhole: false }
  const notes =
    discussion?.notes ?? (await api.list(`/merge_requests/${number}/notes`, newestFirst, limits, signal))
  return await answerOnce(z.array(z.object({ body: z.string() })).parse(notes), answer, (body) =>
    api.send('POST', `/merge_requests/${number}${thread}/notes`, { body }, signal),
  )
}

const discussionPages = 20

/** A note does not say which thread it is in. Null when it is in none that is listed. */
async function findDiscussion(
  api: GitLabApi,
  { number, id }: Pick<CommentPlace, 'number' | 'id'>,
  signal: AbortSignal,
): Promise<z.infer<typeof Discussion> | null> {
  const limits = { pages: discussionPages, isWhole: false }
  const all = await api.list(`/merge_requests/${number}/discussions`, {}, limits, signal)
  const found = z.array(Discussion).parse(all)
  return found.find(({ notes }) => notes.some((note) => String(note.id) === id)) ?? null
}

async function orNull<Value>(work: () => Promise<Value>): Promise<Value | null> {
  try {
    return await work()
  } catch (error) {
    const isUnknown = error instanceof UserError && error.code === 'change-request-unknown'
    // A commit that the project does not have is a bad request.
    if (isUnknown || error instanceof Refused) return null
    throw error
  }
}
