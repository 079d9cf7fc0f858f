/**
 * Hunks that make an edit which many hunks of the change make: a name that is another one everywhere, a keyword that is put in. Whoever has
 * seen a few of them needs no unchanged lines around the others, and a change of five hundred such hunks has little else to show.
 */
import type { FileChange, Hunk } from '../../../domain/change-set.ts'

/** So many hunks make an edit common, and so many of them are shown with what is around them. */
const common = 8
const shownWhole = 3

/** Different words and signs that go or come. */
const mostTokens = 4

const token = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu

/** All but the first few of each common edit, in the order of the files. */
export function routineHunks(files: readonly FileChange[]): ReadonlySet<Hunk> {
  const byEdit = Map.groupBy(
    files.flatMap(({ hunks }) => hunks),
    editOf,
  )
  byEdit.delete(null)
  return new Set([...byEdit.values()].flatMap((same) => (same.length < common ? [] : same.slice(shownWhole))))
}

/** Which words and signs go and which come, wherever and however often: `+const`. Null where these are many, or no words. */
function editOf({ lines }: Hunk): string | null {
  const count = new Map<string, number>()
  for (const { kind, text } of lines)
    if (kind !== 'context')
      for (const [one] of text.matchAll(token))
        count.set(one, (count.get(one) ?? 0) + (kind === 'added' ? 1 : -1))
  const edit = [...count].flatMap(([one, by]) => (by === 0 ? [] : [`${by > 0 ? '+' : '-'}${one}`])).sort()
  return edit.length <= mostTokens && edit.some((one) => /[\p{L}_]/u.test(one)) ? edit.join(' ') : null
}
