/** A change request of a fake host, with all that people do to one: push, rebase, squash, merge, talk, edit, delete, resolve. */
import { type DiffSide, type FileDiff, findLine } from './file-diff.ts'
import type { Files, HostedRepository } from './repository.ts'
import type { Note, Person, Project } from './world.ts'

export type NewChange = {
  /** Made from the head of `base` with `files` when it does not exist. */
  branch: string
  base?: string
  files?: Files
  title?: string
  body?: string
  author?: string
  labels?: string[]
  isDraft?: boolean
  /** Where the branch lies; the project itself when not given. */
  from?: Project
}

export type ReviewState = 'PENDING' | 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED'

export type HostedReview = {
  readonly id: number
  readonly author: Person
  body: string
  state: ReviewState
  readonly commit: string
  submittedAt: string | null
}

/** Where a thread was put: lines of one side, counted from 1. `startLine` is the same as `line` for a single one. */
export type LineAnchor = { side: DiffSide; line: number; startSide: DiffSide; startLine: number }

/** `start` is the head of the base branch, `base` the merge base. */
export type ChangeVersion = { id: number; head: string; start: string; base: string; createdAt: string }

export type Thread = {
  readonly id: number
  readonly path: string
  /** Null for a thread on a whole file, or on nothing. */
  readonly anchor: LineAnchor | null
  /** The head it was written for, and what that was compared with. */
  readonly commit: string
  readonly base: string
  readonly diffHunk: string
  /** The note that began it; it may be deleted since. */
  readonly firstNote: number
  /** Oldest first. A thread whose notes are all deleted is removed. */
  readonly notes: Note[]
  resolvedBy: Person | null
  /** What the wire was sent as a place, if it has to give it back. */
  readonly wirePlace?: unknown
}

export class Change {
  readonly project: Project
  readonly id: number
  readonly number: number
  readonly author: Person
  readonly createdAt: string
  readonly threads: Thread[] = []
  readonly reviews: HostedReview[] = []
  readonly comments: Note[] = []
  /** Every head it has had, with what it was compared with then. Oldest first. */
  readonly versions: ChangeVersion[] = []
  readonly branch: string
  readonly isFromFork: boolean
  from: Project | null
  base: string
  title: string
  body: string
  labels: string[]
  isDraft: boolean
  state: 'open' | 'closed' | 'merged' = 'open'
  head: string
  baseHead: string
  updatedAt: string

  constructor(project: Project, options: NewChange) {
    const { branch, base = project.defaultBranch, from = project } = options
    this.project = project
    this.id = project.world.nextId()
    this.number = project.nextNumber()
    this.author = project.world.person(options.author ?? 'ada')
    this.createdAt = project.world.stamp()
    this.updatedAt = this.createdAt
    this.branch = branch
    this.from = from
    this.isFromFork = from !== project
    this.base = base
    this.title = options.title ?? `Change ${branch}`
    this.body = options.body ?? ''
    this.labels = options.labels ?? []
    this.isDraft = options.isDraft ?? false
    if (options.files) from.commit(branch, options.files, { author: this.author.name })
    this.head = from.head(branch)
    this.baseHead = project.head(base)
    this.follow(from, branch)
  }

  get repository(): HostedRepository {
    return this.project.repository
  }

  /** What the head is compared with. */
  get mergeBase(): string {
    return this.repository.mergeBase(this.baseHead, this.head) ?? this.baseHead
  }

  get diff(): readonly FileDiff[] {
    return this.repository.diff(this.mergeBase, this.head)
  }

  /** Told of each branch that moves. */
  follow(project: Project, branch: string): void {
    if (this.state !== 'open') return
    if (project === this.project && branch === this.base) this.baseHead = project.head(branch)
    if (project !== this.from || branch !== this.branch) return
    this.head = project.head(branch)
    if (project !== this.project)
      this.repository.fetch(project.repository, `refs/heads/${branch}`, 'refs/hidden/fetched')
    this.repository.point(`refs/pull/${this.number}/head`, this.head)
    this.repository.point(`refs/merge-requests/${this.number}/head`, this.head)
    this.updatedAt = this.project.world.stamp()
    if (this.versions.at(-1)?.head === this.head) return
    const { head, baseHead: start, mergeBase: base, updatedAt: createdAt } = this
    this.versions.push({ id: this.project.world.nextId(), head, start, base, createdAt })
  }

  push(files: Files, options: { message?: string; author?: string } = {}): string {
    return this.source().commit(this.branch, files, { author: this.author.name, ...options })
  }

  /** Replaces all commits by one with the files of the base and these. */
  forcePush(files: Files, message = 'rewritten'): string {
    const commit = this.repositoryOfSource().commit({ parents: [this.mergeBase], message, files })
    return this.move(commit)
  }

  /** All commits again on the present head of the base. */
  rebase(): string {
    this.syncBase()
    const repository = this.repositoryOfSource()
    let onto = this.baseHead
    for (const { id, parents, message, author } of repository.commits(this.mergeBase, this.head))
      if (parents.length === 1)
        onto = repository.commit({ parents: [onto], message, author, tree: repository.pickTree(id, onto) })
    return this.move(onto)
  }

  /** One commit with the same files. */
  squash(message = this.title): string {
    const repository = this.repositoryOfSource()
    const tree = repository.treeOf(this.head)
    return this.move(repository.commit({ parents: [this.mergeBase], message, tree }))
  }

  mergeFromBase(): string {
    this.syncBase()
    const repository = this.repositoryOfSource()
    const tree = repository.mergeTree(this.baseHead, this.head)
    return this.move(
      repository.commit({ parents: [this.head, this.baseHead], message: `Merge ${this.base}`, tree }),
    )
  }

  /** Points the branch at any commit of the source repository. */
  move(commit: string): string {
    this.source().moveBranch(this.branch, commit)
    return commit
  }

  close(): void {
    this.state = 'closed'
  }

  /** With a merge commit on the base. */
  merge(): string {
    const tree = this.repository.mergeTree(this.baseHead, this.head)
    const message = `Merge ${this.branch}`
    const commit = this.repository.commit({ parents: [this.baseHead, this.head], message, tree })
    this.state = 'merged'
    this.project.moveBranch(this.base, commit)
    return commit
  }

  deleteFork(): void {
    if (!this.from || this.from === this.project) throw new Error('The change does not come from a fork')
    this.from.isDeleted = true
    this.from = null
  }

  /** Where a thread is today; null when it is outdated or was never on a line. */
  placeOf({ path, anchor, commit, base }: Thread): LineAnchor | null {
    if (!anchor) return null
    const file = this.diff.find((one) => one.path === path)
    if (!file) return null
    const today = (side: DiffSide, line: number) =>
      side === 'new'
        ? this.repository.mapLine(commit, this.head, path, line)
        : this.repository.mapLine(base, this.mergeBase, file.oldPath, line)
    const line = today(anchor.side, anchor.line)
    if (line === null || !findLine(file, anchor.side, line)) return null
    const startLine = anchor.startLine === anchor.line ? line : today(anchor.startSide, anchor.startLine)
    return { ...anchor, line, startLine: startLine ?? line }
  }

  addNote(author: Person, body: string, reviewId: number | null = null): Note {
    const { world } = this.project
    const createdAt = world.stamp()
    return { id: world.nextId(), author, body, createdAt, updatedAt: createdAt, reviewId }
  }

  /** What a person writes under a thread. */
  reply(thread: Thread, login: string, body: string): Note {
    const note = this.addNote(this.project.world.person(login), body)
    thread.notes.push(note)
    return note
  }

  editNote(note: Note, body: string): void {
    note.body = body
    note.updatedAt = this.project.world.stamp()
  }

  /** Of a thread, a review or the conversation. */
  deleteNote(note: Note): void {
    remove(this.comments, note)
    for (const thread of this.threads) remove(thread.notes, note)
    for (const thread of this.threads.filter(({ notes }) => notes.length === 0)) remove(this.threads, thread)
  }

  resolve(thread: Thread, login: string): void {
    thread.resolvedBy = this.project.world.person(login)
  }

  reopen(thread: Thread): void {
    thread.resolvedBy = null
  }

  /** What a person writes into the conversation. */
  comment(login: string, body: string): Note {
    const note = this.addNote(this.project.world.person(login), body)
    this.comments.push(note)
    return note
  }

  private source(): Project {
    if (!this.from) throw new Error('The fork of the change was deleted')
    return this.from
  }

  private repositoryOfSource(): HostedRepository {
    return this.source().repository
  }

  /** A fork has to know the commits that its branch is put on. */
  private syncBase(): void {
    const { repository } = this.source()
    if (repository === this.repository) return
    repository.fetch(this.repository, `refs/heads/${this.base}`, 'refs/hidden/base')
  }
}

function remove<T>(list: T[], one: T): void {
  const index = list.indexOf(one)
  if (index !== -1) list.splice(index, 1)
}
