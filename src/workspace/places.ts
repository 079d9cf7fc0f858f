/** Where something is, and what a break says of something that went. */
import { placeOf, type SharedBreak, type SharedPlace } from '../domain/shared-contract.ts'

/** One line of a file, or several. */
export function placeAt(path: string, line: number, endLine = line): SharedPlace {
  return placeOf({ path, line, endLine })
}

type Named = SharedPlace & { name: string }

/** What the base has and the head does not: removed, or renamed where `next` came in its place. `words`: for either. */
export function goneOrRenamed<Next extends Named>(
  one: SharedPlace,
  next: Next | null | undefined,
  words: { gone: string; renamed: (next: Next) => string },
): Pick<SharedBreak, 'how' | 'renamedTo' | 'what' | 'before' | 'after'> {
  const before = placeOf(one)
  return next
    ? { how: 'renamed', renamedTo: next.name, what: words.renamed(next), before, after: placeOf(next) }
    : { how: 'removed', what: words.gone, before, after: null }
}
