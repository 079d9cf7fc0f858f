/** Breaks text to the width of the terminal, by words, counting columns rather than bytes or colour codes. */
import { stripVTControlCharacters } from 'node:util'
import { visibleLine } from '../../../base/visible-text.ts'
import { splitCode } from '../prose.ts'
import type { Paint } from './paint.ts'

/** Columns of a string; wide East Asian characters and emoji take two. */
export function columns(text: string): number {
  let total = 0
  for (const character of stripVTControlCharacters(text)) total += columnsOf(character)
  return total
}

function columnsOf(character: string): number {
  if (isWide(character.codePointAt(0) ?? 0)) return 2
  return /\p{Mn}|\p{Me}/u.test(character) ? 0 : 1
}

function isWide(point: number): boolean {
  return (
    (point >= 0x1100 && point <= 0x115f) ||
    (point >= 0x2e80 && point <= 0xa4cf) ||
    (point >= 0xac00 && point <= 0xd7a3) ||
    (point >= 0xf900 && point <= 0xfaff) ||
    (point >= 0xfe30 && point <= 0xfe6f) ||
    (point >= 0xff00 && point <= 0xff60) ||
    (point >= 0x1f300 && point <= 0x1faff)
  )
}

/** Prose with code between backticks, as lines of at most `width` columns, each behind `indent`. */
export function wrapProse(text: string, width: number, indent: string, paint: Paint): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of wordsOf(text, paint)) {
    const joined = line + word
    if (line !== '' && columns(indent + joined.trimEnd()) > width) {
      lines.push(indent + line.trimEnd())
      line = word
    } else line = joined
  }
  if (line.trim() !== '') lines.push(indent + line.trimEnd())
  return lines
}

/** Pieces between which a line may break: after a space of the prose, and never inside code or beside what touches it. */
function wordsOf(text: string, paint: Paint): string[] {
  const words: string[] = []
  let isOpen = false
  for (const { code, text: part } of splitCode(text)) {
    const shown = visibleLine(part)
    for (const piece of code ? [paint.code(shown)] : shown.split(/(?<= )/)) {
      if (isOpen) words.push(`${words.pop() ?? ''}${piece}`)
      else words.push(piece)
      isOpen = code || !piece.endsWith(' ')
    }
  }
  return words
}

/** Our own colours; no other escape sequence comes so far. */
const colourStart = '\u001b'
const colour = new RegExp(`(${colourStart}\\[\\d+(?:;\\d+)*m)`)

/** Cuts a line of code to the width and says so with an ellipsis. Colours stay whole, and end where they did. */
export function clip(text: string, width: number): string {
  if (columns(text) <= width) return text
  let cut = ''
  let room = width - 1
  for (const [at, part] of text.split(colour).entries()) {
    if (at % 2 === 1) {
      cut += part
      continue
    }
    for (const character of part) {
      if (room < 0) break
      room -= columnsOf(character)
      cut += room < 0 ? '…' : character
    }
  }
  return cut
}
