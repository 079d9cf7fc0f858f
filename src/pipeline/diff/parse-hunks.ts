/** The hunks of one file's patch, with every line numbered and hashed, and checked against the headers' counts. */
import { isUtf8 } from 'node:buffer'
import { parsePatch } from 'diff'
import type { DiffLine, Hunk } from '../../domain/change-set.ts'
import { lineHash } from '../../domain/line-tag.ts'

/**
 * `lossy`: some line was not valid UTF-8, and was read with replacement characters. `zeroByteLines`: lines of the new side
 * with a zero byte, which is read as a replacement character too.
 */
export type ParsedHunks = { hunks: Hunk[]; lossy: boolean; zeroByteLines: number[] }

type Header = Pick<Hunk, 'oldStart' | 'oldLines' | 'newStart' | 'newLines' | 'section'>

/** `patch` holds one file as git prints it. Throws when the text is not what its own headers say. */
export function parseHunks(patch: Uint8Array): ParsedHunks {
  const exact = new TextDecoder('utf-8', { ignoreBOM: true }).decode(patch)
  // A zero byte is shown as in the text of the file.
  const text = exact.replaceAll('\0', '\ufffd')
  // A file that turns into a link, or back, is printed as a deletion and an addition.
  const parsed = parsePatch(text).flatMap((part) => part.hunks)
  const headers = headersOf(text, parsed)
  const hunks = headers.map((header, index): Hunk => {
    const lines = numberLines(header, parsed[index]?.lines ?? [])
    const count = (side: 'old' | 'new') => lines.filter((line) => line[side] !== null).length
    if (count('old') !== header.oldLines || count('new') !== header.newLines)
      throw new Error(`hunk ${index + 1} has not the number of lines its header says`)
    return { ...header, lines }
  })
  if (isUtf8(patch) && !patch.includes(0)) return { hunks, lossy: false, zeroByteLines: [] }
  return {
    // Git cuts the section after 80 bytes, in the middle of a character if need be. That loses no code.
    hunks: hunks.map((hunk) => ({ ...hunk, section: hunk.section.replace(/\ufffd{1,3}$/, '') })),
    lossy: hunks.some((hunk) => hunk.lines.some((line) => line.text.includes('\ufffd'))),
    zeroByteLines: patch.includes(0) ? zeroByteLines(exact, parsed) : [],
  }
}

/**
 * The parser drops the text after the second `@@` and changes the numbers of empty sides, so the headers are read again,
 * each where the lines of the one before it end.
 */
function headersOf(text: string, hunks: readonly { lines: readonly string[] }[]): Header[] {
  let at = 0
  return hunks.map(({ lines }, index) => {
    while (at < text.length && !text.startsWith('@@ ', at)) at = endOfLine(text, at) + 1
    const end = endOfLine(text, at)
    const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/s.exec(
      text.slice(at, end),
    )
    if (!header) throw new Error(`the header of hunk ${index + 1} could not be read`)
    at = lines.reduce((offset, line) => offset + line.length + 1, end + 1)
    const [, oldStart, oldLines = '1', newStart, newLines = '1', section = ''] = header
    return {
      oldStart: Number(oldStart),
      oldLines: Number(oldLines),
      newStart: Number(newStart),
      newLines: Number(newLines),
      section,
    }
  })
}

/** Both texts have the same lines at the same offsets; only the replacement characters differ. */
function zeroByteLines(
  exact: string,
  hunks: readonly { newStart: number; lines: readonly string[] }[],
): number[] {
  const found: number[] = []
  let at = 0
  for (const { newStart, lines } of hunks) {
    while (at < exact.length && !exact.startsWith('@@ ', at)) at = endOfLine(exact, at) + 1
    at = endOfLine(exact, at) + 1
    let number = newStart
    for (const line of lines) {
      const isNew = line.startsWith('+') || line.startsWith(' ')
      if (isNew && exact.slice(at, at + line.length).includes('\0')) found.push(number)
      if (isNew) number++
      at += line.length + 1
    }
  }
  return found
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function numberLines({ oldStart, newStart }: Header, raw: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = []
  let [oldLine, newLine] = [oldStart, newStart]
  for (const line of raw) {
    if (line.startsWith('\\')) {
      const last = lines.at(-1)
      if (last) last.noNewline = true
      continue
    }
    const text = line.slice(1)
    const hash = lineHash(text)
    // With sorted keys, as the hash of the bundle wants them: there may be hundreds of thousands.
    if (line.startsWith('+')) lines.push({ hash, kind: 'added', new: newLine++, old: null, text })
    else if (line.startsWith('-')) lines.push({ hash, kind: 'removed', new: null, old: oldLine++, text })
    else lines.push({ hash, kind: 'context', new: newLine++, old: oldLine++, text })
  }
  return lines
}
