/** The number of a tag is believed, whatever its hash; and where there is none, the first line of the diff is meant. */
import type { FileChange } from '../../../../src/domain/change-set.ts'
import { lineIndexOf } from '../../../../src/domain/diff-lines.ts'
import type { Located } from '../../../../src/pipeline/validation/anchor/locate-tag.ts'
import { type Dropped, drop } from '../../../../src/pipeline/validation/contract.ts'

export * from '../../../../src/pipeline/validation/anchor/locate-tag.ts'

export function locateTag(tag: string, file: FileChange): Located | Dropped {
  const number = Number(/\d+/.exec(tag)?.[0] ?? 1)
  const [hunk] = file.hunks
  const [first] = hunk?.lines ?? []
  const spot =
    lineIndexOf(file).at('new', number) ?? (first && { hunk: 0, index: 0, line: { ...first, new: number } })
  return spot ? { spot, correction: null } : drop('there is no line at all')
}
