/**
 * The conversation on a GitHub pull request: its comments, reviews and comments on lines. The REST API does not say which
 * threads are resolved, so none is marked as resolved.
 */
import { z } from 'zod'
import type { DiscussionEntry } from '../../domain/ticket.ts'
import type { TrackerClient } from '../trackers/client.ts'
import type { DiscussionSource } from './contract.ts'
import { type GitHubOptions, openGitHubTracker, resourcesOf } from './github-tickets.ts'

const mostPages = 2
const mostEntries = 200
const longestBody = 4_000

const Pull = z.object({ number: z.number(), state: z.string(), head: z.object({ sha: z.string() }) })

const Comment = z.object({
  id: z.number(),
  body: z.string().nullable(),
  user: z.object({ login: z.string(), type: z.string().default('User') }).nullable(),
  author_association: z.string().default('NONE'),
  /** Of a review it is `submitted_at`. */
  created_at: z.string().optional(),
  submitted_at: z.string().optional(),
  path: z.string().optional(),
  /** Null when the line is no longer in the diff. */
  line: z.number().nullish(),
})
type Comment = z.infer<typeof Comment>

export function createGitHubDiscussion(options: GitHubOptions): DiscussionSource {
  const { repository } = options
  const github = openGitHubTracker(options)
  return {
    name: `the pull request of ${repository}`,
    async readDiscussion(commit, signal) {
      const root = resourcesOf(repository)
      const answer = await github.get(`${root}/commits/${commit}/pulls`, { per_page: '100' }, signal)
      const pulls = z
        .array(Pull)
        .parse(answer ?? [])
        .filter(({ head }) => head.sha === commit)
      const pull = pulls.find(({ state }) => state === 'open') ?? pulls[0]
      if (!pull) return null
      // Side by side: each is a separate list, and the time for all of them is short.
      const { number } = pull
      const lists = [`issues/${number}/comments`, `pulls/${number}/reviews`, `pulls/${number}/comments`]
      const comments = await Promise.all(
        lists.map((list) => readComments(github.list(`${root}/${list}`, { pages: mostPages }, signal))),
      )
      return comments.flat().sort(byTime).slice(0, mostEntries).map(entryOf)
    },
  }
}

/** Those that say something: a review may have comments on lines only. */
async function readComments(elements: ReturnType<TrackerClient['list']>): Promise<Comment[]> {
  const comments: Comment[] = []
  for await (const element of elements) {
    const comment = Comment.parse(element)
    if ((comment.body ?? '').trim() !== '') comments.push(comment)
  }
  return comments
}

function byTime(a: Comment, b: Comment): number {
  const [first, second] = [a, b].map((one) => one.created_at ?? one.submitted_at ?? '')
  if (first !== second) return (first ?? '') < (second ?? '') ? -1 : 1
  return a.id - b.id
}

function entryOf({ user, author_association, path, line, body }: Comment): DiscussionEntry {
  const isBot = user?.type === 'Bot'
  return {
    author: user?.login ?? 'a deleted account',
    association: isBot ? 'bot' : (associations[author_association] ?? 'stranger'),
    path: path ?? null,
    line: line !== undefined && line !== null && line > 0 ? line : null,
    body: (body ?? '').slice(0, longestBody),
    resolved: false,
  }
}

const associations: Readonly<Record<string, DiscussionEntry['association']>> = {
  OWNER: 'owner',
  MEMBER: 'member',
  COLLABORATOR: 'member',
  CONTRIBUTOR: 'contributor',
}
