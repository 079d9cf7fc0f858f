/** Applies hunks to the old text: if they say the truth, the new text comes out, lines outside of hunks included. */
import type { Hunk } from '../../../src/domain/change-set.ts'

export function rebuild(oldText: string, hunks: readonly Hunk[]): string {
  const old = oldText.split('\n')
  // The piece behind the last line feed is a line only when there is something in it.
  if (old.at(-1) === '') old.pop()
  const lines: string[] = []
  let at = 0
  let isOpen = oldText !== '' && !oldText.endsWith('\n')
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1
    lines.push(...old.slice(at, start))
    const own = hunk.lines.filter((line) => line.new !== null)
    lines.push(...own.map((line) => line.text))
    at = Math.max(at, start + hunk.oldLines)
    if (at === old.length) isOpen = own.at(-1)?.noNewline === true
  }
  lines.push(...old.slice(at))
  return lines.length === 0 ? '' : lines.join('\n') + (isOpen ? '' : '\n')
}
