/** What each operation of the fake Azure DevOps does. */
import type { Change, LineAnchor } from '../engine/change.ts'
import type { ApiAnswer, ApiRequest } from '../engine/server.ts'
import type { Note, Person, Project, Role, World } from '../engine/world.ts'
import {
  descriptorOf,
  type Json,
  personId,
  projectId,
  repositoryId,
  showChanges,
  showIterations,
  showNotes,
  showPull,
  showRepository,
  showStatus,
  showTalk,
  systemThread,
  trackingIdOf,
} from './render.ts'
import type { AzureState, Talk } from './state.ts'

/** What a handler throws to refuse. */
export class Refusal extends Error {
  readonly answer: ApiAnswer

  constructor(status: number, message: string, typeKey = 'VssServiceException') {
    super(message)
    const body = {
      $id: '1',
      innerException: null,
      message,
      typeName: typeKey,
      typeKey,
      errorCode: 0,
      eventId: 3000,
    }
    this.answer = { status, body }
  }
}

export type Call = {
  request: ApiRequest
  parameters: Readonly<Record<string, string>>
  project: Project
  world: World
  state: AzureState
  /** Null without a token. */
  person: Person | null
  body: Json
  /** Address of the collection. */
  root: string
  violations: string[]
}

/** `scopes`: a token has to hold one of them. */
export type Route = { scopes: readonly string[]; handle(call: Call): ApiAnswer }

const longestComment = 150_000
const mostComments = 500
export const gitNamespace = '2e9eb7ed-3c0a-47d4-87c1-0ffdd275fd87'

export const repository = '/{organization}/{project}/_apis/git/repositories/{repositoryId}'
const pull = `${repository}/pullRequests/{pullRequestId}`
const thread = `${pull}/threads/{threadId}`
const comment = `${thread}/comments/{commentId}`
const reading = ['vso.code']
const talking = ['vso.code', 'vso.threads_full']
const writing = ['vso.code_write', 'vso.threads_full']
const checking = ['vso.code_write', 'vso.code_status']

export const routes: Readonly<Record<string, Route>> = {
  [`GET ${repository}`]: {
    scopes: reading,
    handle: ({ project, root }) => ok(showRepository(project, root)),
  },
  [`GET ${repository}/pullrequests`]: {
    scopes: reading,
    handle: (call) => {
      const wanted = call.request.query['searchCriteria.status'] ?? 'active'
      const all = [...call.project.changes.values()]
        .map((change) => showPull(change, call.root))
        .filter(({ status }) => wanted === 'all' || status === wanted)
      return ok(pageOf(call, all.reverse(), 1000))
    },
  },
  [`GET ${repository}/pullrequests/{pullRequestId}`]: {
    scopes: reading,
    handle: (call) => ok(showPull(changeOf(call), call.root)),
  },
  [`GET ${pull}/iterations`]: { scopes: reading, handle: (call) => ok(showIterations(changeOf(call))) },
  [`GET ${pull}/iterations/{iterationId}/changes`]: {
    scopes: reading,
    handle: (call) => {
      const all = showChanges(changeOf(call), iterationOf(call, call.parameters.iterationId))
      const changeEntries = pageOf(call, all, 2000)
      const next = Number(call.request.query.$skip ?? 0) + changeEntries.length
      return ok({ changeEntries, ...(next < all.length ? { nextSkip: next, nextTop: 100 } : {}) })
    },
  },
  [`GET ${pull}/labels`]: {
    scopes: reading,
    handle: (call) => ok(changeOf(call).labels.map((name, id) => ({ id: String(id), name, active: true }))),
  },
  [`GET ${pull}/workitems`]: {
    scopes: reading,
    handle: (call) =>
      ok(
        (call.state.links.get(changeOf(call)) ?? []).map((id) => ({
          id: String(id),
          url: `${call.root}/_apis/wit/workItems/${id}`,
        })),
      ),
  },
  [`GET ${repository.replace('{repositoryId}', '{repositoryNameOrId}')}/commits/{commitId}/mergebases`]: {
    scopes: reading,
    handle: ({ project, parameters, request }) => {
      const both = [parameters.commitId ?? '', request.query.otherCommitId ?? '']
      if (both.some((commit) => project.repository.resolve(commit) === null))
        throw new Refusal(
          404,
          'TF401175: The version descriptor could not be resolved',
          'GitUnresolvableToCommitException',
        )
      const base = project.repository.mergeBase(both[0] ?? '', both[1] ?? '')
      return ok(base === null ? [] : [{ commitId: base }])
    },
  },
  [`GET ${pull}/threads`]: {
    scopes: talking,
    handle: (call) => {
      const change = changeOf(call)
      const { $iteration: shown } = call.request.query
      const iteration = shown === undefined ? null : iterationOf(call, shown)
      const gone = call.state.deleted(change).map((talk) => ({ ...talk, notes: [] }))
      const all = [...call.state.talks(change), ...gone].map((talk) =>
        showTalk(change, talk, call.state, iteration),
      )
      return ok([...change.versions.map((version) => systemThread(version, change)), ...all])
    },
  },
  [`POST ${pull}/threads`]: { scopes: writing, handle: createThread },
  [`PATCH ${thread}`]: {
    scopes: writing,
    handle: (call) => {
      const { change, talk } = talkOf(call)
      const { status } = call.body
      const who = author(call)
      if (typeof status !== 'string') throw new Refusal(400, 'The thread has nothing to update')
      call.state.states.set(talk.id, status)
      if (talk.thread && ['active', 'pending'].includes(status)) change.reopen(talk.thread)
      else if (talk.thread) change.resolve(talk.thread, who.login)
      return ok(showTalk(change, talk, call.state, null))
    },
  },
  [`GET ${thread}/comments`]: {
    scopes: talking,
    handle: (call) => ok(showNotes(talkOf(call).talk, call.state)),
  },
  [`POST ${thread}/comments`]: { scopes: writing, handle: createComment },
  [`GET ${comment}`]: {
    scopes: talking,
    handle: (call) => {
      const { talk, number } = noteOf(call)
      return ok(showNotes(talk, call.state)[number - 1] ?? {})
    },
  },
  [`PATCH ${comment}`]: {
    scopes: writing,
    handle: (call) => {
      const { change, note, talk, number } = noteOf(call)
      if (note.author !== author(call))
        throw new Refusal(403, 'Only the author of a comment may edit it', 'CommentPermissionException')
      change.editNote(note, contentOf(call, call.body))
      return ok(showNotes(talk, call.state)[number - 1] ?? {})
    },
  },
  [`DELETE ${comment}`]: {
    scopes: writing,
    handle: (call) => {
      const { change, note } = noteOf(call)
      if (note.author !== author(call))
        throw new Refusal(403, 'Only the author of a comment may delete it', 'CommentPermissionException')
      change.deleteNote(note)
      return { status: 200 }
    },
  },
  [`POST ${comment}/likes`]: {
    scopes: writing,
    handle: (call) => {
      const { note } = noteOf(call)
      const person = author(call)
      if (!call.state.likes.some((like) => like.note === note.id && like.person === person))
        call.state.likes.push({ note: note.id, person })
      return { status: 200 }
    },
  },
  [`GET ${pull}/statuses`]: {
    scopes: ['vso.code', 'vso.code_status'],
    handle: (call) => {
      const change = changeOf(call)
      return ok(call.state.statuses.filter((one) => one.change === change).map(showStatus))
    },
  },
  [`POST ${pull}/statuses`]: { scopes: checking, handle: createStatus },
  [`DELETE ${pull}/statuses/{statusId}`]: {
    scopes: checking,
    handle: (call) => {
      const change = changeOf(call)
      const at = call.state.statuses.findIndex(
        (one) => one.change === change && one.id === Number(call.parameters.statusId),
      )
      const [gone] = at === -1 ? [] : call.state.statuses.splice(at, 1)
      if (!gone) throw new Refusal(404, 'The requested status does not exist')
      if (gone.creator !== author(call)) call.violations.push(`A status of ${gone.creator.login} is deleted`)
      return { status: 204 }
    },
  },
  'GET /{organization}/_apis/accesscontrollists/{securityNamespaceId}': {
    scopes: [],
    handle: (call) => {
      const { project, request, world } = call
      author(call)
      const people = [...world.people.values()]
      const entries = (request.query.descriptors ?? '').split(',').flatMap((descriptor) => {
        const person = people.find((one) => descriptorOf(one) === descriptor)
        if (!person) return []
        const allow = bitsOf(roleHere(project, person.login))
        const extendedInfo = { effectiveAllow: allow, effectiveDeny: 0 }
        return [[descriptor, { descriptor, allow: 0, deny: 0, extendedInfo }]]
      })
      const token = request.query.token ?? ''
      return ok([{ inheritPermissions: true, token, acesDictionary: Object.fromEntries(entries) }])
    },
  },
  'GET /{organization}/_apis/permissions/{securityNamespaceId}/{permissions}': {
    scopes: [],
    handle: (call) => {
      const wanted = Number(call.parameters.permissions)
      return ok([(bitsOf(roleHere(call.project, author(call).login)) & wanted) === wanted])
    },
  },
}

/** What the groups of a project allow: readers, contributors, administrators. */
function bitsOf(role: Role): number {
  const read = 2
  const [contribute, contributeToPullRequests, manage] = [4, 16_384, 8192]
  if (role === 'none') return 0
  if (role === 'read') return read
  const talk = read | contributeToPullRequests
  if (role === 'triage') return talk
  return role === 'admin' ? talk | contribute | manage : talk | contribute
}

/** Whoever may read a public project is no reader of it by a group. */
function roleHere(project: Project, login: string): Role {
  return project.roles.get(login) ?? 'none'
}

export function mayContribute(project: Project, { login }: Person): boolean {
  return (bitsOf(roleHere(project, login)) & 16_384) !== 0
}

function author({ person }: Call): Person {
  if (!person) throw new Refusal(401, 'TF400813: The user is not authorized to access this resource')
  return person
}

function contentOf({ violations }: Call, { content, commentType }: Json): string {
  const text = typeof content === 'string' ? content : ''
  if (text.trim() === '') throw new Refusal(400, 'A comment needs content', 'CommentContentException')
  if (text.length > longestComment)
    throw new Refusal(
      400,
      `The comment is longer than ${longestComment} characters`,
      'CommentContentException',
    )
  if (commentType === 'system') violations.push('A comment as the system')
  return text
}

function createThread(call: Call): ApiAnswer {
  const { body, world, state, violations } = call
  const change = changeOf(call)
  const who = author(call)
  const [first, ...others] = (body.comments ?? []) as Json[]
  if (!first) throw new Refusal(400, 'A thread needs a comment', 'GitPullRequestCommentThreadException')
  if (others.length > 0 || (first.parentCommentId ?? 0) !== 0)
    violations.push('A thread begins with one comment')
  const text = contentOf(call, first)
  if (!body.threadContext) {
    const note = change.addNote(who, text)
    change.comments.push(note)
    state.states.set(note.id, String(body.status ?? 'unknown'))
    return ok(showTalk(change, { id: note.id, notes: [note], thread: null }, state, null))
  }
  const placed = placeIn(call, change, body)
  const note = change.addNote(who, text)
  const thread = {
    ...placed,
    id: world.nextId(),
    firstNote: note.id,
    notes: [note],
    resolvedBy: null,
    diffHunk: '',
  }
  change.threads.push(thread)
  state.states.set(thread.id, String(body.status ?? 'unknown'))
  return ok(showTalk(change, { id: thread.id, notes: thread.notes, thread }, state, null))
}

type Position = { line?: number; offset?: number }

/** The true host takes nearly every place, and shows the comment nowhere: each slip is a violation. */
function placeIn(call: Call, change: Change, { threadContext, pullRequestThreadContext }: Json) {
  const { violations } = call
  const context = threadContext as { filePath?: string } & Record<string, Position | string>
  const tracking = (pullRequestThreadContext ?? {}) as { changeTrackingId?: number; iterationContext?: Json }
  const path = context.filePath ?? ''
  if (!path.startsWith('/')) violations.push(`A path without a slash: ${path}`)
  const iteration = iterationOf(call, String(tracking.iterationContext?.secondComparingIteration ?? ''))
  const { head, base } = change.versions[iteration - 1] ?? { head: '', base: '' }
  const side = 'rightFileEnd' in context ? ('new' as const) : ('old' as const)
  const name = side === 'new' ? 'right' : 'left'
  const [start, end] = [context[`${name}FileStart`], context[`${name}FileEnd`]] as [Position?, Position?]
  const [startLine, line] = [start?.line ?? 0, end?.line ?? 0]
  if (startLine < 1 || line < startLine || !start?.offset || !end?.offset)
    violations.push(`No range of lines: ${path} ${startLine}-${line}`)
  const file = change.repository
    .diff(base, head)
    .find((one) => `/${side === 'new' ? one.path : one.oldPath}` === path)
  if (!file || tracking.changeTrackingId !== trackingIdOf(change, file.path))
    violations.push(`Not the number of the file in the iteration: ${path}`)
  const text = change.repository.read(side === 'new' ? head : base, path.slice(1))
  if (!text || String(text).split('\n').length <= line - 1)
    violations.push(`A comment off the file: ${path} ${line}`)
  const anchor: LineAnchor = { side, line, startSide: side, startLine }
  return { path: file?.path ?? path.slice(1), anchor, commit: head, base }
}

function createComment(call: Call): ApiAnswer {
  const { change, talk } = talkOf(call)
  const who = author(call)
  const parent = Number(call.body.parentCommentId ?? 0)
  if (!call.state.numbers(talk).some(({ number }) => number === parent))
    throw new Refusal(400, 'The parent comment does not exist', 'CommentParentException')
  if (talk.notes.length >= mostComments)
    throw new Refusal(400, `A thread has ${mostComments} comments at most`)
  const text = contentOf(call, call.body)
  const note = talk.thread ? change.reply(talk.thread, who.login, text) : change.addNote(who, text)
  if (!talk.thread) call.state.replies.set(talk.id, [...(call.state.replies.get(talk.id) ?? []), note])
  const now = { ...talk, notes: talk.thread ? talk.notes : [...talk.notes, note] }
  return ok(showNotes(now, call.state).at(-1) ?? {})
}

function createStatus(call: Call): ApiAnswer {
  const { body, world, state } = call
  const change = changeOf(call)
  const context = (body.context ?? {}) as { genre?: string; name?: string }
  if (!context.name) throw new Refusal(400, 'A status needs the name of its context', 'ArgumentNullException')
  if (typeof body.state !== 'string')
    throw new Refusal(400, 'A status needs a state', 'ArgumentNullException')
  const iterationId = body.iterationId === undefined ? null : iterationOf(call, String(body.iterationId))
  const made = {
    ...{
      id: world.nextId(),
      change,
      iterationId,
      state: body.state,
      description: String(body.description ?? ''),
    },
    context: { genre: context.genre ?? '', name: context.name },
    ...{ targetUrl: String(body.targetUrl ?? ''), creator: author(call), createdAt: world.stamp() },
  }
  state.statuses.push(made)
  return ok(showStatus(made))
}

function changeOf({ project, parameters }: Call): Change {
  const found = project.changes.get(Number(parameters.pullRequestId))
  if (!found)
    throw new Refusal(
      404,
      'TF401180: The requested pull request was not found.',
      'GitPullRequestNotFoundException',
    )
  return found
}

function iterationOf(call: Call, wanted: string | undefined): number {
  const number = Number(wanted)
  if (!changeOf(call).versions[number - 1]) throw new Refusal(404, `There is no iteration ${wanted}`)
  return number
}

function talkOf(call: Call): { change: Change; talk: Talk } {
  const change = changeOf(call)
  const talk = call.state.talks(change).find(({ id }) => id === Number(call.parameters.threadId))
  if (!talk)
    throw new Refusal(404, 'The thread does not exist', 'GitPullRequestCommentThreadNotFoundException')
  return { change, talk }
}

function noteOf(call: Call): { change: Change; talk: Talk; note: Note; number: number } {
  const { change, talk } = talkOf(call)
  const found = call.state.numbers(talk).find(({ number }) => number === Number(call.parameters.commentId))
  if (!found || found.isDeleted)
    throw new Refusal(404, 'The comment does not exist', 'CommentNotFoundException')
  return { change, talk, note: found.note, number: found.number }
}

/** A hundred where it is not said, and at most so many. */
function pageOf<One>({ request: { query } }: Call, all: readonly One[], most: number): One[] {
  const top = Number(query.$top ?? 100)
  if (top > most) throw new Refusal(400, `$top is at most ${most}`)
  const skip = Number(query.$skip ?? 0)
  return all.slice(skip, skip + top)
}

export function projectOfToken(world: World, token: string): Project | undefined {
  const [, project, repository] = token.split('/')
  return world.projects.find((one) => projectId(one) === project && repositoryId(one) === repository)
}

export function showIdentities(world: World, ids: string): Json[] {
  const wanted = ids.split(',')
  return [...world.people.values()]
    .filter((person) => wanted.includes(personId(person)))
    .map((person) => ({
      ...{ id: personId(person), descriptor: descriptorOf(person), subjectDescriptor: `aad.${person.login}` },
      ...{ providerDisplayName: person.name, isActive: true },
    }))
}

export function ok(body: unknown): ApiAnswer {
  return { status: 200, body }
}
