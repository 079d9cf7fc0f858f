/** What each operation of the fake Forgejo does, and how it shows what the engine remembers. */
import type { Change, HostedReview, Thread } from '../engine/change.ts'
import { findLine } from '../engine/file-diff.ts'
import type { ApiAnswer, ApiRequest } from '../engine/server.ts'
import type { Issue, Note, Person, Project, World } from '../engine/world.ts'

type Json = { [key: string]: unknown }

/** What a handler throws to refuse. */
export class Refusal extends Error {
  readonly answer: ApiAnswer

  constructor(status: number, message: string) {
    super(message)
    this.answer = { status, body: { message, url: 'https://forgejo.org/docs' } }
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
  web: string
  violations: string[]
  reactions: Reaction[]
}

export type Reaction = { note: number; login: string; content: string }

/** `scope`: what a token has to hold. */
export type Route = { scope: string; handle(call: Call): ApiAnswer }

const repo = '/repos/{owner}/{repo}'
const pull = `${repo}/pulls/{index}`

export const routes: Readonly<Record<string, Route>> = {
  [`GET ${repo}`]: {
    scope: 'read:repository',
    handle: ({ project, person }) =>
      ok({ ...showRepository(project), permissions: permissionsOf(project, person) }),
  },
  [`GET ${repo}/collaborators/{collaborator}/permission`]: {
    scope: 'read:repository',
    handle: ({ project, person, parameters, world }) => {
      const login = parameters.collaborator ?? ''
      const mayAsk = person !== null && (person.login === login || project.roleOf(person.login) === 'admin')
      if (!mayAsk)
        throw new Refusal(
          403,
          'Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own',
        )
      const who = world.people.get(login)
      if (!who) throw new Refusal(404, 'user does not exist')
      const role = project.roles.get(login)
      const permission =
        login === project.owner
          ? 'owner'
          : role === 'admin'
            ? 'admin'
            : role === 'write' || role === 'maintain'
              ? 'write'
              : project.isPrivate && !role
                ? 'none'
                : 'read'
      return ok({ permission, role_name: permission, user: showUser(who) })
    },
  },
  [`GET ${pull}`]: { scope: 'read:repository', handle: (call) => ok(showPull(changeOf(call), call.web)) },
  [`GET ${repo}/pulls`]: {
    scope: 'read:repository',
    handle: (call) => {
      const wanted = call.request.query.state ?? 'open'
      const all = [...call.project.changes.values()]
        .filter(({ state }) => wanted === 'all' || (wanted === 'open') === (state === 'open'))
        .reverse()
      return pageOf(
        call,
        all.map((change) => showPull(change, call.web)),
      )
    },
  },
  [`GET ${pull}.diff`]: {
    scope: 'read:repository',
    handle: (call) => {
      const { repository, mergeBase, head } = changeOf(call)
      return ok(repository.git('diff', mergeBase, head))
    },
  },
  [`GET ${pull}/files`]: {
    scope: 'read:repository',
    handle: (call) =>
      pageOf(
        call,
        changeOf(call).diff.map(({ path, added, removed }) => ({
          ...{ filename: path, status: 'changed', additions: added, deletions: removed },
          changes: added + removed,
        })),
      ),
  },
  [`GET ${repo}/issues`]: {
    scope: 'read:issue',
    handle: (call) => {
      const { state: wanted = 'open', type } = call.request.query
      const { issues, changes } = call.project
      const found = [
        ...(type === 'pulls' ? [] : issues.values()),
        ...(type === 'issues' ? [] : changes.values()),
      ]
      const listed = found.filter(
        ({ state }) => wanted === 'all' || (wanted === 'open') === (state === 'open'),
      )
      return pageOf(call, listed.toSorted((a, b) => b.number - a.number).map(showIssue))
    },
  },
  // A pull request is an issue too.
  [`GET ${repo}/issues/{index}`]: {
    scope: 'read:issue',
    handle: ({ project, parameters }) => {
      const number = Number(parameters.index)
      const found = project.issues.get(number) ?? project.changes.get(number)
      if (!found) throw new Refusal(404, 'The target could not be found.')
      return ok(showIssue(found))
    },
  },
  [`GET ${repo}/issues/{index}/comments`]: {
    scope: 'read:issue',
    handle: (call) => ok(changeOf(call).comments.map(showComment)),
  },
  [`POST ${repo}/issues/{index}/comments`]: {
    scope: 'write:issue',
    handle: (call) => ({
      status: 201,
      body: showComment(changeOf(call).comment(author(call).login, String(call.body.body))),
    }),
  },
  // Comments on lines too: whatever has a text of its own.
  [`PATCH ${repo}/issues/comments/{id}`]: {
    scope: 'write:issue',
    handle: (call) => {
      const { change, note } = noteOf(call)
      const who = author(call)
      if (note.author !== who && call.project.roleOf(who.login) !== 'admin')
        throw new Refusal(403, 'user should be the author of the comment')
      if (note.author !== who) call.violations.push(`A comment of ${note.author.login} is edited`)
      change.editNote(note, String(call.body.body))
      return ok(showComment(note))
    },
  },
  [`GET ${repo}/issues/comments/{id}/reactions`]: {
    scope: 'read:issue',
    handle: ({ project, parameters, reactions, world }) => {
      const note = Number(parameters.id)
      const isThere = [...project.changes.values()].some(({ comments, threads }) =>
        [...comments, ...threads.flatMap((thread) => thread.notes)].some(({ id }) => id === note),
      )
      if (!isThere) throw new Refusal(404, 'The target could not be found.')
      const given = reactions.flatMap(({ note: on, login, content }) => {
        const who = world.people.get(login)
        return on === note && who ? [{ content, user: showUser(who), created_at: world.stamp() }] : []
      })
      // A list that was never appended to is null in the language of the server.
      return ok(given.length === 0 ? null : given)
    },
  },
  [`POST ${repo}/issues/comments/{id}/reactions`]: {
    scope: 'write:issue',
    handle: (call) => {
      const { project, parameters, body, reactions, world } = call
      const note = Number(parameters.id)
      const isThere = [...project.changes.values()].some(({ comments }) =>
        comments.some(({ id }) => id === note),
      )
      if (!isThere) throw new Refusal(404, 'The target could not be found.')
      const [who, content] = [author(call), String(body.content)]
      reactions.push({ note, login: who.login, content })
      return { status: 201, body: { content, user: showUser(who), created_at: world.stamp() } }
    },
  },
  [`POST ${repo}/issues/{index}/reactions`]: {
    scope: 'write:issue',
    handle: (call) => {
      const { body, reactions, world } = call
      const [{ id: note }, who, content] = [changeOf(call), author(call), String(call.body.content)]
      const isThere = reactions.some(
        (one) => one.note === note && one.login === who.login && one.content === body.content,
      )
      if (!isThere) reactions.push({ note, login: who.login, content })
      const shown = { content, user: showUser(who), created_at: world.stamp() }
      return { status: isThere ? 200 : 201, body: shown }
    },
  },
  [`DELETE ${repo}/issues/{index}/reactions`]: {
    scope: 'write:issue',
    handle: (call) => {
      const { body, reactions } = call
      const [{ id: note }, { login }] = [changeOf(call), author(call)]
      const at = reactions.findIndex(
        (one) => one.note === note && one.login === login && one.content === body.content,
      )
      if (at !== -1) reactions.splice(at, 1)
      return { status: 200 }
    },
  },
  [`GET ${pull}/reviews`]: {
    scope: 'read:repository',
    handle: (call) => {
      const change = changeOf(call)
      return pageOf(
        call,
        change.reviews.map((review) => showReview(change, review, call.web)),
      )
    },
  },
  [`POST ${pull}/reviews`]: { scope: 'write:repository', handle: createReview },
  [`GET ${pull}/reviews/{id}/comments`]: {
    scope: 'read:repository',
    handle: (call) => {
      const change = changeOf(call)
      const own = change.threads.flatMap((thread) =>
        thread.notes
          .filter(({ reviewId }) => reviewId === Number(call.parameters.id))
          .map((note) => showReviewComment(thread, note, call.web)),
      )
      return ok(own)
    },
  },
  [`GET ${repo}/statuses/{sha}`]: {
    scope: 'read:repository',
    handle: ({ project, parameters }) => {
      const own = project.statuses.filter(({ commit }) => commit === parameters.sha).reverse()
      return ok(own.map(showStatus))
    },
  },
  [`POST ${repo}/statuses/{sha}`]: { scope: 'write:repository', handle: createStatus },
}

function createReview(call: Call): ApiAnswer {
  const { body, world, project, violations } = call
  const change = changeOf(call)
  const who = author(call)
  const inputs = (body.comments ?? []) as {
    path: string
    body: string
    new_position?: number
    old_position?: number
  }[]
  const text = String(body.body ?? '')
  if (text.trim() === '' && inputs.length === 0)
    throw new Refusal(422, 'review event COMMENT requires a body or a comment')
  const commit = project.repository.resolve(String(body.commit_id ?? change.head))
  if (!commit) throw new Refusal(500, 'object does not exist')
  if (body.event !== 'COMMENT') violations.push(`A review with the event ${String(body.event)}`)
  const review: HostedReview = {
    ...{ id: world.nextId(), author: who, body: text, commit },
    ...{ state: 'COMMENTED', submittedAt: world.stamp() },
  }
  change.reviews.push(review)
  for (const input of inputs) {
    const side = (input.new_position ?? 0) > 0 ? ('new' as const) : ('old' as const)
    const line = (side === 'new' ? input.new_position : input.old_position) ?? 0
    const file = project.repository.diff(change.mergeBase, commit).find(({ path }) => path === input.path)
    const found = file && findLine(file, side, line)
    // The real host takes it, and shows it nowhere.
    if (!found) violations.push(`A comment off the diff: ${input.path} ${side} ${line}`)
    const note = change.addNote(who, input.body, review.id)
    change.threads.push({
      ...{
        id: world.nextId(),
        firstNote: note.id,
        notes: [note],
        path: input.path,
        commit,
        base: change.mergeBase,
      },
      ...{ anchor: { side, line, startSide: side, startLine: line }, resolvedBy: null },
      diffHunk: found?.hunk.header ?? '',
    })
  }
  return ok(showReview(change, review, call.web))
}

function createStatus(call: Call): ApiAnswer {
  const { project, body, parameters, world } = call
  const who = author(call)
  if (!['write', 'maintain', 'admin'].includes(project.roleOf(who.login)))
    throw new Refusal(403, 'user should have a permission to write to a repo')
  const commit = project.repository.resolve(parameters.sha ?? '')
  if (!commit) throw new Refusal(404, 'sha not found')
  project.statuses.push({
    ...{ id: world.nextId(), commit, context: String(body.context ?? 'default'), state: String(body.state) },
    description: typeof body.description === 'string' ? body.description : null,
    targetUrl: typeof body.target_url === 'string' ? body.target_url : null,
    ...{ creator: who, createdAt: world.stamp() },
  })
  const status = project.statuses.at(-1)
  return { status: 201, body: status ? showStatus(status) : {} }
}

function changeOf({ project, parameters }: Call): Change {
  const found = project.changes.get(Number(parameters.index))
  if (!found) throw new Refusal(404, 'The target could not be found.')
  return found
}

/** Of the conversation or on a line. */
function noteOf({ project, parameters }: Call): { change: Change; note: Note } {
  for (const change of project.changes.values())
    for (const note of [...change.comments, ...change.threads.flatMap(({ notes }) => notes)])
      if (note.id === Number(parameters.id)) return { change, note }
  throw new Refusal(404, 'The target could not be found.')
}

function author({ person }: Call): Person {
  if (!person) throw new Refusal(401, 'token is required')
  return person
}

/** At most 50 on a page, whatever is asked for. */
function pageOf({ request }: Call, all: readonly unknown[]): ApiAnswer {
  const size = Math.min(50, Number(request.query.limit ?? 30))
  const page = Number(request.query.page ?? 1)
  const headers = { 'x-total-count': String(all.length) }
  return { status: 200, body: all.slice((page - 1) * size, page * size), headers }
}

export function showUser({ id, login, name }: Person): Json {
  return { id, login, full_name: name }
}

/** Of whoever asks. */
function permissionsOf({ roles, owner, isPrivate }: Project, person: Person | null): Json {
  const role = person?.login === owner ? 'admin' : roles.get(person?.login ?? '')
  const push = role === 'admin' || role === 'maintain' || role === 'write'
  return { admin: role === 'admin', push, pull: !isPrivate || role !== undefined }
}

function showRepository(project: Project): Json {
  const { id, name, fullName, visibility, defaultBranch } = project
  return {
    ...{ id, name, full_name: fullName, owner: { id: 1, login: project.owner } },
    ...{
      private: visibility === 'private',
      internal: visibility === 'internal',
      default_branch: defaultBranch,
    },
  }
}

function showPull(change: Change, web: string): Json {
  const { project, from, number, head } = change
  return {
    ...{ id: change.id, number, title: change.title, body: change.body, draft: change.isDraft },
    state: change.state === 'open' ? 'open' : 'closed',
    merged: change.state === 'merged',
    user: showUser(change.author),
    labels: change.labels.map((name, id) => ({ id, name })),
    merge_base: change.mergeBase,
    head: {
      label: change.branch,
      ref: change.branch,
      sha: head,
      repo_id: from?.id ?? 0,
      repo: from && showRepository(from),
    },
    base: {
      label: change.base,
      ref: change.base,
      sha: change.baseHead,
      repo_id: project.id,
      repo: showRepository(project),
    },
    html_url: `${web}/${project.fullName}/pulls/${number}`,
    ...{ created_at: change.createdAt, updated_at: change.updatedAt },
  }
}

function showIssue(issue: Issue | Change): Json {
  const { number, title, body, state, labels, author: by, createdAt } = issue
  return {
    ...{ id: number, number, title, body, state: state === 'open' ? 'open' : 'closed', user: showUser(by) },
    ...{ labels: labels.map((name, id) => ({ id, name })), created_at: createdAt },
    pull_request: 'branch' in issue ? { draft: issue.isDraft, merged: state === 'merged' } : null,
  }
}

function showReview(change: Change, review: HostedReview, web: string): Json {
  const url = `${web}/${change.project.fullName}/pulls/${change.number}`
  return {
    ...{
      id: review.id,
      body: review.body,
      state: 'COMMENT',
      user: showUser(review.author),
      commit_id: review.commit,
    },
    comments_count: change.threads
      .flatMap(({ notes }) => notes)
      .filter(({ reviewId }) => reviewId === review.id).length,
    ...{ stale: review.commit !== change.head, official: false, dismissed: false },
    ...{
      html_url: `${url}#issuecomment-${review.id}`,
      pull_request_url: url,
      submitted_at: review.submittedAt,
    },
  }
}

/** The line of the old side is in `original_position`, and `position` is then 0. */
function showReviewComment(thread: Thread, note: Note, web: string): Json {
  const { anchor } = thread
  return {
    ...{
      id: note.id,
      body: note.body,
      user: showUser(note.author),
      path: thread.path,
      commit_id: thread.commit,
    },
    position: anchor?.side === 'new' ? anchor.line : 0,
    original_position: anchor?.side === 'old' ? anchor.line : 0,
    ...{
      pull_request_review_id: note.reviewId,
      diff_hunk: thread.diffHunk,
      html_url: `${web}#issuecomment-${note.id}`,
    },
    resolver: thread.resolvedBy && showUser(thread.resolvedBy),
    ...{ created_at: note.createdAt, updated_at: note.updatedAt },
  }
}

function showComment(note: Note): Json {
  return { id: note.id, body: note.body, user: showUser(note.author), created_at: note.createdAt }
}

function showStatus(status: Project['statuses'][number]): Json {
  return {
    ...{
      id: status.id,
      status: status.state,
      context: status.context,
      description: status.description ?? '',
    },
    ...{
      target_url: status.targetUrl ?? '',
      creator: showUser(status.creator),
      created_at: status.createdAt,
    },
  }
}

function ok(body: unknown): ApiAnswer {
  return { status: 200, body }
}
