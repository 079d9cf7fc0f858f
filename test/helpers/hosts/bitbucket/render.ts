/** How Bitbucket Cloud shows what the engine remembers. */
import type { Change, Thread } from '../engine/change.ts'
import type { FileDiff } from '../engine/file-diff.ts'
import type { CommitStatus, Note, Person, Project } from '../engine/world.ts'

type Json = { [key: string]: unknown }

export function uuidOf(id: number): string {
  return `{00000000-0000-4000-8000-${id.toString(16).padStart(12, '0')}}`
}

export function showUser({ id, login, name, isBot }: Person): Json {
  const account = { account_id: `557058:${id}`, display_name: name, nickname: login }
  return { type: isBot ? 'app_user' : 'user', uuid: uuidOf(id), ...account }
}

export function showRepository({ id, name, fullName, isPrivate }: Project): Json {
  return { type: 'repository', uuid: uuidOf(id), full_name: fullName, name, is_private: isPrivate }
}

const states = { open: 'OPEN', closed: 'DECLINED', merged: 'MERGED' } as const

export function showPull(change: Change): Json {
  const { project, from, number, title, body, isDraft, state, author } = change
  const commit = (hash: string) => ({ type: 'commit', hash: hash.slice(0, 12) })
  const own = { id: number, title, description: body, state: states[state], draft: isDraft }
  return {
    ...{ type: 'pullrequest', ...own, author: showUser(author) },
    source: {
      branch: { name: change.branch },
      commit: commit(change.head),
      repository: from && showRepository(from),
    },
    destination: {
      branch: { name: change.base },
      commit: commit(change.baseHead),
      repository: showRepository(project),
    },
    comment_count: change.comments.length + change.threads.length,
    ...{ created_on: change.createdAt, updated_on: change.updatedAt },
  }
}

/** All comments, oldest first; of a thread whose first one was deleted, that is still listed without its text. */
export function showComments(change: Change): Json[] {
  const ofThreads = change.threads.flatMap((thread) => [
    ...(thread.notes[0]?.id === thread.firstNote ? [] : [showDeleted(change, thread)]),
    ...thread.notes.map((note) => showComment(change, note)),
  ])
  const all = [...change.comments.map((note) => showComment(change, note)), ...ofThreads]
  return all.sort((a, b) => Number(a.id) - Number(b.id))
}

export function showComment(change: Change, note: Note): Json {
  const thread = change.threads.find(({ notes }) => notes.includes(note))
  const isReply = thread !== undefined && thread.firstNote !== note.id
  return {
    ...{
      type: 'pullrequest_comment',
      id: note.id,
      user: showUser(note.author),
      deleted: false,
      pending: false,
    },
    ...{ created_on: note.createdAt, updated_on: note.updatedAt, content: showContent(note.body) },
    ...(isReply ? { parent: { id: thread.firstNote } } : {}),
    ...(thread ? { inline: showPlace(change, thread) } : {}),
    ...(thread && !isReply ? { resolution: thread.resolvedBy && showResolution(change, thread) } : {}),
    pullrequest: { type: 'pullrequest', id: change.number, title: change.title },
  }
}

function showDeleted(change: Change, thread: Thread): Json {
  const gone = { id: thread.firstNote, author: change.author, body: '', reviewId: null }
  const shown = showComment(change, { ...gone, createdAt: change.createdAt, updatedAt: change.createdAt })
  return { ...shown, deleted: true, inline: showPlace(change, thread) }
}

function showContent(raw: string): Json {
  return { type: 'rendered', raw, markup: 'markdown', html: '' }
}

/** It moves with its line, and stays where it was when that is no longer in the diff. */
function showPlace(change: Change, thread: Thread): Json {
  const { path, anchor } = thread
  const today = change.placeOf(thread)
  const { side = 'new', line = null, startLine = null } = today ?? anchor ?? {}
  const start = startLine === line ? null : startLine
  const lines =
    side === 'new'
      ? { from: null, to: line, start_from: null, start_to: start }
      : { from: line, to: null, start_from: start, start_to: null }
  return { path, ...lines, outdated: today === null }
}

export function showResolution(change: Change, { resolvedBy }: Thread): Json {
  return {
    ...{ type: 'comment_resolution', user: resolvedBy && showUser(resolvedBy) },
    created_on: change.updatedAt,
  }
}

export function showFile({ path, oldPath, status, added, removed }: FileDiff): Json {
  const words: Readonly<Record<string, string>> = { A: 'added', D: 'removed', R: 'renamed' }
  const file = (name: string) => ({ type: 'commit_file', path: name })
  return {
    ...{ type: 'diffstat', status: words[status] ?? 'modified', lines_added: added, lines_removed: removed },
    ...{ old: status === 'A' ? null : file(oldPath), new: status === 'D' ? null : file(path) },
  }
}

/** The words of the engine for those of the host. */
export const statusWords = {
  SUCCESSFUL: 'success',
  FAILED: 'failure',
  INPROGRESS: 'running',
  STOPPED: 'canceled',
} as const

export function showStatus({ context, state, description, targetUrl, createdAt }: CommitStatus): Json {
  const word = Object.entries(statusWords).find(([, own]) => own === state)?.[0]
  return {
    ...{ type: 'build', key: context, state: word, name: context, description: description ?? '' },
    ...{ url: targetUrl ?? '', refname: null, created_on: createdAt, updated_on: createdAt },
  }
}
