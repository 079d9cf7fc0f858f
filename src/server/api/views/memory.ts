/** Notes of a team's memory, as the dashboard shows them. */
import type { MemoryNote as Note } from '../../../domain/memory.ts'
import { scopeWords } from '../../../memory/note-file.ts'
import type { MemoryNote } from '../contract/operation.ts'

/** Of what a back-test counts, findings that were wrong or unimportant helped to remove, and right ones harmed. */
export function noteView(repository: string, note: Note): MemoryNote {
  const { path, text, state, origin, effect, tested } = note
  const gone = tested && [tested.dismissed, tested.lowered]
  const about = scopeWords(note)
  return {
    id: `${repository}/${path}`,
    repository,
    text,
    scope: effect
      ? `${effect.kind === 'dismiss' ? 'dismisses' : 'makes minor'} ${effect.rule} in ${about}`
      : about,
    state,
    origin,
    createdAt: tested ? `${tested.on}T00:00:00.000Z` : null,
    backTest: gone && {
      runs: tested.runs,
      helped: gone.reduce((sum, { wrong, unimportant }) => sum + wrong + unimportant, 0),
      harmed: gone.reduce((sum, { right }) => sum + right, 0),
    },
  }
}
