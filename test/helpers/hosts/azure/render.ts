/** How the fake Azure DevOps shows what the engine remembers. */
import type { Change, LineAnchor } from '../engine/change.ts'
import type { Note, Person, Project } from '../engine/world.ts'
import type { AzureState, PullStatus, Talk } from './state.ts'

export type Json = { [key: string]: unknown }

export function personId({ id }: Person): string {
  return guid('a', id)
}

export function repositoryId({ id }: Project): string {
  return guid('b', id)
}

/** All repositories of one owner are in one project. */
export function projectId({ owner }: Project): string {
  const number = [...owner].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1e9, 7)
  return guid('c', number)
}

function guid(kind: string, number: number): string {
  return `00000000-0000-4000-${kind}000-${String(number).padStart(12, '0')}`
}

export function descriptorOf({ login }: Person): string {
  return `Microsoft.IdentityModel.Claims.ClaimsIdentity;tenant\\${login}`
}

export function showPerson(person: Person): Json {
  const { login, name, isBot } = person
  return {
    ...{ id: personId(person), displayName: name, uniqueName: `${login}@example.org` },
    descriptor: `${isBot ? 'svc' : 'aad'}.${login}`,
  }
}

export function showRepository(project: Project, root: string): Json {
  const { name, visibility, defaultBranch } = project
  const owner = project.owner.split('/').at(-1) ?? ''
  return {
    ...{ id: repositoryId(project), name, isFork: project.forkOf !== null },
    url: `${root}/_apis/git/repositories/${repositoryId(project)}`,
    webUrl: `${root}/${encodeURIComponent(owner)}/_git/${encodeURIComponent(name)}`,
    defaultBranch: `refs/heads/${defaultBranch}`,
    project: {
      ...{ id: projectId(project), name: owner, state: 'wellFormed' },
      visibility: visibility === 'internal' ? 'organization' : visibility,
    },
  }
}

export function showPull(change: Change, root: string): Json {
  const { project, from } = change
  const commit = (commitId: string) => ({ commitId })
  return {
    ...{ pullRequestId: change.number, codeReviewId: change.number, title: change.title },
    ...{ description: change.body, isDraft: change.isDraft, createdBy: showPerson(change.author) },
    status: { open: 'active', closed: 'abandoned', merged: 'completed' }[change.state],
    creationDate: change.createdAt,
    sourceRefName: `refs/heads/${change.branch}`,
    targetRefName: `refs/heads/${change.base}`,
    ...{ mergeStatus: 'succeeded', supportsIterations: true, reviewers: [] },
    lastMergeSourceCommit: commit(change.head),
    lastMergeTargetCommit: commit(change.baseHead),
    repository: showRepository(project, root),
    ...(change.isFromFork
      ? {
          forkSource: {
            name: `refs/heads/${change.branch}`,
            ...(from ? { repository: showRepository(from, root) } : {}),
          },
        }
      : {}),
    url: `${root}/_apis/git/repositories/${repositoryId(project)}/pullRequests/${change.number}`,
  }
}

export function showIterations({ versions, author }: Change): Json[] {
  return versions.map(({ head, start, base, createdAt }, at) => ({
    ...{
      id: at + 1,
      author: showPerson(author),
      createdDate: createdAt,
      reason: at === 0 ? 'create' : 'push',
    },
    sourceRefCommit: { commitId: head },
    targetRefCommit: { commitId: start },
    commonRefCommit: { commitId: base },
  }))
}

/** A file is followed through the iterations by its path here, and by its number on the wire. */
export function trackingIdOf(change: Change, path: string): number {
  const paths = [
    ...new Set(
      change.versions.flatMap(({ base, head }) =>
        change.repository.diff(base, head).map((file) => file.path),
      ),
    ),
  ]
  return paths.indexOf(path) + 1
}

const changeTypes: Readonly<Record<string, string>> = { A: 'add', D: 'delete', R: 'rename', M: 'edit' }

export function showChanges(change: Change, iteration: number): Json[] {
  const version = change.versions[iteration - 1]
  if (!version) return []
  return change.repository.diff(version.base, version.head).map(({ path, oldPath, status, newBlob }, at) => ({
    ...{ changeTrackingId: trackingIdOf(change, path), changeId: at + 1 },
    changeType: changeTypes[status] ?? 'edit',
    item: { path: `/${path}`, objectId: newBlob },
    ...(oldPath === path ? {} : { originalPath: `/${oldPath}` }),
  }))
}

function showNote(
  { number, note, isDeleted }: { number: number; note: Note; isDeleted: boolean },
  state: AzureState,
): Json {
  return {
    ...{ id: number, parentCommentId: number === 1 ? 0 : 1, author: showPerson(note.author) },
    ...(isDeleted ? { isDeleted } : { content: note.body }),
    ...{ publishedDate: note.createdAt, lastUpdatedDate: note.updatedAt },
    ...{ lastContentUpdatedDate: note.updatedAt, commentType: 'text' },
    usersLiked: state.likes.filter((like) => like.note === note.id).map(({ person }) => showPerson(person)),
  }
}

export function showNotes(talk: Talk, state: AzureState): Json[] {
  return state.numbers(talk).map((one) => showNote(one, state))
}

/** `iteration`: the one in which places are shown; null for where they were written. */
export function showTalk(change: Change, talk: Talk, state: AzureState, iteration: number | null): Json {
  const { id, thread } = talk
  const isDeleted = talk.notes.length === 0
  const notes = showNotes(talk, state)
  const base = {
    ...{ id, status: state.stateOf(talk), isDeleted, properties: {}, comments: notes },
    ...{ publishedDate: notes[0]?.publishedDate ?? '', lastUpdatedDate: notes.at(-1)?.lastUpdatedDate ?? '' },
  }
  if (!thread?.anchor) return { ...base, threadContext: null, pullRequestThreadContext: null }
  const at = change.versions.findIndex(({ head }) => head === thread.commit) + 1
  const now = iteration === null ? thread.anchor : change.placeOf(thread)
  const isMoved = now !== null && now.line !== thread.anchor.line
  return {
    ...base,
    threadContext: { filePath: `/${thread.path}`, ...placeOf(now ?? thread.anchor) },
    pullRequestThreadContext: {
      changeTrackingId: trackingIdOf(change, thread.path),
      iterationContext: { firstComparingIteration: at, secondComparingIteration: at },
      ...(isMoved ? { trackingCriteria: originOf(thread.anchor, thread.path) } : {}),
    },
  }
}

function placeOf({ side, line, startLine }: LineAnchor): Json {
  const name = side === 'new' ? 'right' : 'left'
  return {
    [`${name}FileStart`]: { line: startLine, offset: 1 },
    [`${name}FileEnd`]: { line, offset: 1 },
  }
}

function originOf(anchor: LineAnchor, path: string): Json {
  const place = Object.entries(placeOf(anchor)).map(([name, value]) => [
    `orig${name[0]?.toUpperCase()}${name.slice(1)}`,
    value,
  ])
  return { origFilePath: `/${path}`, ...Object.fromEntries(place) }
}

/** Pushes and votes are threads of the server. */
export function systemThread({ id, createdAt }: Change['versions'][number], { author }: Change): Json {
  return {
    ...{ id, isDeleted: false, threadContext: null, pullRequestThreadContext: null },
    properties: { CodeReviewThreadType: { $type: 'System.String', $value: 'RefUpdate' } },
    comments: [
      {
        ...{ id: 1, parentCommentId: 0, author: showPerson(author), commentType: 'system' },
        ...{ content: `${author.name} pushed`, publishedDate: createdAt, lastUpdatedDate: createdAt },
      },
    ],
  }
}

export function showStatus({ creator, createdAt, change: _, iterationId, ...status }: PullStatus): Json {
  return {
    ...status,
    ...(iterationId === null ? {} : { iterationId }),
    ...{ createdBy: showPerson(creator), creationDate: createdAt, updatedDate: createdAt },
  }
}
