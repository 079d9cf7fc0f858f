/** How Bitbucket Data Center shows what the engine remembers. */
import type { Change, Thread } from '../engine/change.ts'
import { type FileDiff, findLine } from '../engine/file-diff.ts'
import type { CommitStatus, Note, Person, Project } from '../engine/world.ts'
import type { BitbucketDcState, Talk } from './state.ts'

export type Json = { [key: string]: unknown }

export function showUser({ id, login, name, isBot }: Person): Json {
  const words = { name: login, slug: login, displayName: name, emailAddress: `${id}@example.com` }
  return { ...words, id, active: true, type: isBot ? 'SERVICE' : 'NORMAL' }
}

export function showRepository({ id, name: slug, owner: key, isPrivate }: Project): Json {
  const type = key.startsWith('~') ? 'PERSONAL' : 'NORMAL'
  return {
    ...{ id, slug, name: slug, public: !isPrivate, archived: false, forkable: true },
    project: { id: id + 1_000_000, key, name: key, public: false, type },
  }
}

const states = { open: 'OPEN', closed: 'DECLINED', merged: 'MERGED' } as const

export function showPull(change: Change): Json {
  const { project, from, number, title, body, isDraft, state, author, branch, base } = change
  const refTo = (name: string, latestCommit: string) => ({
    ...{ id: `refs/heads/${name}`, displayId: name, latestCommit, type: 'BRANCH' },
  })
  return {
    ...{ id: number, version: change.versions.length - 1, title, state: states[state], draft: isDraft },
    ...(body === '' ? {} : { description: body }),
    ...{ open: state === 'open', closed: state !== 'open', locked: false, reviewers: [], participants: [] },
    ...{ createdDate: Date.parse(change.createdAt), updatedDate: Date.parse(change.updatedAt) },
    author: { user: showUser(author), role: 'AUTHOR', approved: false, status: 'UNAPPROVED' },
    fromRef: { ...refTo(branch, change.head), ...(from ? { repository: showRepository(from) } : {}) },
    toRef: { ...refTo(base, change.baseHead), repository: showRepository(project) },
  }
}

/** The newest first, with what else happened among them. */
export function showActivities(change: Change, state: BitbucketDcState, asker: Person | null): Json[] {
  const base = { user: showUser(change.author) }
  const pushes = change.versions.map(({ id, createdAt }, at) => ({
    ...{
      ...base,
      id: id + 1_000_000,
      createdDate: Date.parse(createdAt),
      action: at === 0 ? 'OPENED' : 'RESCOPED',
    },
  }))
  const drafts = (state.pending.get(change) ?? []).filter(({ author }) => author === asker)
  const talks = [...state.talks(change), ...drafts.map((note) => ({ notes: [note], thread: null }))]
  const said = talks.map((talk) => {
    const comment = showTalk(change, talk, state)
    const anchor = comment.anchor === undefined ? {} : { commentAnchor: comment.anchor }
    return {
      ...{
        id: Number(comment.id) + 1_000_000,
        createdDate: Number(comment.createdDate),
        user: comment.author,
      },
      ...{ action: 'COMMENTED', commentAction: 'ADDED', comment, ...anchor },
    }
  })
  return [...pushes, ...said].sort((a, b) => b.createdDate - a.createdDate || b.id - a.id)
}

/** The comment that begins it, with the answers within. */
export function showTalk(change: Change, talk: Talk, state: BitbucketDcState): Json {
  const [first, ...others] = talk.notes.map((note) => showNote(change, talk, note, state))
  return { ...first, comments: others }
}

export function showNote(change: Change, talk: Talk, note: Note, state: BitbucketDcState): Json {
  const isPending = (state.pending.get(change) ?? []).includes(note)
  return {
    ...{ id: note.id, version: state.versionOf(note), text: note.body, author: showUser(note.author) },
    ...{ createdDate: Date.parse(note.createdAt), updatedDate: Date.parse(note.updatedAt), comments: [] },
    ...{ severity: 'NORMAL', state: isPending ? 'PENDING' : 'OPEN', threadResolved: state.isResolved(talk) },
    ...(talk.thread?.anchor ? { anchor: showAnchor(change, talk.thread) } : {}),
    properties: { repositoryId: change.project.id, ...showReactions(note, state) },
  }
}

function showReactions({ id }: Note, { reactions }: BitbucketDcState): Json {
  const own = Map.groupBy(
    reactions.filter(({ note }) => note === id),
    ({ emoticon }) => emoticon,
  )
  if (own.size === 0) return {}
  const shown = [...own].map(([shortcut, given]) => ({
    emoticon: { shortcut, url: `/emoticons/${shortcut}.svg` },
    users: given.map(({ person }) => showUser(person)),
  }))
  return { reactions: shown }
}

/** It moves with its line, and is an orphan where that is no longer in the diff. */
function showAnchor(change: Change, thread: Thread): Json {
  const today = change.placeOf(thread)
  const { side = 'new', line = 1 } = today ?? thread.anchor ?? {}
  const file = change.diff.find(({ path }) => path === thread.path)
  const kind = (file && findLine(file, side, line)?.found.kind) ?? ' '
  return {
    ...(thread.wirePlace as Json),
    ...{ path: thread.path, line, orphaned: today === null, diffType: 'EFFECTIVE' },
    ...{ lineType: lineTypes[kind], fileType: side === 'new' ? 'TO' : 'FROM' },
    ...{ fromHash: change.baseHead, toHash: change.head },
  }
}

export const lineTypes = { '+': 'ADDED', '-': 'REMOVED', ' ': 'CONTEXT' } as const

function showPath(path: string): Json {
  const components = path.split('/')
  return {
    ...{ components, name: components.at(-1), parent: components.slice(0, -1).join('/') },
    toString: path,
  }
}

export function showFile({ path, oldPath, status, newBlob }: FileDiff): Json {
  const words: Readonly<Record<string, string>> = { A: 'ADD', D: 'DELETE', R: 'MOVE' }
  const from = path === oldPath ? {} : { srcPath: showPath(oldPath) }
  return {
    ...{ contentId: newBlob, path: showPath(path), ...from, nodeType: 'FILE' },
    type: words[status] ?? 'MODIFY',
  }
}

/** The words of the engine for those of the host. */
export const buildWords = {
  ...{ SUCCESSFUL: 'success', FAILED: 'failure', INPROGRESS: 'running', CANCELLED: 'canceled' },
  UNKNOWN: 'unknown',
} as const

export function showBuild({ context: key, state, description, targetUrl, createdAt }: CommitStatus): Json {
  const word = Object.entries(buildWords).find(([, own]) => own === state)?.[0]
  const at = Date.parse(createdAt)
  return {
    ...{ key, state: word, url: targetUrl, name: key, description: description ?? '' },
    ...{ createdDate: at, updatedDate: at },
  }
}
