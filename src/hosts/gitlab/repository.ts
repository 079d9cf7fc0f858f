/** Open merge requests, files and notes of a project on GitLab. */
import { z } from 'zod'
import { Actor, RepositoryIdentity } from '../../domain/review-request.ts'
import { unlessAbsent } from '../remote/answers.ts'
import { hostedRepository } from '../remote/hosted-change.ts'
import {
  type AcknowledgeComment,
  type AnswerComment,
  answerOnce,
  answerPages,
  type CommentPlace,
  changedFiles,
  filePages,
  mostOpen,
  mostPatched,
  type OpenRepository,
  peopleWho,
} from '../repository/contract.ts'
import { type GitLabApi, openGitLabApi, perPage } from './client.ts'
import { type Discussion, Note, pathOf, readDiscussions } from './read-merge-request.ts'

const Diff = z.object({ new_path: z.string(), old_path: z.string(), diff: z.string().default('') })
const Merge = z.object({
  iid: z.int().positive(),
  sha: z.string().nullable(),
  updated_at: z.string(),
  title: z.string().default(''),
  description: z.string().nullish(),
  draft: z.boolean().default(false),
  source_branch: z.string(),
  source_project_id: z.number().nullable(),
  target_project_id: z.number(),
  author: z.object({ username: z.string() }).nullish(),
})
const DatedNote = Note.extend({ created_at: z.string(), updated_at: z.string() })
const Award = z.object({ name: z.string(), user: z.object({ id: z.number(), username: z.string() }) })
const Base = z.object({ id: z.string() })
const Project = z.object({
  id: z.number(),
  path_with_namespace: z.string(),
  visibility: RepositoryIdentity.shape.visibility,
})

export const openRepository: OpenRepository = (place, access) => {
  const api = openGitLabApi(place, access)
  const listDiffs = async (number: number, pages: number, signal: AbortSignal) =>
    z.array(Diff).parse(await api.list(`${pathOf({ number })}/diffs`, { pages }, signal))
  return {
    async lookUp(signal) {
      const { id, path_with_namespace: fullName, visibility } = Project.parse(await api.get('', signal))
      const { gitAuthorization: authorization } = api
      return hostedRepository(place, { fullName, repositoryId: id, visibility, authorization })
    },
    async readFiles(number, signal) {
      const files = await listDiffs(number, filePages, signal)
      return changedFiles(
        files.map(({ new_path: path, diff }) => ({ path, lines: diff.match(/^[+-]/gm)?.length ?? 0 })),
        perPage,
      )
    },
    async listOpen(signal) {
      const query = { state: 'opened', order_by: 'created_at', sort: 'desc' }
      const found = await api.list('/merge_requests', { pages: mostOpen / perPage, query }, signal)
      return z
        .array(Merge)
        .parse(found)
        .flatMap(({ iid: number, sha: head, title, description, author, draft: isDraft, ...merge }) => {
          if (head === null) return []
          const isFork = merge.source_project_id !== merge.target_project_id
          return {
            ...{ number, head, updatedAt: Date.parse(merge.updated_at), title, body: description ?? '' },
            ...{ author: author?.username ?? null, isDraft, branch: merge.source_branch, isFork },
          }
        })
    },
    async readPatches(number, signal) {
      const files = await listDiffs(number, mostPatched / perPage, signal)
      return files.map(({ new_path: path, old_path: oldPath, diff }) => ({
        ...{ path, oldPath, patch: diff === '' ? null : diff },
      }))
    },
    async isAncestor(older, newer, signal) {
      const refs = `?refs[]=${encodeURIComponent(older)}&refs[]=${encodeURIComponent(newer)}`
      const base = await unlessAbsent(() => api.get(`/repository/merge_base${refs}`, signal))
      return base === null ? null : Base.parse(base).id === older
    },
    async readComment(comment, signal) {
      const found = await unlessAbsent(() => api.get(noteOf(comment), signal))
      const note = DatedNote.nullable().parse(found)
      if (!note || note.system) return null
      const { author, body, created_at: created, updated_at: updated } = note
      const [trust, isBot, discussion] = await Promise.all([
        api.readTrust(author.id, signal),
        api.isBot(author.id, signal),
        findDiscussion(api, comment, signal),
      ])
      const [first] = discussion?.notes ?? []
      return {
        body,
        author: Actor.parse({ id: String(author.id), login: author.username, isBot, trust }),
        isEdited: created !== updated,
        thread: first && String(first.id) !== comment.id ? String(first.id) : null,
      }
    },
    async readReactions(number, threads, signal) {
      const given = []
      for (const { id: thread, comment } of threads) {
        const path = `${noteOf({ number, id: comment })}/award_emoji`
        const awards = await unlessAbsent(() => api.list(path, { pages: 1 }, signal))
        for (const { name: emoji, user } of z.array(Award).parse(awards ?? []))
          given.push({ thread, emoji, user: { id: user.id, login: user.username } })
      }
      return await peopleWho(given, async ({ id, login }) => ({
        ...{ id: String(id), login, isBot: await api.isBot(id, signal) },
        trust: await api.readTrust(id, signal),
      }))
    },
  }
}

function noteOf({ number, id }: Pick<CommentPlace, 'number' | 'id'>): string {
  return `${pathOf({ number })}/notes/${encodeURIComponent(id)}`
}

export const acknowledge: AcknowledgeComment = async (address, access, place, signal) => {
  const api = openGitLabApi(address, access)
  await api.send('POST', `${noteOf(place)}/award_emoji`, { name: 'eyes' }, signal)
}

export const answer: AnswerComment = async (address, access, place, planned, signal) => {
  const api = openGitLabApi(address, access)
  const discussion = await findDiscussion(api, place, signal)
  const thread = discussion ? `/discussions/${encodeURIComponent(discussion.id)}` : ''
  const query = { order_by: 'created_at', sort: 'desc' }
  const path = pathOf(place)
  const notes = discussion?.notes ?? (await api.list(`${path}/notes`, { pages: answerPages, query }, signal))
  return await answerOnce(z.array(z.object({ body: z.string() })).parse(notes), planned, (body) =>
    api.send('POST', `${path}${thread}/notes`, { body }, signal),
  )
}

const discussionPages = 20

/** A note does not say which thread it is in. Null when it is in none that is listed. */
async function findDiscussion(
  api: GitLabApi,
  { number, id, place }: CommentPlace,
  signal: AbortSignal,
): Promise<Discussion | null> {
  if (place !== 'thread') return null
  const found = await readDiscussions(api, { number }, { pages: discussionPages }, signal)
  return found.find(({ notes }) => notes.some((note) => String(note.id) === id)) ?? null
}
