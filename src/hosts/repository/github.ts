/** Open pull requests, files and comments of a repository on GitHub. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor } from '../../domain/review-request.ts'
import { openGitHubApi, Refused, readTrust } from '../github/client.ts'
import {
  type AcknowledgeComment,
  type AnswerComment,
  answerOnce,
  answerPages,
  filePages,
  mostOpen,
  mostPatched,
  type OpenRepository,
  sayingOf,
  withActors,
} from './contract.ts'
import { readListedPulls } from './listed-pulls.ts'

const perPage = 100

const File = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
  changes: z.number().default(0),
  patch: z.string().optional(),
})
const Comment = z.object({
  body: z.string().nullable().default(''),
  created_at: z.string(),
  updated_at: z.string(),
  author_association: z.string().default('NONE'),
  user: z.object({ id: z.number(), login: z.string(), type: z.string().default('User') }).nullable(),
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

export const openGitHubRepository: OpenRepository = (address, access) => {
  const api = openGitHubApi(address, access, {
    contents: 'read',
    issues: 'read',
    metadata: 'read',
    pull_requests: 'read',
  })
  const at = { owner: address.owner.join('/'), repo: address.name }
  const route = (path: string) => `GET /repos/{owner}/{repo}/${path}`
  return {
    async readFiles(number, signal) {
      const found = await api.list(
        route('pulls/{pull_number}/files'),
        { ...at, pull_number: number },
        filePages,
        signal,
      )
      const files = z.array(File).parse(found)
      return {
        paths: files.map(({ filename }) => filename),
        lines: files.reduce((sum, { changes }) => sum + changes, 0),
        isWhole: files.length < filePages * perPage,
      }
    },
    async listOpen(signal) {
      const wanted = { ...at, state: 'open', sort: 'created', direction: 'desc' }
      const found = await api.list(route('pulls'), wanted, mostOpen / perPage, signal)
      return readListedPulls(found)
    },
    async readPatches(number, signal) {
      const pages = mostPatched / perPage
      const found = await api.list(
        route('pulls/{pull_number}/files'),
        { ...at, pull_number: number },
        pages,
        signal,
      )
      return z
        .array(File)
        .parse(found)
        .map(({ filename, previous_filename: before, patch }) => ({
          path: filename,
          oldPath: before ?? filename,
          patch: patch ?? null,
        }))
    },
    async isAncestor(older, newer, signal) {
      if (older === newer) return true
      const basehead = `${older}...${newer}`
      try {
        const { status } = Compared.parse(
          await api.request(route('compare/{basehead}'), { ...at, basehead, per_page: 1 }, signal),
        )
        return status === 'ahead' || status === 'identical'
      } catch (error) {
        if (isUnknown(error)) return null
        throw error
      }
    },
    async readComment({ id, place }, signal) {
      const path = place === 'thread' ? 'pulls/comments/{comment_id}' : 'issues/comments/{comment_id}'
      try {
        const comment = Comment.parse(
          await api.request(route(path), { ...at, comment_id: Number(id) }, signal),
        )
        const { body, user, created_at: created, updated_at: updated, in_reply_to_id: first } = comment
        if (!user) return null
        const thread = first === undefined ? null : String(first)
        const trust = await readTrust(api, at, user.login, comment.author_association, signal)
        const isBot = user.type === 'Bot'
        const author = Actor.parse({ id: String(user.id), login: user.login, isBot, trust })
        return { body: body ?? '', author, isEdited: created !== updated, thread }
      } catch (error) {
        if (isUnknown(error)) return null
        throw error
      }
    },
    async readReactions(_number, threads, signal) {
      const ids = threads.map(({ id }) => id)
      const { nodes } = Reacted.parse(await api.graphql(reactionsQuery, { threads: ids }, signal))
      const given = nodes.flatMap((node) =>
        (node?.comments.nodes ?? []).flatMap(({ reactions }) =>
          reactions.nodes.flatMap(({ content, user }) => {
            const says = sayingOf(emojiOf[content] ?? content)
            return node && user && says ? [{ thread: node.id, says, user }] : []
          }),
        ),
      )
      return await withActors(given, async ({ databaseId, login }) => ({
        ...{ id: String(databaseId), login, isBot: false },
        trust: await readTrust(api, at, login, 'NONE', signal),
      }))
    },
  }
}

const emojiOf: Readonly<Record<string, string>> = { THUMBS_UP: '+1', THUMBS_DOWN: '-1' }

export const acknowledgeOnGitHub: AcknowledgeComment = async (address, access, { id, place }, signal) => {
  const api = openGitHubApi(address, access, { issues: 'write', pull_requests: 'write' })
  const kind = place === 'thread' ? 'pulls' : 'issues'
  const at = { owner: address.owner.join('/'), repo: address.name, comment_id: Number(id), content: 'eyes' }
  await api.request(`POST /repos/{owner}/{repo}/${kind}/comments/{comment_id}/reactions`, at, signal)
}

export const answerOnGitHub: AnswerComment = async (
  address,
  access,
  { number, id, place },
  answer,
  signal,
) => {
  const api = openGitHubApi(address, access, { issues: 'write', pull_requests: 'write' })
  const at = { owner: address.owner.join('/'), repo: address.name }
  const kind = place === 'thread' ? 'pulls' : 'issues'
  const one = `GET /repos/{owner}/{repo}/${kind}/comments/{comment_id}`
  const asked = Comment.parse(await api.request(one, { ...at, comment_id: Number(id) }, signal))
  // An answer is no older than its question.
  const later = await api.list(
    `GET /repos/{owner}/{repo}/${kind}/{number}/comments`,
    { ...at, number, since: asked.created_at },
    answerPages,
    signal,
  )
  return await answerOnce(z.array(Comment).parse(later), answer, async (body) => {
    if (place === 'conversation') {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
      return await api.request(route, { ...at, issue_number: number, body }, signal)
    }
    // Only the comment that begins a thread can be answered.
    const { in_reply_to_id: first = Number(id) } = asked
    const route = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies'
    return await api.request(route, { ...at, pull_number: number, comment_id: first, body }, signal)
  })
}

function isUnknown(error: unknown): boolean {
  return (
    (error instanceof UserError && error.code === 'change-request-unknown') ||
    (error instanceof Refused && error.status === 422)
  )
}
