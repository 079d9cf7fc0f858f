/** What each operation of the fake Bitbucket Data Center does. */
import { outsideCode } from '../../../../src/hosts/remote/markdown.ts'
import type { Change, Thread } from '../engine/change.ts'
import { type DiffSide, type FileDiff, findLine } from '../engine/file-diff.ts'
import type { ApiAnswer, ApiRequest } from '../engine/server.ts'
import { type Note, type Person, type Project, type Role, roles, type World } from '../engine/world.ts'
import {
  buildWords,
  type Json,
  lineTypes,
  showActivities,
  showBuild,
  showFile,
  showNote,
  showPull,
  showRepository,
  showTalk,
  showUser,
} from './render.ts'
import type { BitbucketDcState, Talk } from './state.ts'

/** What a handler throws to refuse. */
export class Refusal extends Error {
  readonly answer: ApiAnswer

  constructor(status: number, message: string) {
    super(message)
    this.answer = { status, body: { errors: [{ context: null, message, exceptionName: null }] } }
  }
}

export type Call = {
  request: ApiRequest
  parameters: Readonly<Record<string, string>>
  project: Project
  world: World
  state: BitbucketDcState
  /** Null without a token. */
  person: Person | null
  body: Json
  violations: string[]
  /** Where the next pages begin that were given out, by path. */
  pages: Set<string>
}

export type Route = (call: Call) => ApiAnswer

const repository = '/api/latest/projects/{projectKey}/repos/{repositorySlug}'
const pull = `${repository}/pull-requests/{pullRequestId}`
const comment = `${pull}/comments/{commentId}`
const commit = `${repository}/commits/{commitId}`
const longestText = 32_768

export const routes: Readonly<Record<string, Route>> = {
  [`GET ${repository}`]: ({ project }) => ok(showRepository(project)),
  [`GET ${repository}/pull-requests`]: (call) => {
    const { state: wanted = 'OPEN' } = call.request.query
    const all = [...call.project.changes.values()].map((change) => showPull(change)).reverse()
    return pageOf(
      call,
      all.filter(({ state }) => wanted === 'ALL' || state === wanted),
    )
  },
  [`GET ${pull}`]: (call) => ok(showPull(changeOf(call))),
  [`GET ${pull}.diff`]: (call) => {
    const { accept = '' } = call.request.headers
    if (accept !== 'text/plain') throw new Refusal(406, 'Not Acceptable')
    const { mergeBase, head, repository: git } = changeOf(call)
    return ok(git.git('diff', '--src-prefix=src://', '--dst-prefix=dst://', '-M', mergeBase, head))
  },
  [`GET ${pull}/changes`]: (call) => {
    const all = changeOf(call).diff.map(showFile)
    const limit = Math.min(1000, Number(call.request.query.limit ?? 25))
    const values = all.slice(0, limit)
    return ok({
      ...{ size: values.length, limit, start: 0, values },
      isLastPage: values.length === all.length,
    })
  },
  [`GET ${pull}/activities`]: (call) => pageOf(call, showActivities(changeOf(call), call.state, call.person)),
  [`GET ${pull}/review`]: (call) => {
    const [change, who] = [changeOf(call), author(call)]
    const own = (call.state.pending.get(change) ?? []).filter((note) => note.author === who)
    return pageOf(
      call,
      own.map((note) => showTalk(change, { notes: [note], thread: null }, call.state)),
    )
  },
  [`POST ${pull}/comments`]: createComment,
  [`GET ${comment}`]: (call) => {
    const { talk, note } = noteOf(call)
    return ok(showNote(changeOf(call), talk, note, call.state))
  },
  [`PUT ${comment}`]: editComment,
  [`DELETE ${comment}`]: deleteComment,
  [`PUT ${comment.replace('/api', '/comment-likes')}/reactions/{emoticon}`]: (call) => {
    const [{ note }, person, emoticon] = [noteOf(call), author(call), call.parameters.emoticon ?? '']
    const isThere = call.state.reactions.some(
      (one) => one.note === note.id && one.person === person && one.emoticon === emoticon,
    )
    if (!isThere) call.state.reactions.push({ note: note.id, emoticon, person })
    return ok({ emoticon: { shortcut: emoticon }, user: showUser(person) })
  },
  [`GET ${commit}/merge-base`]: ({ project, parameters, request }) => {
    const [one = '', other = ''] = [parameters.commitId, request.query.otherCommitId]
    for (const id of [one, other])
      if (project.repository.resolve(id) === null) throw new Refusal(404, `Commit ${id} does not exist`)
    const base = project.repository.mergeBase(one, other)
    return base === null ? { status: 204 } : ok({ id: base, displayId: base.slice(0, 11) })
  },
  [`GET ${commit}/builds`]: ({ project, parameters, request }) => {
    const { key } = request.query
    if (key === undefined) throw new Refusal(400, 'The key of a build status is needed')
    const own = project.statuses.findLast((one) => one.commit === parameters.commitId && one.context === key)
    if (!own) throw new Refusal(404, `There is no build status with the key ${key}`)
    return ok(showBuild(own))
  },
  [`POST ${commit}/builds`]: (call) => {
    const { project, parameters, body, world } = call
    const id = parameters.commitId ?? ''
    if (!/^[0-9a-f]{40}$/.test(id)) throw new Refusal(400, `${id} is not a commit hash`)
    project.statuses.push({
      ...{ id: world.nextId(), commit: id, context: String(body.key), targetUrl: String(body.url) },
      ...{ state: buildWords[body.state as keyof typeof buildWords], createdAt: world.stamp() },
      ...{ description: String(body.description ?? ''), creator: author(call) },
    })
    return { status: 204 }
  },
}

const least: Readonly<Record<string, Role>> = { REPO_ADMIN: 'admin', REPO_WRITE: 'write', REPO_READ: 'read' }

/** Whoever may, by themselves or by a group. */
export function showUsers(
  world: World,
  query: ApiRequest['query'],
  people: Pick<Call, 'request' | 'violations' | 'pages'>,
): ApiAnswer {
  const { filter = '', permission } = query
  const place = `${query['permission.projectKey']}/${query['permission.repositorySlug']}`
  const project = permission === undefined ? null : world.find(place)?.project
  if (project === undefined) throw new Refusal(400, 'The permission is of no repository')
  const needed = roles.indexOf(least[permission ?? ''] ?? 'none')
  const found = [...world.people.values()].filter(
    ({ login }) =>
      login.includes(filter) && (!project || roles.indexOf(project.roles.get(login) ?? 'none') >= needed),
  )
  return pageOf(people, found.map(showUser))
}

/** What a comment has of HTML is shown as text. */
const html = /^<(?:details|\/details|sub|!--)/m

function textOf({ body, violations }: Call): string {
  const text = String(body.text ?? '')
  if (text.trim() === '') throw new Refusal(400, 'text: must not be empty')
  if (text.length > longestText) throw new Refusal(400, `text: at most ${longestText} characters`)
  const words: string[] = []
  outsideCode(text, (one) => {
    words.push(one)
    return one
  })
  if (html.test(words.join('\n'))) violations.push(`HTML, which is shown as text: ${text.slice(0, 200)}`)
  return text
}

function createComment(call: Call): ApiAnswer {
  const { body, state } = call
  const [change, who, text] = [changeOf(call), author(call), textOf(call)]
  const made = (talk: Talk, note: Note) => ({ status: 201, body: showNote(change, talk, note, state) })
  if (body.parent) return made(...answered(call, change, (body.parent as { id: number }).id, text))
  const note = change.addNote(who, text)
  if (body.state === 'PENDING') {
    state.pending.set(change, [...(state.pending.get(change) ?? []), note])
    return made({ notes: [note], thread: null }, note)
  }
  if (!body.anchor) {
    change.comments.push(note)
    return made({ notes: [note], thread: null }, note)
  }
  const placed = placeIn(call, change, body.anchor as Anchor)
  const thread: Thread = {
    ...{ ...placed, id: note.id, firstNote: note.id, notes: [note], resolvedBy: null, diffHunk: '' },
    ...{ commit: change.head, base: change.mergeBase },
  }
  change.threads.push(thread)
  return made({ notes: thread.notes, thread }, note)
}

function answered(call: Call, change: Change, parent: number, text: string): [Talk, Note] {
  const { state } = call
  const talk = state.talks(change).find(({ notes }) => notes.some(({ id }) => id === parent))
  if (!talk) throw new Refusal(404, 'The parent comment does not exist')
  const note = talk.thread
    ? change.reply(talk.thread, author(call).login, text)
    : change.addNote(author(call), text)
  const first = talk.notes[0]?.id ?? 0
  if (!talk.thread) state.replies.set(first, [...(state.replies.get(first) ?? []), note])
  return [talk, note]
}

type Anchor = {
  path: string
  srcPath?: string
  diffType: string
  line: number
  lineType: string
  fileType: 'FROM' | 'TO'
  multilineMarker?: { startLine: number; startLineType: string }
  multilineSpan?: { srcSpanStart: number; srcSpanEnd: number; dstSpanStart: number; dstSpanEnd: number }
}

/** A line has to be what the anchor says it is, in the diff as it is now. */
function placeIn({ state }: Call, change: Change, anchor: Anchor) {
  const { path, srcPath = path, diffType, line, lineType, fileType } = anchor
  if (diffType !== 'EFFECTIVE') throw new Refusal(400, 'fromHash and toHash are needed')
  const file = change.diff.find((one) => one.path === path && one.oldPath === srcPath)
  if (!file) throw new Refusal(404, `${path} is not in the diff`)
  const side: DiffSide = fileType === 'TO' ? 'new' : 'old'
  const end = lineIn(file, side, line, lineType)
  const isOld = Number(state.version.split('.')[0]) < 9
  const { multilineMarker: marker, multilineSpan: span } = isOld ? {} : anchor
  if (!marker !== !span) throw new Refusal(400, 'A marker and a span belong together')
  const startLine = marker?.startLine ?? line
  if (marker && span) {
    const start = lineIn(file, side, startLine, marker.startLineType)
    const isRight =
      start.hunk === end.hunk &&
      startLine < line &&
      isAt(start, span.srcSpanStart, span.dstSpanStart) &&
      isAt(end, span.srcSpanEnd, span.dstSpanEnd)
    if (!isRight) throw new Refusal(400, `${startLine} to ${line} is no span of lines in a part of the diff`)
  }
  return { path, anchor: { side, line, startSide: side, startLine }, wirePlace: isOld ? {} : spanOf(anchor) }
}

function spanOf({ multilineMarker, multilineSpan }: Anchor): Json {
  return multilineMarker ? { multilineMarker, multilineSpan } : {}
}

type FoundLine = NonNullable<ReturnType<typeof findLine>>

/** Where a side lacks the line, the number of the next one there. */
function isAt({ hunk, found }: FoundLine, source: number, destination: number): boolean {
  const at = hunk.lines.indexOf(found)
  const on = (side: DiffSide) =>
    found[side] ??
    hunk.lines.slice(at).find((one) => one[side] !== null)?.[side] ??
    (side === 'old' ? hunk.oldStart + hunk.oldLines : hunk.newStart + hunk.newLines)
  return on('old') === source && on('new') === destination
}

function lineIn(file: FileDiff, side: DiffSide, line: number, lineType: string): FoundLine {
  const found = findLine(file, side, line)
  if (!found || lineTypes[found.found.kind] !== lineType)
    throw new Refusal(400, `${line} is no line of the type ${lineType} in ${file.path}`)
  return found
}

function editComment(call: Call): ApiAnswer {
  const { body, state } = call
  const [change, { talk, note }, who] = [changeOf(call), noteOf(call), author(call)]
  demandVersion(call, note, body.version)
  const mayResolve = [note.author, change.author].includes(who) || call.project.roleOf(who.login) === 'admin'
  if (body.text !== undefined && note.author !== who)
    throw new Refusal(401, 'Only the author of a comment may edit it')
  if (body.threadResolved !== undefined && !mayResolve) throw new Refusal(401, 'You may not resolve this')
  if (body.text !== undefined) change.editNote(note, textOf(call))
  if (body.threadResolved === true && talk.thread) change.resolve(talk.thread, who.login)
  if (body.threadResolved === true && !talk.thread) state.resolved.add(talk.notes[0]?.id ?? 0)
  if (body.threadResolved === false && talk.thread) change.reopen(talk.thread)
  state.raiseVersion(note)
  return ok(showNote(change, talk, note, state))
}

function deleteComment(call: Call): ApiAnswer {
  const { state, request } = call
  const [change, { talk, note }] = [changeOf(call), noteOf(call)]
  demandVersion(call, note, Number(request.query.version))
  if (note.author !== author(call)) throw new Refusal(401, 'You may only delete your own comments')
  if (talk.notes[0] === note && talk.notes.length > 1) throw new Refusal(409, 'The comment has replies')
  const drafts = state.pending.get(change) ?? []
  if (drafts.includes(note)) {
    const left = drafts.filter((one) => one !== note)
    state.pending.set(change, left)
  } else change.deleteNote(note)
  return { status: 204 }
}

function demandVersion({ state }: Call, note: Note, version: unknown): void {
  if (version !== state.versionOf(note))
    throw new Refusal(409, `The comment is at version ${state.versionOf(note)}, not ${version}`)
}

function changeOf({ project, parameters }: Call): Change {
  const found = project.changes.get(Number(parameters.pullRequestId))
  if (!found) throw new Refusal(404, `Pull request ${parameters.pullRequestId} does not exist`)
  return found
}

/** Drafts are there for their authors only. */
function noteOf(call: Call): { talk: Talk; note: Note } {
  const change = changeOf(call)
  const drafts = (call.state.pending.get(change) ?? []).filter((note) => note.author === call.person)
  const all = [...call.state.talks(change), ...drafts.map((note) => ({ notes: [note], thread: null }))]
  for (const talk of all)
    for (const note of talk.notes) if (note.id === Number(call.parameters.commentId)) return { talk, note }
  throw new Refusal(404, `Comment ${call.parameters.commentId} does not exist`)
}

function author({ person }: Pick<Call, 'person'>): Person {
  if (!person) throw new Refusal(401, 'Authentication is required')
  return person
}

const mostPerPage = 50

/** Fewer than were asked for, where that is more than the server gives; only it knows where the next page begins. */
function pageOf(
  { request, violations, pages }: Pick<Call, 'request' | 'violations' | 'pages'>,
  all: readonly unknown[],
): ApiAnswer {
  const start = Number(request.query.start ?? 0)
  const limit = Math.min(mostPerPage, Number(request.query.limit ?? 25))
  if (start > 0 && !pages.has(`${request.path} ${start}`))
    violations.push(`A page that was not given: ${request.path}, from ${start}`)
  const values = all.slice(start, start + limit)
  const next = start + values.length
  const isLastPage = next >= all.length
  if (!isLastPage) pages.add(`${request.path} ${next}`)
  const more = isLastPage ? {} : { nextPageStart: next }
  return ok({ ...{ size: values.length, limit, start, isLastPage, values }, ...more })
}

function ok(body: unknown): ApiAnswer {
  return { status: 200, body }
}
