/** The collector's half: a merge request with its words and people, as GitLab has them now. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor, type ActorTrust, RepositoryIdentity } from '../../domain/review-request.ts'
import type { DiscussionEntry } from '../../domain/ticket.ts'
import { identityOf, openAttempts } from '../remote/answers.ts'
import {
  type ChangeAddress,
  type ChangeReader,
  type HostAccess,
  type HostedChange,
  markerStart,
} from '../remote/contract.ts'
import { type GitLabApi, openGitLabApi } from './client.ts'

const User = z.object({ id: z.number(), username: z.string() })
type User = z.infer<typeof User>

export const MergeRequest = z.object({
  iid: z.number(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  author: User,
  labels: z.array(z.string()).default([]),
  draft: z.boolean().default(false),
  source_branch: z.string(),
  target_branch: z.string(),
  /** Null when the fork was deleted. */
  source_project_id: z.number().nullable(),
  target_project_id: z.number(),
  /** `group/project!12`, as the project is called now. */
  references: z.object({ full: z.string() }),
  /** Null while the server still prepares the diff. */
  diff_refs: z.object({ base_sha: z.string(), head_sha: z.string(), start_sha: z.string() }).nullable(),
})
export type MergeRequest = z.infer<typeof MergeRequest>

export const Position = z.object({
  head_sha: z.string(),
  new_path: z.string().nullish(),
  old_path: z.string().nullish(),
  new_line: z.number().nullish(),
  old_line: z.number().nullish(),
})

export const Note = z.object({
  id: z.number(),
  body: z.string(),
  author: User,
  system: z.boolean(),
  resolved: z.boolean().default(false),
  position: Position.nullish(),
})

export const Discussion = z.object({ id: z.string(), individual_note: z.boolean(), notes: z.array(Note) })
export type Discussion = z.infer<typeof Discussion>

const Issue = z.object({
  iid: z.number(),
  project_id: z.number(),
  references: z.object({ full: z.string() }),
})

export const states = { opened: 'open', locked: 'open', closed: 'closed', merged: 'merged' } as const
const longestBody = 4_000
const mostEntries = 200
const mostPeople = 20

export function openMergeRequestReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openGitLabApi(address, access)
  return {
    readHead: async (signal) => refsOf(await readMergeRequest(api, address, signal)).head_sha,
    async read(signal) {
      const mergeRequest = await readMergeRequest(api, address, signal)
      const { attempt, limits } = openAttempts(signal)
      const [visibility, discussions, issues] = await Promise.all([
        readVisibility(api, signal),
        attempt('the discussion', [], () =>
          readDiscussions(api, address, { pages: 5, isWhole: false }, signal),
        ),
        attempt('linked issues', [], async () => {
          const path = `${pathOf(address)}/closes_issues`
          return z.array(Issue).parse(await api.list(path, {}, { pages: 1, isWhole: false }, signal))
        }),
      ])
      const notes = discussions.flatMap((discussion) => discussion.notes).filter(({ system }) => !system)
      const people = distinct([mergeRequest.author, ...notes.map(({ author }) => author)])
      const actors = await attempt('who the people are', new Map<number, Actor>(), () =>
        readActors(api, people, signal),
      )
      return hosted(address, api, mergeRequest, {
        visibility,
        discussions,
        issues,
        people,
        actors,
        limits: limits(),
      })
    },
  }
}

export function pathOf({ number }: ChangeAddress): string {
  return `/merge_requests/${number}`
}

export async function readMergeRequest(
  api: GitLabApi,
  address: ChangeAddress,
  signal: AbortSignal,
): Promise<MergeRequest> {
  const mergeRequest = MergeRequest.parse(await api.get(pathOf(address), {}, signal))
  if (projectOf(mergeRequest) !== [...address.owner, address.name].join('/'))
    api.useId(mergeRequest.target_project_id)
  return mergeRequest
}

/** Path of the project, which may have another name than in the address. */
function projectOf({ references: { full } }: MergeRequest): string {
  return full.slice(0, full.lastIndexOf('!'))
}

/** Throws `host-unavailable` while the server has not computed the diff yet. */
export function refsOf({ diff_refs: refs }: MergeRequest): NonNullable<MergeRequest['diff_refs']> {
  if (!refs)
    throw new UserError('host-unavailable', 'GitLab is still preparing the diff of the merge request')
  return refs
}

/** A job token gets the notes without their threads, so none of them is marked as resolved. */
export async function readDiscussions(
  api: GitLabApi,
  address: ChangeAddress,
  options: { pages: number; isWhole: boolean },
  signal: AbortSignal,
): Promise<Discussion[]> {
  if (!api.isJob)
    return z.array(Discussion).parse(await api.list(`${pathOf(address)}/discussions`, {}, options, signal))
  const notes = z
    .array(Note)
    .parse(await api.list(`${pathOf(address)}/notes`, { sort: 'asc' }, options, signal))
  return notes.map((note) => ({ id: String(note.id), individual_note: true, notes: [note] }))
}

/** What cannot be looked up is not public. */
export async function readVisibility(
  api: GitLabApi,
  signal: AbortSignal,
): Promise<RepositoryIdentity['visibility']> {
  try {
    const answer = await api.get('', {}, signal)
    return z.object({ visibility: RepositoryIdentity.shape.visibility }).parse(answer).visibility
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof UserError) return 'private'
    throw error
  }
}

async function readActors(
  api: GitLabApi,
  people: readonly User[],
  signal: AbortSignal,
): Promise<Map<number, Actor>> {
  // A job token may not ask.
  if (api.isJob) return new Map()
  const entries = people.slice(0, mostPeople).map(async (person) => {
    const [trust, isBot] = await Promise.all([
      api.readTrust(person.id, signal),
      // Only the server's word counts; the look of the name saves asking for everybody.
      /bot/i.test(person.username) ? api.isBot(person.id, signal) : false,
    ])
    return [person.id, actorOf(person, trust, isBot)] as const
  })
  return new Map(await Promise.all(entries))
}

function actorOf({ id, username }: User, trust: ActorTrust, isBot: boolean): Actor {
  return Actor.parse({ id: String(id), login: username, isBot, trust })
}

function distinct(users: readonly User[]): User[] {
  return [...new Map(users.map((user) => [user.id, user])).values()]
}

type Read = {
  visibility: RepositoryIdentity['visibility']
  discussions: Discussion[]
  issues: z.infer<typeof Issue>[]
  people: User[]
  actors: Map<number, Actor>
  limits: string[]
}

function hosted(
  address: ChangeAddress,
  api: GitLabApi,
  mergeRequest: MergeRequest,
  read: Read,
): HostedChange {
  const { iid, target_project_id: projectId, source_project_id: sourceId, author } = mergeRequest
  const { base_sha: mergeBase, start_sha: base, head_sha: head } = refsOf(mergeRequest)
  const project = projectOf(mergeRequest)
  const web = `${address.webUrl}/${project}`
  const asActor = (user: User) => read.actors.get(user.id) ?? actorOf(user, 'unknown', false)
  const identity = identityOf(
    {
      number: iid,
      url: `${web}/-/merge_requests/${iid}`,
      isDraft: mergeRequest.draft,
      isFork: sourceId !== projectId,
      baseRef: mergeRequest.target_branch,
      headRef: mergeRequest.source_branch,
      author: asActor(author),
      participants: read.people.filter(({ id }) => id !== author.id).map(asActor),
      labels: mergeRequest.labels,
      linkedIssues: read.issues.map((issue) =>
        issue.project_id === projectId ? String(issue.iid) : issue.references.full,
      ),
    },
    {
      host: address.host,
      id: String(projectId),
      owner: project.split('/').slice(0, -1),
      name: project.split('/').at(-1) ?? '',
      visibility: read.visibility,
    },
  )
  return {
    ...identity,
    state: states[mergeRequest.state],
    title: mergeRequest.title,
    body: mergeRequest.description ?? '',
    author: author.username,
    ...{ head, base, mergeBase },
    fetch: {
      url: `${web}.git`,
      authorization: api.gitAuthorization,
      // It stays when the fork is deleted.
      headRef: `refs/merge-requests/${iid}/head`,
      baseRef: `refs/heads/${mergeRequest.target_branch}`,
    },
    discussion: discussionOf(read),
    limits: read.limits,
  }
}

function discussionOf({ discussions, actors }: Read): DiscussionEntry[] {
  const entries = discussions.flatMap(({ notes }) =>
    notes
      .filter(({ system, body }) => !system && body.trim() !== '' && !body.includes(markerStart))
      .map(({ id, author, body, position, resolved }) => ({
        id,
        entry: {
          author: author.username,
          association: associationOf(actors.get(author.id)),
          path: position?.new_path ?? position?.old_path ?? null,
          line: position?.new_line ?? position?.old_line ?? null,
          body: body.slice(0, longestBody),
          resolved,
        },
      })),
  )
  return entries
    .sort((a, b) => a.id - b.id)
    .slice(0, mostEntries)
    .map(({ entry }) => entry)
}

function associationOf(actor: Actor | undefined): DiscussionEntry['association'] {
  if (!actor || actor.trust === 'unknown') return 'unknown'
  if (actor.isBot) return 'bot'
  if (actor.trust === 'owner' || actor.trust === 'member' || actor.trust === 'contributor') return actor.trust
  return 'stranger'
}
