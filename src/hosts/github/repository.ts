/** Open pull requests, files and comments of a repository on GitHub. */
import { z } from 'zod'
import { Actor } from '../../domain/review-request.ts'
import { Refused, unlessUnknown } from '../remote/answers.ts'
import { lookUp, readListedPulls } from '../remote/pull-requests.ts'
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
import { openGitHubApi, perPage } from './client.ts'
import { Comment } from './read-pull.ts'

const File = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
  changes: z.number().default(0),
  patch: z.string().optional(),
})
const DatedComment = Comment.extend({
  created_at: z.string(),
  updated_at: z.string(),
  /** Of a thread: the comment that begins it. */
  in_reply_to_id: z.number().optional(),
})
const Compared = z.object({ status: z.enum(['ahead', 'behind', 'identical', 'diverged']) })
const Reacted = z.object({
  nodes: z.array(
    z
      .object({
        id: z.string(),
        comments: z.object({
          nodes: z.array(
            z.object({
              reactions: z.object({
                nodes: z.array(
                  z.object({
                    content: z.string(),
                    user: z.object({ databaseId: z.number(), login: z.string() }).nullable(),
                  }),
                ),
              }),
            }),
          ),
        }),
      })
      .nullable(),
  ),
})

/** A reaction of a program has no user here. */
const reactionsQuery = `query Reactions($threads: [ID!]!) {
  nodes(ids: $threads) {
    ... on PullRequestReviewThread {
      id
      comments(first: 1) { nodes { reactions(first: 100) { nodes { content user { databaseId login } } } } }
    }
  }
}`

export const openRepository: OpenRepository = (place, access) => {
  const api = openGitHubApi(place, access, {
    contents: 'read',
    issues: 'read',
    metadata: 'read',
    pull_requests: 'read',
  })
  const listFiles = async (number: number, pages: number, signal: AbortSignal) =>
    z.array(File).parse(await api.list(`/pulls/${number}/files`, { pages }, signal))
  return {
    lookUp: async (signal) => lookUp(api, place, await api.gitAuthorization(signal), signal),
    async readFiles(number, signal) {
      const files = await listFiles(number, filePages, signal)
      return changedFiles(
        files.map(({ filename, changes }) => ({ path: filename, lines: changes })),
        perPage,
      )
    },
    async listOpen(signal) {
      const query = { state: 'open', sort: 'created', direction: 'desc' }
      return readListedPulls(await api.list('/pulls', { pages: mostOpen / perPage, query }, signal))
    },
    async readPatches(number, signal) {
      const files = await listFiles(number, mostPatched / perPage, signal)
      return files.map(({ filename: path, previous_filename: oldPath = path, patch = null }) => ({
        ...{ path, oldPath, patch },
      }))
    },
    async isAncestor(older, newer, signal) {
      const found = await orNull(() => api.get(`/compare/${older}...${newer}?per_page=1`, signal))
      return found === null ? null : ['ahead', 'identical'].includes(Compared.parse(found).status)
    },
    async readComment(comment, signal) {
      const found = await orNull(() => api.get(pathOf(comment), signal))
      const read = DatedComment.nullable().parse(found)
      if (!read?.user) return null
      const { user, body, created_at: created, updated_at: updated } = read
      const { in_reply_to_id: first, author_association: association } = read
      const trust = await api.readTrust(user.login, association, signal)
      return {
        body: body ?? '',
        author: Actor.parse({ id: String(user.id), login: user.login, isBot: user.type === 'Bot', trust }),
        isEdited: created !== updated,
        thread: first === undefined ? null : String(first),
      }
    },
    async readReactions(_number, threads, signal) {
      const ids = threads.map(({ id }) => id)
      const { nodes } = Reacted.parse(await api.graphql(reactionsQuery, { threads: ids }, signal))
      const given = nodes.flatMap((node) =>
        (node?.comments.nodes ?? []).flatMap(({ reactions }) =>
          reactions.nodes.flatMap(({ content, user }) =>
            node && user ? [{ thread: node.id, emoji: emojiOf[content] ?? content, user }] : [],
          ),
        ),
      )
      return await peopleWho(given, async ({ databaseId, login }) => ({
        ...{ id: String(databaseId), login, isBot: false },
        trust: await api.readTrust(login, 'NONE', signal),
      }))
    },
  }
}

const emojiOf: Readonly<Record<string, string>> = { THUMBS_UP: '+1', THUMBS_DOWN: '-1' }

const writing = { issues: 'write', pull_requests: 'write' } as const

export const acknowledge: AcknowledgeComment = async (address, access, place, signal) => {
  const api = openGitHubApi(address, access, writing)
  await api.send('POST', `${pathOf(place)}/reactions`, { content: 'eyes' }, signal)
}

export const answer: AnswerComment = async (address, access, place, planned, signal) => {
  const api = openGitHubApi(address, access, writing)
  const { number, id } = place
  const asked = DatedComment.parse(await api.get(pathOf(place), signal))
  // An answer is no older than its question.
  const path = `/${kindOf(place)}/${number}/comments`
  const options = { pages: answerPages, query: { since: asked.created_at } }
  const later = z.array(DatedComment).parse(await api.list(path, options, signal))
  // Only the comment that begins a thread can be answered.
  const { in_reply_to_id: first = Number(id) } = asked
  const to = place.place === 'conversation' ? path : `${path}/${first}/replies`
  return await answerOnce(later, planned, (body) => api.send('POST', to, { body }, signal))
}

function kindOf({ place }: CommentPlace) {
  return place === 'thread' ? 'pulls' : 'issues'
}

function pathOf(place: CommentPlace): string {
  return `/${kindOf(place)}/comments/${encodeURIComponent(place.id)}`
}

/** Null for what does not exist, and for commits that cannot be compared. */
function orNull<Value>(work: () => Promise<Value>): Promise<Value | null> {
  return unlessUnknown(work).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 422) return null
    throw error
  })
}
