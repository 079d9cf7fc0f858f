/** What the fake Bitbucket Data Center remembers besides the engine: answers in the conversation, versions, drafts, reactions. */
import type { Change, Thread } from '../engine/change.ts'
import type { Note, Person } from '../engine/world.ts'

/** A thread begins with a comment, in the conversation or on a line. */
export type Talk = { readonly notes: readonly Note[]; readonly thread: Thread | null }

export class BitbucketDcState {
  /** Of the server. */
  version = '9.4.1'
  /** Answers in the conversation, by the comment that they are below. */
  readonly replies = new Map<number, Note[]>()
  /** Comments of reviews that are not finished. */
  readonly pending = new Map<Change, Note[]>()
  readonly reactions: { note: number; emoticon: string; person: Person }[] = []
  /** Conversations that were resolved, by their first comments. */
  readonly resolved = new Set<number>()
  private readonly versions = new Map<number, number>()

  talks(change: Change): Talk[] {
    const conversations = change.comments.map((note) => ({
      ...{ thread: null, notes: [note, ...(this.replies.get(note.id) ?? [])] },
    }))
    return [...conversations, ...change.threads.map((thread) => ({ thread, notes: thread.notes }))]
  }

  versionOf({ id }: Note): number {
    return this.versions.get(id) ?? 0
  }

  raiseVersion(note: Note): void {
    this.versions.set(note.id, this.versionOf(note) + 1)
  }

  isResolved({ thread, notes }: Talk): boolean {
    return thread ? thread.resolvedBy !== null : this.resolved.has(notes[0]?.id ?? 0)
  }
}
