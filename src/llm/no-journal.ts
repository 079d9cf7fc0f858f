/** A journal that remembers nothing, for calls that belong to no run. */
import type { Journal } from '../domain/journal.ts'

export const noJournal: Journal = {
  find: async () => null,
  record: async () => {},
  note() {},
}
