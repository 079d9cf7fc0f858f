/** What each operation of the fake Bitbucket Cloud does. */
import { outsideCode } from '../../../../src/hosts/remote/markdown.ts'
import type { Change, Thread } from '../engine/change.ts'
import { type DiffSide, findLine } from '../engine/file-diff.ts'
import type { ApiAnswer, ApiRequest } from '../engine/server.ts'
import type { Note, Person, Project, Role, World } from '../engine/world.ts'
import {
  showComment,
  showComments,
  showFile,
  showPull,
  showRepository,
  showResolution,
  showStatus,
  showUser,
  statusWords,
  uuidOf,
} from './render.ts'

type Json = { [key: string]: unknown }

/** What a handler throws to refuse. */
export class Refusal extends Error {
  readonly answer: ApiAnswer

  constructor(status: number, message: string, detail?: object) {
    super(message)
    const error = { message, ...(detail ? { detail } : {}) }
    this.answer = { status, body: { type: 'error', error } }
  }
}

export type Call = {
  request: ApiRequest
  parameters: Readonly<Record<string, string>>
  project: Project
  world: World
  /** Null without a token. */
  person: Person | null
  body: Json
  /** Root of the API. */
  api: string
  violations: string[]
  /** Addresses of pages that were given out. */
  pages: Set<string>
}

/** `scope`: what a token has to hold. */
export type Route = { scope: string; handle(call: Call): ApiAnswer }

const repository = '/repositories/{workspace}/{repo_slug}'
const pull = `${repository}/pullrequests/{pull_request_id}`
const comment = `${pull}/comments/{comment_id}`
const commit = `${repository}/commit/{commit}`

export const routes: Readonly<Record<string, Route>> = {
  'GET /workspaces/{workspace}/permissions/repositories/{repo_slug}': {
    scope: 'repository',
    handle: (call) => {
      demandRole(call, ['admin'])
      const wanted = /^user\.uuid="(\{[0-9a-f-]+\})"$/.exec(call.request.query.q ?? '')?.[1]
      if (call.request.query.q !== undefined && wanted === undefined)
        throw new Refusal(400, 'the query cannot be read')
      const own = [...call.project.roles].flatMap(([login, role]) => {
        const user = call.world.person(login)
        const permission = permissions[role]
        const isMeant = wanted === undefined || uuidOf(user.id) === wanted
        return permission && isMeant
          ? [{ type: 'repository_permission', permission, user: showUser(user) }]
          : []
      })
      return pageOf(call, own)
    },
  },
  [`GET ${repository}`]: { scope: 'repository', handle: ({ project }) => ok(showRepository(project)) },
  [`GET ${repository}/pullrequests`]: {
    scope: 'pullrequest',
    handle: (call) => {
      const wanted = call.request.query.state ?? 'OPEN'
      const all = [...call.project.changes.values()].map(showPull).filter(({ state }) => state === wanted)
      return pageOf(call, all.reverse(), 50)
    },
  },
  [`GET ${pull}`]: { scope: 'pullrequest', handle: (call) => ok(showPull(changeOf(call))) },
  [`GET ${pull}/commits`]: {
    scope: 'pullrequest',
    handle: (call) => {
      const { repository: git, head, baseHead } = changeOf(call)
      const hashes = git.commits(baseHead, head).map(({ id }) => id)
      return pageOf(call, (hashes.length === 0 ? [head] : hashes.toReversed()).map(showCommit))
    },
  },
  [`GET ${pull}/diff`]: { scope: 'pullrequest', handle: (call) => redirect(call, 'diff') },
  [`GET ${pull}/diffstat`]: { scope: 'pullrequest', handle: (call) => redirect(call, 'diffstat') },
  [`GET ${repository}/diff/{spec}`]: {
    scope: 'repository',
    handle: (call) => {
      const [head, base] = commitsOf(call)
      return ok(call.project.repository.git('diff', base, head))
    },
  },
  [`GET ${repository}/diffstat/{spec}`]: {
    scope: 'repository',
    handle: (call) => {
      const [head, base] = commitsOf(call)
      return pageOf(call, call.project.repository.diff(base, head).map(showFile), 500)
    },
  },
  [`GET ${pull}/comments`]: {
    scope: 'pullrequest',
    handle: (call) => pageOf(call, showComments(changeOf(call))),
  },
  [`POST ${pull}/comments`]: { scope: 'pullrequest', handle: createComment },
  [`GET ${comment}`]: {
    scope: 'pullrequest',
    handle: (call) => ok(showComment(changeOf(call), noteOf(call))),
  },
  [`PUT ${comment}`]: {
    scope: 'pullrequest',
    handle: (call) => {
      const [change, note] = [changeOf(call), noteOf(call)]
      if (note.author !== author(call)) throw new Refusal(403, 'You may only edit your own comments')
      change.editNote(note, textOf(call))
      return ok(showComment(change, note))
    },
  },
  [`DELETE ${comment}`]: {
    scope: 'pullrequest',
    handle: (call) => {
      const note = noteOf(call)
      if (note.author !== author(call)) throw new Refusal(403, 'You may only delete your own comments')
      changeOf(call).deleteNote(note)
      return { status: 204 }
    },
  },
  [`POST ${comment}/resolve`]: {
    scope: 'pullrequest',
    handle: (call) => {
      const [change, note] = [changeOf(call), noteOf(call)]
      const thread = change.threads.find(({ firstNote }) => firstNote === note.id)
      if (!thread) throw new Refusal(403, 'Only a top-level comment on the diff can be resolved')
      if (thread.resolvedBy) throw new Refusal(409, 'The comment has already been resolved')
      change.resolve(thread, author(call).login)
      return ok(showResolution(change, thread))
    },
  },
  [`GET ${commit}`]: {
    scope: 'repository',
    handle: ({ project, parameters }) => ok(showCommit(resolved(project, parameters.commit))),
  },
  [`GET ${repository}/merge-base/{spec}`]: {
    scope: 'repository',
    handle: (call) => {
      const [first, second] = (call.parameters.spec ?? '').split('..')
      const { project } = call
      const base = project.repository.mergeBase(resolved(project, first), resolved(project, second))
      if (base === null) throw new Refusal(404, 'There is no common ancestor')
      return ok(showCommit(base))
    },
  },
  [`GET ${commit}/statuses/build/{key}`]: {
    scope: 'repository',
    handle: ({ project, parameters }) => {
      const id = resolved(project, parameters.commit)
      const own = project.statuses.findLast(
        (one) => one.commit === id && one.context === decodeURIComponent(parameters.key ?? ''),
      )
      if (!own) throw new Refusal(404, 'There is no build status with this key')
      return ok(showStatus(own))
    },
  },
  [`POST ${commit}/statuses/build`]: { scope: 'repository', handle: createStatus },
}

const permissions: Readonly<Partial<Record<Role, string>>> = {
  ...{ admin: 'admin', maintain: 'write', write: 'write', triage: 'read', read: 'read' },
}

/** Bitbucket takes what a comment has of HTML as text. */
const html = /^<(?:details|\/details|sub|!--)/m

function createComment(call: Call): ApiAnswer {
  const { body, violations, project } = call
  const [change, who, text] = [changeOf(call), author(call), textOf(call)]
  const parent = body.parent as { id: number } | undefined
  if (parent) {
    const thread = change.threads.find(({ notes }) => notes.some(({ id }) => id === parent.id))
    if (!thread) throw new Refusal(404, 'The parent does not exist')
    return { status: 201, body: showComment(change, change.reply(thread, who.login, text)) }
  }
  const inline = body.inline as Place | undefined
  if (!inline) return { status: 201, body: showComment(change, change.comment(who.login, text)) }
  const { side, line, startLine } = anchorOf(inline)
  const named = side === 'new' ? 'path' : 'oldPath'
  const file = project.repository
    .diff(change.mergeBase, change.head)
    .find((one) => one[named] === inline.path)
  const found = file && findLine(file, side, line)
  // The real host takes it, and shows it nowhere.
  if (!found || !findLine(file, side, startLine))
    violations.push(`A comment off the diff: ${inline.path} ${side} ${startLine} to ${line}`)
  const note = change.addNote(who, text)
  const thread: Thread = {
    ...{ id: note.id, firstNote: note.id, notes: [note], path: file?.path ?? inline.path },
    ...{ commit: change.head, base: change.mergeBase, resolvedBy: null },
    anchor: { side, line, startSide: side, startLine },
    diffHunk: found?.hunk.header ?? '',
  }
  change.threads.push(thread)
  return { status: 201, body: showComment(change, note) }
}

type Place = { path: string; from?: number; to?: number; start_from?: number; start_to?: number }

function anchorOf({ from, to, start_from: startFrom, start_to: startTo }: Place) {
  const side: DiffSide = to === undefined ? 'old' : 'new'
  const line = to ?? from
  if (line === undefined || (from !== undefined && to !== undefined))
    throw new Refusal(400, 'inline: exactly one of "from" and "to" is needed')
  const startLine = (side === 'new' ? startTo : startFrom) ?? line
  if (startLine > line) throw new Refusal(400, 'inline: it starts behind its end')
  return { side, line, startLine }
}

function createStatus(call: Call): ApiAnswer {
  const { project, body, parameters, world } = call
  demandRole(call, ['write', 'maintain', 'admin'])
  const id = resolved(project, parameters.commit)
  const isOfFork = [...project.changes.values()].some(({ head, from }) => head === id && from !== project)
  if (isOfFork) throw new Refusal(404, 'Commit not found')
  project.statuses.push({
    ...{ id: world.nextId(), commit: id, context: String(body.key) },
    state: statusWords[body.state as keyof typeof statusWords],
    ...{ description: String(body.description ?? ''), targetUrl: String(body.url) },
    ...{ creator: author(call), createdAt: world.stamp() },
  })
  const made = project.statuses.at(-1)
  return { status: 201, body: made && showStatus(made) }
}

function textOf({ body, violations }: Call): string {
  const { raw } = body.content as { raw: string }
  const words: string[] = []
  outsideCode(raw, (line) => {
    words.push(line)
    return line
  })
  if (html.test(words.join('\n'))) violations.push(`HTML, which is shown as text: ${raw.slice(0, 200)}`)
  return raw
}

function changeOf({ project, parameters }: Call): Change {
  const found = project.changes.get(Number(parameters.pull_request_id))
  if (!found) throw new Refusal(404, 'Pull request not found')
  return found
}

function noteOf(call: Call): Note {
  const change = changeOf(call)
  const all = [...change.comments, ...change.threads.flatMap(({ notes }) => notes)]
  const found = all.find(({ id }) => id === Number(call.parameters.comment_id))
  if (!found) throw new Refusal(404, 'Comment not found')
  return found
}

function author({ person }: Call): Person {
  if (!person) throw new Refusal(401, 'Authentication is required')
  return person
}

function demandRole(call: Call, roles: readonly Role[]): void {
  if (!roles.includes(call.project.roleOf(author(call).login)))
    throw new Refusal(403, 'Your account lacks the permission for this')
}

function resolved({ repository: git }: Project, id = ''): string {
  const found = /^[0-9a-f]{7,40}$/.test(id) ? git.resolve(id) : null
  if (found === null) throw new Refusal(404, `Commit not found: ${id}`)
  return found
}

function showCommit(hash: string): Json {
  return { type: 'commit', hash, message: '', date: '2026-01-01T00:00:00+00:00' }
}

/** Of a pull request to the comparison of its commits, the newer one first. */
function redirect(call: Call, what: 'diff' | 'diffstat'): ApiAnswer {
  const { head, baseHead, project, number } = changeOf(call)
  const query = new URLSearchParams({
    from_pullrequest_id: String(number),
    topic: 'true',
    ...call.request.query,
  })
  const spec = `${head.slice(0, 12)}..${baseHead.slice(0, 12)}`
  const location = `${call.api}/repositories/${project.fullName}/${what}/${spec}?${query}`
  return { status: 302, headers: { location } }
}

function commitsOf({ project, parameters }: Call): [string, string] {
  const [newer, older] = (parameters.spec ?? '').split('..').map((id) => resolved(project, id))
  if (newer === undefined || older === undefined) throw new Refusal(400, 'two commits are needed')
  return [newer, project.repository.mergeBase(older, newer) ?? older]
}

/** A number of elements, with the address of the next ones; nobody else makes that. */
function pageOf({ request, api, violations, pages }: Call, all: readonly unknown[], most = 100): ApiAnswer {
  const { page: number = '1', pagelen = '10' } = request.query
  const address = (page: number) =>
    `${api}${request.path}?${new URLSearchParams({ ...request.query, page: String(page) })}`
  const [page, size] = [Number(number), Math.min(most, Number(pagelen))]
  if (request.query.page !== undefined && !pages.has(address(page)))
    violations.push(`A page that was not given: ${request.path}, page ${number}`)
  const isLast = page * size >= all.length
  if (!isLast) pages.add(address(page + 1))
  const values = all.slice((page - 1) * size, page * size)
  return ok({ ...{ page, pagelen: size, values }, ...(isLast ? {} : { next: address(page + 1) }) })
}

function ok(body: unknown): ApiAnswer {
  return { status: 200, body }
}
