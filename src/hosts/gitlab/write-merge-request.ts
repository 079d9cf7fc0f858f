/**
 * The publisher's half. GitLab has no review as one thing: every comment is a draft that only its author sees, and all
 * drafts are published at once.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Refused, unlessUnknown } from '../remote/answers.ts'
import { withQuery } from '../remote/api.ts'
import {
  AnchorsRefused,
  type ChangeAddress,
  type ChangeWriter,
  type HostAccess,
  isOpenCheck,
  markerStart,
  type OwnCheck,
  type OwnThread,
  type PlannedCheck,
  type PlannedComment,
  type PlannedReview,
} from '../remote/contract.ts'
import { headRefOf, pageOf } from '../remote/facts.ts'
import { outsideCode } from '../remote/markdown.ts'
import { conversationWrites } from '../remote/one-by-one.ts'
import { checkOfStatus, statusOf } from '../remote/status.ts'
import { publishedState } from '../remote/writers.ts'
import { type GitLabApi, openGitLabApi } from './client.ts'
import { gitlab } from './facts.ts'
import {
  type Discussion,
  type MergeRequest,
  pathOf,
  readDiscussions,
  readMergeRequest,
  readVisibility,
  refsOf,
  states,
} from './read-merge-request.ts'

/** Name of the commit status. */
export const statusName = 'sightline'
const mostPages = 20

export function openMergeRequestWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openGitLabApi(address, access)
  /** Ours on the merge request, which is the lock. */
  let award: number | null = null
  const awards = `${pathOf(address)}/award_emoji`
  const notes = `${pathOf(address)}/notes`
  const discussionOf = (id: string) => `${pathOf(address)}/discussions/${encodeURIComponent(id)}`
  const readAward = async (signal: AbortSignal) => {
    const me = await api.readUser(signal)
    const all = z.array(Award).parse(await api.list(awards, { pages: 1 }, signal))
    return all.find(({ name, user }) => name === lockName && user.id === me)?.id ?? null
  }
  return {
    abilities: gitlab.abilities,
    async readState(signal) {
      refuseJobs(api)
      const [user, mergeRequest, discussions] = await Promise.all([
        api.readUser(signal),
        readMergeRequest(api, address, signal),
        readDiscussions(api, address, { pages: mostPages, isWhole: true }, signal),
      ])
      const { head_sha: head } = refsOf(mergeRequest)
      const [check, visibility] = await Promise.all([
        readStatus(api, user, head, signal),
        readVisibility(api, signal),
      ])
      const state = {
        ...{ me: String(user), head, check, isPublic: visibility === 'public', lacks: [] },
        ...{ state: states[mergeRequest.state], repositoryId: String(mergeRequest.target_project_id) },
        bodies: discussions.flatMap(({ notes: [first] }) =>
          first && !first.system && !first.position ? [{ id: String(first.id), ...postedOf(first) }] : [],
        ),
        threads: discussions.flatMap((discussion) => threadOf(address, discussion, head)),
      }
      return await publishedState(state, (author) => api.readTrust(Number(author), signal))
    },
    async readCheck(head, signal) {
      refuseJobs(api)
      return await readStatus(api, await api.readUser(signal), head, signal)
    },
    postReview: (review, signal) => postDrafts(api, address, review, signal),
    ...conversationWrites({
      say: (body, signal) => api.send('POST', notes, noteOf(body), signal),
      edit: (id, body, signal) => api.send('PUT', `${notes}/${encodeURIComponent(id)}`, noteOf(body), signal),
      answer: (id, reply, signal) => api.send('POST', `${discussionOf(id)}/notes`, noteOf(reply), signal),
      // Takes the role Developer, or to be the author of the change.
      close: (id, signal) => api.send('PUT', discussionOf(id), { resolved: true }, signal),
      putCheck: (check, signal) => putStatus(api, address, check, signal),
    }),
    async lock(signal) {
      if (api.isJob) return null
      try {
        award = Made.parse(await api.send('POST', awards, { name: lockName }, signal)).id
        return true
      } catch (error) {
        if (!(error instanceof UserError || error instanceof Refused)) throw error
        // One of the same name by the same account is "not found", and so is what may not be seen.
        award = await readAward(signal).catch(() => null)
        return award === null ? null : false
      }
    },
    async unlock(signal) {
      if (award !== null) await unlessUnknown(() => api.send('DELETE', `${awards}/${award}`, null, signal))
    },
  }
}

/** The emoji is a name here. */
const lockName = 'eyes'
const Made = z.object({ id: z.number() })
const Award = z.object({ id: z.number(), name: z.string(), user: z.object({ id: z.number() }) })

function refuseJobs({ isJob }: GitLabApi): void {
  if (isJob)
    throw new UserError(
      'host-refused',
      'GitLab lets CI_JOB_TOKEN read merge requests and write nothing to them, no comment and no status. Set SIGHTLINE_GITLAB_TOKEN to a project access token with the scope api and the role Developer, or keep the report as a job artifact (`--format sarif`)',
    )
}

/** GitLab moves a position along with every push that leaves its line in the diff, and keeps the last one otherwise. */
function threadOf(address: ChangeAddress, { id, notes }: Discussion, head: string): OwnThread[] {
  const [first, ...replies] = notes
  const position = first?.position
  if (!first || first.system || !position) return []
  const line = position.new_line ?? position.old_line ?? null
  const side = position.new_line ? ('new' as const) : ('old' as const)
  return [
    {
      id,
      comment: String(first.id),
      ...postedOf(first),
      path: (side === 'new' ? position.new_path : position.old_path) ?? '',
      line: position.head_sha === head ? line : null,
      posted: line === null ? null : { side, line, commit: position.head_sha },
      isResolved: first.resolved,
      url: `${pageOf(address)}#note_${first.id}`,
      replies: replies.filter(({ system }) => !system).map(postedOf),
    },
  ]
}

function noteOf(body: string) {
  return { body: withoutQuickActions(body) }
}

function postedOf({ author, body }: Discussion['notes'][number]) {
  return { author: String(author.id), body }
}

const Draft = z.object({ id: z.number(), note: z.string() })

/** Throws `head-moved` when the diff on the server is no longer that of the review. */
async function postDrafts(
  api: GitLabApi,
  address: ChangeAddress,
  review: PlannedReview,
  signal: AbortSignal,
): Promise<void> {
  refuseJobs(api)
  const drafts = `${pathOf(address)}/draft_notes`
  const refs = refsOf(await readMergeRequest(api, address, signal))
  if (refs.head_sha !== review.head)
    throw new UserError('head-moved', `the merge request is at ${refs.head_sha.slice(0, 12)} now`)
  const there = z.array(Draft).parse(await api.list(drafts, { pages: mostPages, isWhole: true }, signal))
  const isOurs = ({ note }: z.infer<typeof Draft>) => note.includes(markerStart)
  for (const { id } of there.filter(isOurs)) await api.send('DELETE', `${drafts}/${id}`, null, signal)
  const made: number[] = []
  const create = async (note: string, position?: object) => {
    const body = { note: withoutQuickActions(note), ...(position ? { position } : {}) }
    made.push(Draft.parse(await api.send('POST', drafts, body, signal)).id)
  }
  try {
    for (const comment of review.comments) await create(comment.body, positionOf(comment, refs))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    for (const id of made) await api.send('DELETE', `${drafts}/${id}`, null, signal)
    throw new AnchorsRefused(error.message, { cause: error })
  }
  if (review.body !== '') await create(review.body)
  if (there.every(isOurs)) await api.send('POST', `${drafts}/bulk_publish`, {}, signal)
  // The account belongs to a person who is writing a review too: those drafts stay drafts.
  else for (const id of made) await api.send('PUT', `${drafts}/${id}/publish`, null, signal)
}

function positionOf(
  { path, oldPath, start, end }: PlannedComment,
  refs: NonNullable<MergeRequest['diff_refs']>,
) {
  return {
    ...refs,
    position_type: 'text',
    new_path: path,
    old_path: oldPath,
    ...(end.old === null ? {} : { old_line: end.old }),
    ...(end.new === null ? {} : { new_line: end.new }),
    ...(isSamePlace(start, end) ? {} : rangeOf(path, start, end)),
  }
}

type Line = PlannedComment['start']

function isSamePlace(a: Line, b: Line): boolean {
  return a.old === b.old && a.new === b.new
}

function rangeOf(path: string, start: Line, end: Line) {
  const hash = createHash('sha1').update(path).digest('hex')
  const ends = [start, end].map((line) => ({
    line_code: `${hash}_${line.counted.old}_${line.counted.new}`,
    // `new` for added lines, `old` for removed and unchanged ones.
    type: line.old === null ? 'new' : 'old',
    old_line: line.old,
    new_line: line.new,
  }))
  return { line_range: { start: ends[0], end: ends[1] } }
}

const Status = z.object({
  name: z.string(),
  description: z.string().nullable(),
  status: z.string(),
  author: z.object({ id: z.number() }).nullish(),
})

async function readStatus(
  api: GitLabApi,
  me: number,
  head: string,
  signal: AbortSignal,
): Promise<OwnCheck | null> {
  const path = withQuery(`/repository/commits/${head}/statuses`, { name: statusName, per_page: 100 })
  const all = z.array(Status).parse(await api.get(path, signal))
  const own = all.find(({ name, author }) => name === statusName && author?.id === me)
  return checkOfStatus(own && { ...own, state: own.status })
}

async function putStatus(
  api: GitLabApi,
  address: ChangeAddress,
  check: PlannedCheck,
  signal: AbortSignal,
): Promise<void> {
  const {
    source_branch: branch,
    source_project_id: from,
    target_project_id: to,
  } = await readMergeRequest(api, address, signal)
  const status = {
    ...{ ...statusOf(check, stateWords), name: statusName, target_url: check.url ?? pageOf(address) },
    // No branch of the project holds the commits of a fork.
    ref: from === to ? branch : (headRefOf(address) ?? branch),
  }
  try {
    await api.send('POST', `/statuses/${check.head}`, status, signal)
  } catch (error) {
    // GitLab takes no state twice, and no step back: what is shown may stay.
    if (isOpenCheck(check) && error instanceof Refused && /Cannot transition status/.test(error.message))
      return
    throw error
  }
}

const stateWords = { queued: 'pending', running: 'running', success: 'success', failure: 'failed' }

/**
 * GitLab carries out lines of a comment that begin with a slash, such as `/merge`, with the rights of whoever writes it;
 * and what we post quotes foreign text. Escapes the slash, except within code, where GitLab leaves it alone.
 */
export function withoutQuickActions(markdown: string): string {
  return outsideCode(markdown, (line) => line.replace(/^(\s*)\/(?=[A-Za-z_])/, '$1\\/'))
}
