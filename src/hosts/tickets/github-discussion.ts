/**
 * What was said of a pull request on GitHub: its comments, reviews and comments on lines. Over REST nobody tells which
 * threads are resolved, so none is said to be.
 */
import { z } from 'zod'
import type { DiscussionEntry } from '../../domain/discussion.ts'
import type { DiscussionSource } from './contract.ts'
import { askGitHub, type GitHubOptions, pathOfRepository, perPage } from './github-wire.ts'

const mostPages = 2
const mostEntries = 200
const longestBody = 4_000

const Pull = z.object({ number: z.number(), state: z.string(), head: z.object({ sha: z.string() }) })

const Said = z.object({
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
type Said = z.infer<typeof Said>

export function createGitHubDiscussion(options: GitHubOptions): DiscussionSource {
  const root = () => pathOfRepository(options.repository)
  /** Side by side: each is a list of its own, and the time for all of them is short. */
  const readAll = async (number: number, signal: AbortSignal): Promise<Said[]> => {
    const lists = [`issues/${number}/comments`, `pulls/${number}/reviews`, `pulls/${number}/comments`]
    return (await Promise.all(lists.map((list) => readPages(options, `${root()}/${list}`, signal)))).flat()
  }
  return {
    name: `the pull request of ${options.repository}`,
    async readDiscussion(commit, signal) {
      const answer = await askGitHub(options, `${root()}/commits/${commit}/pulls?per_page=${perPage}`, signal)
      const pulls = z
        .array(Pull)
        .parse(answer ?? [])
        .filter(({ head }) => head.sha === commit)
      const pull = pulls.find(({ state }) => state === 'open') ?? pulls[0]
      if (!pull) return null
      const said = (await readAll(pull.number, signal)).filter(({ body }) => (body ?? '').trim() !== '')
      return said.sort(byTime).slice(0, mostEntries).map(entryOf)
    },
  }
}

async function readPages(options: GitHubOptions, path: string, signal: AbortSignal): Promise<Said[]> {
  const found: Said[] = []
  for (let page = 1; page <= mostPages; page++) {
    const answer = await askGitHub(options, `${path}?per_page=${perPage}&page=${page}`, signal)
    const said = z.array(Said).parse(answer ?? [])
    found.push(...said)
    if (said.length < perPage) break
  }
  return found
}

function byTime(a: Said, b: Said): number {
  const [first, second] = [a, b].map((one) => one.created_at ?? one.submitted_at ?? '')
  if (first !== second) return (first ?? '') < (second ?? '') ? -1 : 1
  return a.id - b.id
}

function entryOf({ user, author_association, path, line, body }: Said): DiscussionEntry {
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
