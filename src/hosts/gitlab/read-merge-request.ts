/** The collector's half: a merge request with its words and people, as GitLab has them now. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor, type ActorTrust, RepositoryIdentity } from '../../domain/review-request.ts'
import { openAttempts } from '../remote/answers.ts'
import type { ListOptions } from '../remote/api.ts'
import type { ChangeAddress, ChangeReader, HostAccess } from '../remote/contract.ts'
import { associationOf, byId, hostedChange, mostPeople } from '../remote/hosted-change.ts'
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

export function openMergeRequestReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openGitLabApi(address, access)
  return {
    readHead: async (signal) => refsOf(await readMergeRequest(api, address, signal)).head_sha,
    async read(signal) {
      const mergeRequest = await readMergeRequest(api, address, signal)
      const { attempt, limits } = openAttempts(signal)
      const [visibility, discussions, issues] = await Promise.all([
        readVisibility(api, signal),
        attempt('the discussion', [], () => readDiscussions(api, address, { pages: 5 }, signal)),
        attempt('linked issues', [], async () => {
          const path = `${pathOf(address)}/closes_issues`
          return z.array(Issue).parse(await api.list(path, { pages: 1 }, signal))
        }),
      ])
      const notes = discussions.flatMap((discussion) => discussion.notes).filter(({ system }) => !system)
      const users = byId([mergeRequest.author, ...notes.map(({ author }) => author)])
      const actors = await attempt('who the people are', new Map<number, Actor>(), () =>
        readActors(api, users, signal),
      )
      const { base_sha: mergeBase, start_sha: base, head_sha: head } = refsOf(mergeRequest)
      const { iid: number, author, target_project_id: repositoryId, title, labels } = mergeRequest
      const asActor = (user: User) => actors.get(user.id) ?? actorOf(user, 'unknown', false)
      return hostedChange(address, {
        ...{ number, title, labels, body: mergeRequest.description ?? '', state: states[mergeRequest.state] },
        ...{ isDraft: mergeRequest.draft, isFork: mergeRequest.source_project_id !== repositoryId },
        ...{ baseRef: mergeRequest.target_branch, headRef: mergeRequest.source_branch },
        ...{ head, base, mergeBase, fullName: projectOf(mergeRequest), repositoryId, visibility },
        ...{ author: asActor(author), authorName: author.username, people: users.map(asActor) },
        ...{ authorization: api.gitAuthorization, limits: limits() },
        linkedIssues: issues.map((issue) =>
          issue.project_id === repositoryId ? String(issue.iid) : issue.references.full,
        ),
        discussion: notes
          .toSorted((a, b) => a.id - b.id)
          .map(({ author, body, position, resolved }) => ({
            author: author.username,
            association: associationOf(actors.get(author.id)),
            path: position?.new_path ?? position?.old_path ?? null,
            line: position?.new_line ?? position?.old_line ?? null,
            ...{ body, resolved },
          })),
      })
    },
  }
}

export function pathOf({ number }: Pick<ChangeAddress, 'number'>): string {
  return `/merge_requests/${number}`
}

export async function readMergeRequest(
  api: GitLabApi,
  address: ChangeAddress,
  signal: AbortSignal,
): Promise<MergeRequest> {
  const mergeRequest = MergeRequest.parse(await api.get(pathOf(address), signal))
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
  address: Pick<ChangeAddress, 'number'>,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Discussion[]> {
  if (!api.isJob)
    return z.array(Discussion).parse(await api.list(`${pathOf(address)}/discussions`, options, signal))
  const notes = z
    .array(Note)
    .parse(await api.list(`${pathOf(address)}/notes`, { ...options, query: { sort: 'asc' } }, signal))
  return notes.map((note) => ({ id: String(note.id), individual_note: true, notes: [note] }))
}

/** What cannot be looked up is not public. */
export async function readVisibility(
  api: GitLabApi,
  signal: AbortSignal,
): Promise<RepositoryIdentity['visibility']> {
  try {
    const answer = await api.get('', signal)
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
