/** Reviews, comments on lines and comments of the conversation, as GitHub's REST API takes and gives them. */
import type { Change, HostedReview, Thread } from '../engine/change.ts'
import type { Note } from '../engine/world.ts'
import { hasRole } from './access.ts'
import { addThread, anchorThread, type CommentInput } from './anchors.ts'
import {
  author,
  changeOf,
  listAnswer,
  notFound,
  type ProjectCall,
  type Route,
  type Routes,
  text,
} from './routes.ts'
import { Refusal } from './state.ts'

const repo = '/repos/{owner}/{repo}'
const reviews = `${repo}/pulls/{pull_number}/reviews`
const longestBody = 65_536

const read = (handle: Route['handle']): Route => ({ needs: ['pull_requests', 'read'], handle })
const write = (handle: Route['handle']): Route => ({ needs: ['pull_requests', 'write'], handle })

export const reviewRoutes: Routes = {
  [`GET ${reviews}`]: read((call) => {
    const change = changeOf(call)
    return listAnswer(
      call,
      change.reviews.filter((one) => isVisible(call, one)),
      (one) => call.render.review(change, one),
    )
  }),
  [`POST ${reviews}`]: write(createReview),
  [`GET ${repo}/pulls/{pull_number}/comments`]: read((call) => {
    const change = changeOf(call)
    const { since } = call.request.query
    const shown = commentsOf(change)
      .filter(({ note }) => isPublished(change, note) && (since === undefined || note.updatedAt >= since))
      .sort((a, b) => a.note.id - b.note.id)
    if (call.request.query.direction === 'desc') shown.reverse()
    return listAnswer(call, shown, ({ thread, note }) => call.render.reviewComment(change, thread, note))
  }),
  [`POST ${repo}/pulls/{pull_number}/comments/{comment_id}/replies`]: write((call) =>
    reply(call, Number(call.parameters.comment_id)),
  ),
  [`GET ${repo}/pulls/comments/{comment_id}`]: read((call) => {
    const { change, thread, note } = lineComment(call)
    return { status: 200, body: call.render.reviewComment(change, thread, note) }
  }),
  [`POST ${repo}/pulls/comments/{comment_id}/reactions`]: write((call) =>
    react(call, lineComment(call).note),
  ),
  [`GET ${repo}/issues/{issue_number}/comments`]: {
    // GitHub publishes that one of the two is enough.
    needs: ['issues or pull_requests', 'read'],
    handle: (call) => {
      const number = Number(call.parameters.issue_number)
      return listAnswer(call, conversation(call, number), (note) =>
        call.render.issueComment(call.project, number, note),
      )
    },
  },
  [`POST ${repo}/issues/{issue_number}/comments`]: {
    // One of the two is enough here too.
    needs: ['issues or pull_requests', 'write'],
    handle: (call) => {
      const { project, parameters } = call
      const number = Number(parameters.issue_number)
      const change = project.changes.get(number)
      if (!change) throw notFound()
      const note = change.comment(author(call).login, checkedBody(call))
      return { status: 201, body: call.render.issueComment(project, number, note) }
    },
  },
  [`GET ${repo}/issues/comments/{comment_id}`]: {
    needs: ['issues', 'read'],
    handle: (call) => {
      const { change, note } = issueComment(call)
      return { status: 200, body: call.render.issueComment(call.project, change.number, note) }
    },
  },
  [`PATCH ${repo}/issues/comments/{comment_id}`]: {
    needs: ['issues or pull_requests', 'write'],
    handle: (call) => {
      const { change, note } = issueComment(call)
      demandOwn(call, note)
      change.editNote(note, checkedBody(call))
      return { status: 200, body: call.render.issueComment(call.project, change.number, note) }
    },
  },
  [`POST ${repo}/issues/{issue_number}/reactions`]: {
    needs: ['issues or pull_requests', 'write'],
    handle: (call) => react(call, issueOf(call)),
  },
  [`DELETE ${repo}/issues/{issue_number}/reactions/{reaction_id}`]: {
    needs: ['issues or pull_requests', 'write'],
    handle: (call) => {
      const { id: note } = issueOf(call)
      const id = Number(call.parameters.reaction_id)
      const at = call.state.reactions.findIndex((one) => one.id === id && one.note === note)
      if (at === -1) throw notFound()
      if (call.state.reactions[at]?.login !== author(call).login)
        call.violations.push('A reaction of somebody else is deleted')
      call.state.reactions.splice(at, 1)
      return { status: 204 }
    },
  },
  [`POST ${repo}/issues/comments/{comment_id}/reactions`]: {
    needs: ['issues', 'write'],
    handle: (call) => react(call, issueComment(call).note),
  },
}

/** All or nothing: one comment off the diff refuses the whole review, and the answer does not say which. */
function createReview(call: ProjectCall) {
  const change = changeOf(call)
  const who = author(call)
  const body = call.body.body === undefined ? '' : checkedBody(call)
  const at = placeInChange(call, change, call.body.commit_id)
  const inputs = (call.body.comments ?? []) as CommentInput[]
  const event = text(call.body.event)
  if (event === 'COMMENT' && body === '' && inputs.length === 0) throw unprocessable(['Body is required'])
  if (event === 'REQUEST_CHANGES' && body === '')
    throw unprocessable(['Review Can not request changes without a body'])
  if (change.reviews.some((one) => one.state === 'PENDING' && one.author === who))
    throw unprocessable(['User can only have one pending review per pull request'])
  const made = inputs.map((input) => anchorThread(change, at, input))
  const wrong = new Set(made.filter((one) => typeof one === 'string'))
  if (wrong.size > 0) throw unprocessable([...wrong])
  const { world } = call.project
  const review: HostedReview = {
    id: world.nextId(),
    author: who,
    body,
    state: 'PENDING',
    commit: at.commit,
    submittedAt: null,
  }
  if (event !== '') submit(call, review, event)
  change.reviews.push(review)
  for (const [index, one] of made.entries())
    if (typeof one !== 'string')
      addThread(change, one, change.addNote(who, inputs[index]?.body ?? '', review.id))
  return showReview(call, review)
}

function submit(call: ProjectCall, review: HostedReview, event: string): void {
  const change = changeOf(call)
  const isOwn = change.author === review.author
  if (isOwn && event === 'APPROVE') throw unprocessable(['Can not approve your own pull request'])
  if (isOwn && event === 'REQUEST_CHANGES')
    throw unprocessable(['Can not request changes on your own pull request'])
  review.state =
    event === 'APPROVE' ? 'APPROVED' : event === 'REQUEST_CHANGES' ? 'CHANGES_REQUESTED' : 'COMMENTED'
  review.submittedAt = call.project.world.stamp()
}

function reply(call: ProjectCall, to: number) {
  const change = changeOf(call)
  const thread = change.threads.find(({ firstNote }) => firstNote === to)
  if (!thread)
    throw commentsOf(change).some(({ note }) => note.id === to)
      ? new Refusal(422, 'Validation Failed', {
          errors: [
            {
              resource: 'PullRequestReviewComment',
              code: 'custom',
              field: 'in_reply_to',
              message: 'in_reply_to is not a top-level comment',
            },
          ],
        })
      : notFound()
  const note = change.reply(thread, author(call).login, checkedBody(call))
  return { status: 201, body: call.render.reviewComment(change, thread, note) }
}

/** 200 for one that is there already. */
function react(call: ProjectCall, { id: note }: { id: number }) {
  const { state, render, project } = call
  const who = author(call)
  const content = text(call.body.content)
  const isIt = (one: { note: number; login: string; content: string }) =>
    one.note === note && one.login === who.login && one.content === content
  const there = state.reactions.find(isIt)
  const id = there?.id ?? project.world.nextId()
  if (!there) state.reactions.push({ id, note, login: who.login, content })
  const body = { id, node_id: `REA_${id}`, user: render.user(who), content }
  return { status: there ? 200 : 201, body: { ...body, created_at: project.world.stamp() } }
}

function issueOf({ project, parameters }: ProjectCall): { id: number } {
  const change = project.changes.get(Number(parameters.issue_number))
  if (!change) throw notFound()
  return change
}

/** Which diff a comment is for: that of a commit of the pull request, of its head when none is named. */
function placeInChange(call: ProjectCall, change: Change, commitId: unknown) {
  const { repository } = call.project
  const wanted = typeof commitId === 'string' ? commitId : change.head
  const commit = /^[0-9a-f]{40}$/.test(wanted) ? repository.resolve(wanted) : null
  const base = commit && repository.mergeBase(change.baseHead, commit)
  const isPart = commit && base && base !== commit && repository.contains(commit, change.head)
  if (!isPart) throw unprocessable(['Commit is not part of the pull request'])
  return { commit, base }
}

function showReview(call: ProjectCall, review: HostedReview) {
  return { status: 200, body: call.render.review(changeOf(call), review) }
}

/** A pending review is seen by its author only. */
function isVisible({ identity }: ProjectCall, { state, author: who }: HostedReview): boolean {
  return state !== 'PENDING' || who === identity.person
}

function isPublished(change: Change, { reviewId }: Note): boolean {
  return change.reviews.find(({ id }) => id === reviewId)?.state !== 'PENDING'
}

export function commentsOf(change: Change): { thread: Thread; note: Note }[] {
  return change.threads.flatMap((thread) => thread.notes.map((note) => ({ thread, note })))
}

function lineComment({ project, parameters }: ProjectCall) {
  for (const change of project.changes.values())
    for (const { thread, note } of commentsOf(change))
      if (note.id === Number(parameters.comment_id)) return { change, thread, note }
  throw notFound()
}

function issueComment({ project, parameters }: ProjectCall) {
  for (const change of project.changes.values())
    for (const note of change.comments) if (note.id === Number(parameters.comment_id)) return { change, note }
  throw notFound()
}

function conversation({ project }: ProjectCall, number: number): readonly Note[] {
  const found = project.changes.get(number) ?? project.issues.get(number)
  if (!found) throw notFound()
  return found.comments
}

/** People with write access may also edit others' comments; a program of ours never should. */
function demandOwn(call: ProjectCall, note: Note): void {
  const { identity, project, request } = call
  if (note.author === identity.person) return
  call.violations.push(`${request.method} ${request.path} touches a comment of ${note.author.login}`)
  if (!hasRole(project, identity.person?.login ?? '', 'write'))
    throw new Refusal(403, 'Must have admin rights to Repository.')
}

function checkedBody(call: ProjectCall): string {
  const body = text(call.body.body)
  if (body.length > longestBody)
    throw unprocessable([`Body is too long (maximum is ${longestBody} characters)`])
  return body
}

function unprocessable(errors: string[]): Refusal {
  // GitHub joins them to one sentence.
  return new Refusal(422, 'Unprocessable Entity', { errors: [errors.join(', ')] })
}
