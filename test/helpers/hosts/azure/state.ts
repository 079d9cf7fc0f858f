/** What the fake Azure DevOps remembers besides the engine: numbers within threads, states, likes and statuses. */
import type { Change, Thread } from '../engine/change.ts'
import type { Note, Person } from '../engine/world.ts'

export type PullStatus = {
  readonly id: number
  readonly change: Change
  readonly iterationId: number | null
  readonly state: string
  readonly description: string
  readonly context: { genre: string; name: string }
  readonly targetUrl: string
  readonly creator: Person
  readonly createdAt: string
}

/** A thread of the conversation has no place; its first note is a comment of the engine. */
export type Talk = {
  readonly id: number
  readonly notes: readonly Note[]
  /** Of a thread on lines. */
  readonly thread: Thread | null
}

export type WorkItem = {
  id: number
  project: string
  title: string
  state?: string
  tags?: string
  /** Further fields, by their reference names. */
  more?: Readonly<Record<string, string>>
  /** Names of the fields whose text is Markdown. */
  markdown?: readonly string[]
  /** In an area that the account may not see. */
  isHidden?: boolean
}

export class AzureState {
  readonly statuses: PullStatus[] = []
  /** Notes and who likes each. */
  readonly likes: { note: number; person: Person }[] = []
  /** Of threads, where it is not `active` or what a resolved one is. */
  readonly states = new Map<number, string>()
  /** Of conversations, by their first note. */
  readonly replies = new Map<number, Note[]>()
  /** Ids of the work items that each pull request is linked to. */
  readonly links = new Map<Change, number[]>()
  readonly workItems: WorkItem[] = []
  /** Notes of each thread in the order in which they came, with those that were deleted. */
  private readonly numbered = new Map<number, Note[]>()
  private readonly gone = new Map<Change, Map<number, Talk>>()

  /** Of conversations and on lines, oldest first. */
  talks(change: Change): Talk[] {
    const conversations = change.comments.map((note) => ({
      ...{ id: note.id, thread: null, notes: [note, ...(this.replies.get(note.id) ?? [])] },
    }))
    const onLines = change.threads.map((thread) => ({ id: thread.id, notes: thread.notes, thread }))
    const all = [...conversations, ...onLines].sort((a, b) => a.id - b.id)
    const seen = this.gone.get(change) ?? new Map<number, Talk>()
    for (const talk of all) seen.set(talk.id, talk)
    this.gone.set(change, seen)
    return all
  }

  /** Threads that were there once and of which everything is deleted. */
  deleted(change: Change): Talk[] {
    const there = new Set(this.talks(change).map(({ id }) => id))
    return [...(this.gone.get(change)?.values() ?? [])].filter(({ id }) => !there.has(id))
  }

  /** Numbers of the notes of a thread, from 1; those of deleted ones are not given again. */
  numbers({ id, notes }: Talk): { number: number; note: Note; isDeleted: boolean }[] {
    const known = this.numbered.get(id) ?? []
    for (const note of notes) if (!known.includes(note)) known.push(note)
    this.numbered.set(id, known)
    return known.map((note, at) => ({ number: at + 1, note, isDeleted: !notes.includes(note) }))
  }

  /** Of a comment, on the wire: its thread and its number there. */
  idOf(change: Change, wanted: number): string {
    for (const talk of this.talks(change))
      for (const { number, note } of this.numbers(talk)) if (note.id === wanted) return `${talk.id}/${number}`
    throw new Error(`There is no note ${wanted}`)
  }

  stateOf({ id, thread }: Talk): string {
    const state = this.states.get(id) ?? 'active'
    const isOpen = state === 'active' || state === 'pending'
    if (!thread || isOpen === (thread.resolvedBy === null)) return state
    return isOpen ? 'fixed' : 'active'
  }
}
