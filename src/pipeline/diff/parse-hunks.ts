/** The hunks of one file's patch, with every line numbered and hashed, and checked against the header's counts. */
import { parsePatch } from 'diff'
import type { DiffLine, Hunk } from '../../domain/change-set.ts'
import { lineHash } from '../../domain/line-tag.ts'

export type ParsedHunks = { hunks: Hunk[]; lossy: boolean }

/** `patch` holds one file as git prints it. Throws when the text is not what its own headers say. */
export function parseHunks(patch: Uint8Array): ParsedHunks {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(patch)
  // A file that turns into a link, or back, is printed as a deletion and an addition.
  const parsed = parsePatch(text).flatMap((part) => part.hunks)
  // The parser does not keep what git prints behind the second `@@`.
  const sections = sectionsOf(text, parsed)
  const hunks = parsed.map((hunk, index) => {
    const lines = numberLines(hunk.oldStart, hunk.newStart, hunk.lines)
    const count = (side: 'old' | 'new') => lines.filter((line) => line[side] !== null).length
    if (count('old') !== hunk.oldLines || count('new') !== hunk.newLines)
      throw new Error(`hunk ${index + 1} has not the number of lines its header says`)
    const { oldLines, newLines } = hunk
    // Git writes `-0,0` for a side without lines; the parser makes it 1.
    const oldStart = oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart
    const newStart = newLines === 0 ? hunk.newStart - 1 : hunk.newStart
    return { oldStart, oldLines, newStart, newLines, section: sections[index] ?? '', lines }
  })
  return { hunks, lossy: text.includes('\ufffd') && !Buffer.from(text).equals(patch) }
}

function numberLines(oldStart: number, newStart: number, raw: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = []
  let [oldLine, newLine] = [oldStart, newStart]
  for (const line of raw) {
    const text = line.slice(1)
    if (line.startsWith('\\')) {
      const last = lines.at(-1)
      if (last) last.noNewline = true
      continue
    }
    const hash = lineHash(text)
    if (line.startsWith('+')) lines.push({ kind: 'added', old: null, new: newLine++, text, hash })
    else if (line.startsWith('-')) lines.push({ kind: 'removed', old: oldLine++, new: null, text, hash })
    else lines.push({ kind: 'context', old: oldLine++, new: newLine++, text, hash })
  }
  return lines
}

function sectionsOf(text: string, hunks: readonly { lines: readonly string[] }[]): string[] {
  const all = text.split('\n')
  let at = 0
  return hunks.map(({ lines }) => {
    while (at < all.length && !all[at]?.startsWith('@@ ')) at++
    const header = /^@@ [^@]* @@ ?(.*)$/s.exec(all[at] ?? '')?.[1] ?? ''
    at += lines.length + 1
    return header
  })
}
