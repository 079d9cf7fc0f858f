/** A journal in memory, for tests: keeps what it is told, and can be turned into a replay that refuses the unknown. */
import type { Journal, JournalAnswer, JournalNote, JournalRequest } from '../../src/domain/journal.ts'
import { journalKey } from '../../src/storage/runs/recorder.ts'

export type MemoryJournal = Journal & {
  readonly entries: ReadonlyMap<string, { request: JournalRequest; answer: JournalAnswer }>
  readonly notes: readonly JournalNote[]
  /** The same record; what is not in it is refused by a throw. */
  replay(): MemoryJournal
}

export class NotRecorded extends Error {}

export function memoryJournal(
  entries = new Map<string, { request: JournalRequest; answer: JournalAnswer }>(),
  refuses = false,
): MemoryJournal {
  const notes: JournalNote[] = []
  return {
    entries,
    notes,
    async find(request) {
      const answer = entries.get(journalKey(request))?.answer ?? null
      if (answer === null && refuses) throw new NotRecorded(request.address)
      return answer && structuredClone(answer)
    },
    async record(request, answer) {
      entries.set(journalKey(request), structuredClone({ request, answer }))
    },
    note: (note) => void notes.push(note),
    replay: () => memoryJournal(new Map(entries), true),
  }
}
