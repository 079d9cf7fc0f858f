/** A journal that forgets all when the test ends; `sealed` refuses what is not on record, as a replay does. */
import { UserError } from '../../src/base/errors.ts'
import { type Journal, type JournalAnswer, type JournalRequest, targetOf } from '../../src/domain/journal.ts'
import { journalKey } from '../../src/storage/runs/recorder.ts'

export function memoryJournal(): Journal & { sealed: boolean; readonly kept: Map<string, JournalAnswer> } {
  const kept = new Map<string, JournalAnswer>()
  const journal = {
    sealed: false,
    kept,
    async find(request: JournalRequest) {
      const answer = kept.get(journalKey(request)) ?? null
      if (!answer && journal.sealed)
        throw new UserError('run-unreadable', `not on record: ${targetOf(request)}`)
      return answer
    },
    async record(request: JournalRequest, answer: JournalAnswer) {
      if (!journal.sealed) kept.set(journalKey(request), answer)
    },
    note: () => {},
  }
  return journal
}
