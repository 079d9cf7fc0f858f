/** Of the lines that a model names, those that the diff has, as changed lines, with this tag. */
import type { ChangeSet } from '../../domain/change-set.ts'
import { tagOf } from '../../domain/line-tag.ts'
import type { TiedLines } from '../../domain/ticket.ts'

export function standingLines(named: readonly TiedLines[], change: ChangeSet): TiedLines[] {
  const byPath = new Map<string, Set<string>>()
  for (const { path, tags } of named) {
    const known = byPath.get(path) ?? new Set()
    for (const tag of tags) known.add(tag)
    byPath.set(path, known)
  }
  // In the order of the change, so that it does not matter in which order they were named.
  return change.files.flatMap(({ path, hunks }) => {
    const wanted = byPath.get(path)
    if (!wanted) return []
    const tags = hunks
      .flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context').map(tagOf))
      .filter((tag) => wanted.has(tag))
    return tags.length > 0 ? [{ path, tags }] : []
  })
}
