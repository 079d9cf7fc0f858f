/** A journal that forgets all when the test ends; `sealed` refuses what is not on record, as a replay does. */
import { UserError } from '../../src/base/errors.ts'
import type { Journal, JournalAnswer, JournalRequest } from '../../src/domain/journal.ts'

export function memoryJournal(): Journal & { sealed: boolean; readonly kept: Map<string, JournalAnswer> } {
  const kept = new Map<string, JournalAnswer>()
  const keyOf = ({ kind, method, url, body, sample }: JournalRequest) =>
    JSON.stringify([kind, method, url, body, sample])
  const journal = {
    sealed: false,
    kept,
    async find(request: JournalRequest) {
      const answer = kept.get(keyOf(request)) ?? null
      if (!answer && journal.sealed) throw new UserError('run-unreadable', `not on record: ${request.url}`)
      return answer
    },
    async record(request: JournalRequest, answer: JournalAnswer) {
      if (!journal.sealed) kept.set(keyOf(request), answer)
    },
    note: () => {},
  }
  return journal
}
