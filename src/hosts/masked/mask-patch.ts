/**
 * Takes secrets out of one file's patch. A patch shows some lines of a key only, so every line is masked as it is in the
 * whole file that it belongs to, on the side that it belongs to.
 */
import { redactText } from '../../base/secrets/redact.ts'

/** One side of the file; null where it could not be read, and then the patch's own lines are all there is to search. */
export type PatchSide = { text: string; masked: string } | null

/** `patch` is what git prints, raw. The same bytes when nothing of it is masked. */
export function maskPatch(patch: Uint8Array, old: PatchSide, fresh: PatchSide): Uint8Array {
  // A character for each byte, so that lines that are not masked stay as they are.
  const lines = Buffer.from(patch).toString('latin1').split('\n')
  const places = numberLines(lines)
  const [oldMasks, freshMasks] = [
    old ? changedLines(old) : searchPatch(lines, places, 'old'),
    fresh ? changedLines(fresh) : searchPatch(lines, places, 'new'),
  ]
  let isChanged = false
  const put = (index: number, text: string): void => {
    isChanged ||= lines[index] !== text
    lines[index] = text
  }
  const inHunks = new Set(places.map(({ index }) => index))
  for (const [index, line] of lines.entries())
    if (isNameLine.test(line) && !inHunks.has(index)) put(index, redactLine(line))
  if (oldMasks.size + freshMasks.size === 0 && !isChanged) return patch
  for (const place of places) {
    const line = lines[place.index] ?? ''
    if (place.kind === 'header') put(place.index, maskSection(line, [...oldMasks.values()]))
    else {
      const masks = place.kind === '-' ? oldMasks : freshMasks
      const mask = masks.get(place.kind === '-' ? place.old : place.fresh)
      if (mask) put(place.index, place.kind + mask.masked)
    }
  }
  return isChanged ? Buffer.from(lines.join('\n'), 'latin1') : patch
}

/** What names the file, before its first hunk. */
const isNameLine = /^(?:diff --git |--- |\+\+\+ |(?:rename|copy) (?:from|to) |Binary files )/

type PatchLine = { index: number; kind: 'header' | '+' | '-' | ' '; old: number; fresh: number }

/** The numbers that every line of the hunks has on either side. */
function numberLines(lines: readonly string[]): PatchLine[] {
  const places: PatchLine[] = []
  let [old, fresh, oldLeft, freshLeft] = [0, 0, 0, 0]
  for (const [index, line] of lines.entries()) {
    if (oldLeft <= 0 && freshLeft <= 0) {
      const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(line)
      if (!header) continue
      old = Number(header[1])
      oldLeft = Number(header[2] ?? 1)
      fresh = Number(header[3])
      freshLeft = Number(header[4] ?? 1)
      places.push({ index, kind: 'header', old, fresh })
      continue
    }
    const kind = line.charAt(0)
    if (kind !== '+' && kind !== '-' && kind !== ' ') continue
    places.push({ index, kind, old, fresh })
    if (kind !== '+') [old, oldLeft] = [old + 1, oldLeft - 1]
    if (kind !== '-') [fresh, freshLeft] = [fresh + 1, freshLeft - 1]
  }
  return places
}

/** By line number; both texts as Latin-1. */
type LineMasks = Map<number, { text: string; masked: string }>

function changedLines({ text, masked }: { text: string; masked: string }): LineMasks {
  if (text === masked) return new Map()
  return compare(text.split('\n'), masked.split('\n'), (index) => index + 1)
}

function searchPatch(lines: readonly string[], places: readonly PatchLine[], side: 'old' | 'new'): LineMasks {
  const other = side === 'old' ? '+' : '-'
  const own = places.filter(({ kind }) => kind !== 'header' && kind !== other)
  const texts = own.map(({ index }) => Buffer.from((lines[index] ?? '').slice(1), 'latin1').toString('utf8'))
  return compare(texts, redactText(texts.join('\n')).split('\n'), (index) => {
    const place = own[index]
    return (side === 'old' ? place?.old : place?.fresh) ?? 0
  })
}

function compare(
  texts: readonly string[],
  masked: readonly string[],
  numberOf: (index: number) => number,
): LineMasks {
  const changed: LineMasks = new Map()
  for (const [index, text] of texts.entries()) {
    const clean = masked[index] ?? ''
    if (clean !== text) changed.set(numberOf(index), { text: latin(text), masked: latin(clean) })
  }
  return changed
}

/** Behind the second `@@` git repeats the beginning of an earlier line, which may be one of a key. */
function maskSection(header: string, masks: readonly { text: string; masked: string }[]): string {
  const [, numbers = header, section = ''] = /^(@@ [^@]{1,60} @@ ?)(.*)$/s.exec(header) ?? []
  if (section === '') return header
  const hidden = masks.find(({ text }) => text.startsWith(section))
  return numbers + (hidden ? hidden.masked : redactLine(section))
}

/** Bytes that are not UTF-8 stay, unless there is a secret beside them. */
function redactLine(line: string): string {
  const text = Buffer.from(line, 'latin1').toString('utf8')
  const clean = redactText(text)
  return clean === text ? line : latin(clean)
}

function latin(text: string): string {
  return Buffer.from(text).toString('latin1')
}
