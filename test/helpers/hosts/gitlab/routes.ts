/** What each operation of the fake GitLab does. */
import type { Change, Thread } from '../engine/change.ts'
import type { ApiAnswer, ApiRequest } from '../engine/server.ts'
import type { CommitStatus, Note, Person, Project } from '../engine/world.ts'
import { placePosition } from './positions.ts'
import { discussionId, type Renderer } from './render.ts'
import { type Draft, type GitLabState, hasRole, type Identity, type Position, Refusal } from './state.ts'

export type Call = {
  request: ApiRequest
  parameters: Readonly<Record<string, string>>
  identity: Identity
  state: GitLabState
  render: Renderer
  project: Project
  body: { [key: string]: unknown }
  /** The address of the API. */
  api: string
}

/** `job`: a job token may use it too. */
export type Route = { handle(call: Call): ApiAnswer; job?: true; role?: 'read' | 'write' }

const project = '/projects/{id}'
const change = `${project}/merge_requests/{iid}`
const notes = `${change}/notes`
const discussions = `${change}/discussions`
const drafts = `${change}/draft_notes`

export const routes: Readonly<Record<string, Route>> = {
  [`GET ${project}`]: { handle: ({ render, project: own }) => ok(render.project(own)) },
  [`GET ${project}/members/all/{user_id}`]: {
    handle: ({ project: own, render, parameters, state }) => {
      const person = [...state.world.people.values()].find(({ id }) => id === Number(parameters.user_id))
      if (!person || !own.roles.has(person.login)) throw notFound('Not found')
      return ok(render.member(own, person))
    },
  },
  [`GET ${project}/issues`]: {
    handle: (call) => {
      const { state: wanted = 'all' } = call.request.query
      const issues = [...call.project.issues.values()].map((issue) => call.render.issue(call.project, issue))
      return listed(
        call,
        issues.filter(({ state }) => wanted === 'all' || wanted === state),
      )
    },
  },
  [`GET ${project}/issues/{issue_iid}`]: {
    handle: ({ project: own, render, parameters }) => {
      const issue = own.issues.get(Number(parameters.issue_iid))
      if (!issue) throw notFound('Not found')
      return ok(render.issue(own, issue))
    },
  },
  [`GET ${project}/merge_requests`]: {
    handle: (call) => {
      const wanted = call.request.query.state ?? 'all'
      const all = [...call.project.changes.values()]
        .filter(({ state }) => wanted === 'all' || wanted === (state === 'open' ? 'opened' : state))
        .reverse()
      return listed(
        call,
        all.map((one) => call.render.mergeRequest(one)),
      )
    },
  },
  [`GET ${change}`]: { job: true, handle: (call) => ok(call.render.mergeRequest(changeOf(call))) },
  [`GET ${change}/diffs`]: {
    handle: (call) =>
      listed(
        call,
        changeOf(call).diff.map((file) => call.render.diff(file)),
      ),
  },
  [`GET ${change}/closes_issues`]: {
    handle: (call) => {
      const numbers = [...changeOf(call).body.matchAll(/\b(?:close|fix|resolve)(?:s|d|es|ed)?:? #(\d+)/gi)]
      const issues = numbers.flatMap(([, number]) => call.project.issues.get(Number(number)) ?? [])
      return listed(
        call,
        issues.map((issue) => call.render.issue(call.project, issue)),
      )
    },
  },
  [`GET ${notes}`]: {
    job: true,
    handle: (call) => {
      const one = changeOf(call)
      const all = [
        ...one.comments.map((note) => call.render.note(one, null, note)),
        ...one.threads.flatMap((thread) => thread.notes.map((note) => call.render.note(one, thread, note))),
      ].sort((a, b) => Number(b.id) - Number(a.id))
      return listed(call, call.request.query.sort === 'asc' ? all.reverse() : all)
    },
  },
  [`POST ${notes}`]: {
    handle: (call) => {
      const one = changeOf(call)
      const note = one.addNote(author(call), checked(call, call.body.body))
      one.comments.push(note)
      return { status: 201, body: call.render.note(one, null, note) }
    },
  },
  [`GET ${notes}/{note_id}`]: {
    handle: (call) => {
      const { one, thread, note } = noteOf(call)
      return ok(call.render.note(one, thread, note))
    },
  },
  [`GET ${notes}/{note_id}/award_emoji`]: {
    handle: (call) => {
      const { note } = noteOf(call)
      const own = call.state.emoji.filter(({ note: on }) => on === note.id)
      return listed(
        call,
        own.flatMap((one) => showAward(call, one, 'Note')),
      )
    },
  },
  [`POST ${notes}/{note_id}/award_emoji`]: {
    handle: (call) => {
      const note = Number(call.parameters.note_id)
      const made = {
        id: call.state.world.nextId(),
        note,
        login: author(call).login,
        name: String(call.body.name),
      }
      call.state.emoji.push(made)
      return { status: 201, body: showAward(call, made, 'Note')[0] }
    },
  },
  [`GET ${change}/award_emoji`]: {
    handle: (call) => {
      const { id } = changeOf(call)
      const own = call.state.emoji.filter(({ note }) => note === id)
      return listed(
        call,
        own.flatMap((one) => showAward(call, one, 'MergeRequest')),
      )
    },
  },
  [`POST ${change}/award_emoji`]: {
    handle: (call) => {
      const [{ id: note }, { login }, name] = [changeOf(call), author(call), String(call.body.name)]
      const isThere = call.state.emoji.some(
        (one) => one.note === note && one.login === login && one.name === name,
      )
      if (isThere) throw notFound('Award Emoji Name has already been taken Not Found')
      const made = { id: call.state.world.nextId(), note, login, name }
      call.state.emoji.push(made)
      return { status: 201, body: showAward(call, made, 'MergeRequest')[0] }
    },
  },
  [`DELETE ${change}/award_emoji/{award_id}`]: {
    handle: (call) => {
      const [{ id: note }, { login }] = [changeOf(call), author(call)]
      const at = call.state.emoji.findIndex(
        (one) => one.id === Number(call.parameters.award_id) && one.note === note,
      )
      if (at === -1) throw notFound('Award Emoji Not Found')
      if (call.state.emoji[at]?.login !== login) throw unauthorized()
      call.state.emoji.splice(at, 1)
      return { status: 204 }
    },
  },
  [`PUT ${notes}/{note_id}`]: { handle: editNote },
  [`GET ${discussions}`]: { handle: (call) => listed(call, call.render.discussions(changeOf(call))) },
  [`POST ${discussions}`]: {
    handle: (call) => {
      const one = changeOf(call)
      const position = call.body.position as Position | undefined
      const body = checked(call, call.body.body)
      return {
        status: 201,
        body: call.render.discussion(one, startThread(call, one, position ?? null, body)),
      }
    },
  },
  [`PUT ${discussions}/{discussion_id}`]: {
    handle: (call) => {
      const thread = threadOf(call, call.parameters.discussion_id)
      settle(call, changeOf(call), thread, call.body.resolved === true)
      return ok(call.render.discussion(changeOf(call), thread))
    },
  },
  [`POST ${discussions}/{discussion_id}/notes`]: {
    handle: (call) => {
      const one = changeOf(call)
      const thread = threadOf(call, call.parameters.discussion_id)
      const note = one.addNote(author(call), checked(call, call.body.body))
      thread.notes.push(note)
      return { status: 201, body: call.render.note(one, thread, note) }
    },
  },
  [`GET ${drafts}`]: {
    handle: (call) =>
      listed(
        call,
        ownDrafts(call).map((draft) => call.render.draft(draft)),
      ),
  },
  [`POST ${drafts}`]: { handle: createDraft },
  [`DELETE ${drafts}/{draft_id}`]: {
    handle: (call) => {
      const draft = ownDrafts(call).find(({ id }) => id === Number(call.parameters.draft_id))
      if (!draft) throw notFound('Not found')
      call.state.drafts.splice(call.state.drafts.indexOf(draft), 1)
      return { status: 204 }
    },
  },
  [`PUT ${drafts}/{draft_id}/publish`]: {
    handle: (call) => {
      publish(
        call,
        ownDrafts(call).filter(({ id }) => id === Number(call.parameters.draft_id)),
      )
      return { status: 204 }
    },
  },
  [`POST ${drafts}/bulk_publish`]: {
    handle: (call) => {
      publish(call, ownDrafts(call))
      return { status: 204 }
    },
  },
  [`GET ${project}/repository/commits/{sha}/statuses`]: {
    handle: (call) => {
      const { name } = call.request.query
      const own = call.project.statuses
        .filter(
          ({ commit, context }) => commit === commitOf(call) && (name === undefined || name === context),
        )
        .reverse()
      // The latest of each name, as GitLab gives them unless all are asked for.
      const latest = own.filter(({ context }, at) => own.findIndex((one) => one.context === context) === at)
      const shown = call.request.query.all === 'true' ? own : latest
      return listed(
        call,
        shown.map((status) => call.render.status(status)),
      )
    },
  },
  [`GET ${project}/repository/merge_base`]: {
    handle: (call) => {
      const [one = '', other = ''] = (call.request.query['refs[]'] ?? '').split(',')
      const { repository } = call.project
      const base = repository.mergeBase(one, other)
      const [commit] = base === null ? [] : repository.commits(null, base)
      return commit
        ? { status: 200, body: call.render.commit(call.project, commit) }
        : { status: 404, body: { message: '404 Merge Base Not Found' } }
    },
  },
  [`GET ${project}/repository/commits/{sha}/merge_requests`]: {
    job: true,
    handle: (call) => {
      const commit = commitOf(call)
      const all = [...call.project.changes.values()].filter(({ head }) => head === commit)
      return listed(
        call,
        all.map((one) => call.render.mergeRequest(one)),
      )
    },
  },
  [`POST ${project}/statuses/{sha}`]: { role: 'write', handle: createStatus },
}

function showAward(
  { state, render }: Call,
  { id, note, login, name }: GitLabState['emoji'][number],
  type: string,
) {
  const who = state.world.people.get(login)
  return who ? [{ id, name, user: render.user(who), awardable_id: note, awardable_type: type }] : []
}

function createDraft(call: Call): ApiAnswer {
  const one = changeOf(call)
  const { body, state } = call
  const position = (body.position as Position | undefined) ?? null
  if (position) placePosition(one, position, [])
  const draft: Draft = {
    ...{ id: state.world.nextId(), change: one, author: author(call), position },
    note: checked(call, body.note),
  }
  state.drafts.push(draft)
  return { status: 201, body: call.render.draft(draft) }
}

function publish(call: Call, own: readonly Draft[]): void {
  for (const draft of own) {
    const { change: one, note, position } = draft
    call.state.drafts.splice(call.state.drafts.indexOf(draft), 1)
    if (position) startThread(call, one, position, note)
    else one.comments.push(one.addNote(draft.author, note))
  }
}

function startThread(call: Call, one: Change, position: Position | null, body: string): Thread {
  const { world, violations } = call.state
  const placed = position
    ? placePosition(one, position, violations)
    : { path: '', anchor: null, commit: one.head, base: one.mergeBase, diffHunk: '' }
  const note = one.addNote(author(call), body)
  const thread: Thread = {
    ...placed,
    id: world.nextId(),
    firstNote: note.id,
    notes: [note],
    resolvedBy: null,
  }
  one.threads.push(thread)
  return thread
}

function settle(call: Call, one: Change, thread: Thread, isResolved: boolean): void {
  const who = author(call)
  if (who !== one.author && !hasRole(one.project, who.login, 'write'))
    throw new Refusal(403, { message: '403 Forbidden' })
  const first = thread.notes[0]?.author
  if (first && first !== who)
    call.state.violations.push(`A thread of ${first.login} is resolved by ${who.login}`)
  if (isResolved) one.resolve(thread, who.login)
  else one.reopen(thread)
}

function editNote(call: Call): ApiAnswer {
  const { one, thread, note } = noteOf(call)
  demandOwn(call, note)
  one.editNote(note, checked(call, call.body.body))
  return ok(call.render.note(one, thread, note))
}

function createStatus(call: Call): ApiAnswer {
  const { project: own, body, state } = call
  const description = typeof body.description === 'string' ? body.description : null
  if ((description ?? '').length > 255)
    throw new Refusal(400, { message: { description: ['is too long (maximum is 255 characters)'] } })
  const commit = commitOf(call)
  const isOnBranch = own.repository.isOnBranch(commit)
  if (body.ref === undefined && !isOnBranch) throw notFound('References for commit Not Found')
  const status: CommitStatus = {
    ...{ id: state.world.nextId(), commit, state: String(body.state), description },
    context: String(body.name ?? body.context ?? 'default'),
    targetUrl: typeof body.target_url === 'string' ? body.target_url : null,
    ...{ creator: author(call), createdAt: state.world.stamp() },
  }
  own.statuses.push(status)
  return { status: 201, body: call.render.status(status) }
}

function changeOf({ project: own, parameters }: Call): Change {
  const found = own.changes.get(Number(parameters.iid))
  if (!found) throw notFound('Not found')
  return found
}

function threadOf(call: Call, id: string | undefined): Thread {
  const found = changeOf(call).threads.find((thread) => discussionId(thread.id) === id)
  if (!found) throw notFound('Discussion Not Found')
  return found
}

function noteOf(call: Call): { one: Change; thread: Thread | null; note: Note } {
  const one = changeOf(call)
  const id = Number(call.parameters.note_id)
  for (const thread of one.threads)
    for (const note of thread.notes) if (note.id === id) return { one, thread, note }
  const note = one.comments.find((comment) => comment.id === id)
  if (!note) throw notFound('Not found')
  return { one, thread: null, note }
}

function ownDrafts(call: Call): Draft[] {
  const one = changeOf(call)
  return call.state.drafts.filter(({ change: of, author: by }) => of === one && by === call.identity.person)
}

function commitOf({ project: own, parameters }: Call): string {
  const commit = own.repository.resolve(parameters.sha ?? '')
  if (!commit) throw notFound('Commit Not Found')
  return commit
}

function author({ identity }: Call): Person {
  if (!identity.person) throw unauthorized()
  return identity.person
}

/** People with the maintainer role may also edit others' notes; a program of ours never should. */
function demandOwn(call: Call, note: Note): void {
  if (note.author === call.identity.person) return
  call.state.violations.push(
    `${call.request.method} ${call.request.path} touches a note of ${note.author.login}`,
  )
  if (!hasRole(call.project, call.identity.person?.login ?? '', 'maintain'))
    throw new Refusal(403, { message: '403 Forbidden' })
}

/** GitLab carries out commands at the start of a line, outside code. */
function checked(call: Call, body: unknown): string {
  const text = String(body)
  if (text.trim() === '')
    throw new Refusal(400, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' })
  if (text.length > 1_000_000)
    throw new Refusal(400, { message: '400 Bad request - Note {:note=>["is too long"]}' })
  const outside = text
    .replace(/^( {0,3})(`{3,}|~{3,})[\s\S]*?^\1?\2[^\n]*$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
  const command = /^\/[a-z_]+\b/m.exec(outside)
  if (command) call.state.violations.push(`The quick action ${command[0]} is carried out`)
  return text
}

function listed(call: Call, all: readonly unknown[]): ApiAnswer {
  const { query, path } = call.request
  const size = Math.min(100, Math.max(1, Number(query.per_page ?? 20) || 20))
  const page = Math.max(1, Number(query.page ?? 1) || 1)
  const last = Math.max(1, Math.ceil(all.length / size))
  const link = (number: number, rel: string) =>
    `<${call.api}${path}?${new URLSearchParams({ ...query, page: String(number) })}>; rel="${rel}"`
  const links = [...(page < last ? [link(page + 1, 'next')] : []), link(1, 'first'), link(last, 'last')]
  return {
    status: 200,
    body: all.slice((page - 1) * size, page * size),
    headers: {
      link: links.join(', '),
      ...{ 'x-page': String(page), 'x-per-page': String(size), 'x-total': String(all.length) },
      ...{ 'x-total-pages': String(last), 'x-next-page': page < last ? String(page + 1) : '' },
    },
  }
}

function ok(body: unknown): ApiAnswer {
  return { status: 200, body }
}

export function notFound(what: string): Refusal {
  return new Refusal(404, { message: `404 ${what}` })
}

export function unauthorized(): Refusal {
  return new Refusal(401, { message: '401 Unauthorized' })
}
