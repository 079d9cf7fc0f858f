/** Coloured text for the terminal, broken and cut to its width in columns rather than bytes. */
import { createRequire } from 'node:module'
import { styleText } from 'node:util'
import { once } from '../../../base/remembered.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { Severity } from '../../../domain/severity.ts'
import type { LinkedPlace, LinkTo } from '../contract.ts'
import { splitCode } from '../words.ts'

type Style = Parameters<typeof styleText>[0]

export type Paint = {
  bold(text: string): string
  dim(text: string): string
  code(text: string): string
  added(text: string): string
  removed(text: string): string
  severity(severity: Severity, text: string): string
  /** Where something is, as a link if it can be opened. */
  place(place: LinkedPlace, text: string): string
}

const severityStyle: Record<Severity, Style> = {
  critical: ['bold', 'red'],
  high: ['bold', 'red'],
  medium: ['bold', 'yellow'],
  low: ['bold', 'green'],
}

export function createPaint(color: boolean, open: LinkTo = () => null): Paint {
  // The caller decided about colour (terminal, NO_COLOR, flags); Node must not decide again from its own stream.
  const with_ = (style: Style) => (text: string) =>
    color && text !== '' ? styleText(style, text, { validateStream: false }) : text
  return {
    bold: with_('bold'),
    dim: with_('dim'),
    code: with_('cyan'),
    added: with_('green'),
    removed: with_('red'),
    severity: (severity, text) => with_(severityStyle[severity])(text),
    place: (place, text) => {
      const address = open(place)
      const shown = with_('dim')(text)
      return address === null ? shown : `\u001b]8;;${address}\u001b\\${shown}\u001b]8;;\u001b\\`
    },
  }
}

/** What a report is written on; `width` in columns. */
export type Screen = Paint & {
  width: number
  /** Prose as lines that fit; `indent` begins each, two spaces unless said. */
  wrap(text: string, indent?: string): string[]
}

export function openScreen(paint: Paint, width: number): Screen {
  return { ...paint, width, wrap: (text, indent = '  ') => wrapProse(text, width, indent, paint) }
}

/** `head` before the first line, which loses its own indent. */
export function hanging(head: string, [first = '', ...rest]: readonly string[]): string[] {
  return [head + first.trimStart(), ...rest]
}

/** Columns of a string as terminals show it; colour codes take none, wide characters and emoji two. */
export function columns(text: string): number {
  return isNarrow.test(text) ? text.length : widthOf()(text)
}

/** Letters of Latin, dashes, quotation marks, dots, arrows: one column each, whatever is beside them. */
const isNarrow = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff]*$/

/** Loaded for text that needs it: what it knows of emoji takes a tenth of the start of a command. */
const widthOf = once(
  () => (createRequire(import.meta.url)('string-width') as { default: (text: string) => number }).default,
)

/** Prose with code between backticks, as lines of at most `width` columns, each behind `indent`. */
export function wrapProse(text: string, width: number, indent: string, paint: Paint): string[] {
  const lines: string[] = []
  const room = width - columns(indent)
  let line: string[] = []
  let used = 0
  const endLine = () => {
    const whole = line.join('').trimEnd()
    if (whole !== '') lines.push(indent + whole)
  }
  for (const word of wordsOf(text, paint)) {
    const shown = columns(word.trimEnd())
    if (line.length > 0 && shown > 0 && used + shown > room) {
      endLine()
      line = []
      used = 0
    }
    line.push(word)
    used += columns(word)
  }
  endLine()
  return lines
}

/** A number keeps its unit. */
const breaks = /(?<= )(?!(?<=\d )(?:ms|s|min|[KMG]B)\b)/

/** Pieces between which a line may break: after a space of the prose, and never inside code or beside what touches it. */
function wordsOf(text: string, paint: Paint): string[] {
  const words: string[] = []
  let isOpen = false
  for (const { code, text: part } of splitCode(text)) {
    const shown = visibleLine(part)
    for (const piece of code ? [paint.code(inTicks(shown))] : shown.split(breaks)) {
      if (isOpen) words.push(`${words.pop() ?? ''}${piece}`)
      else words.push(piece)
      isOpen = code || !piece.endsWith(' ')
    }
  }
  return words
}

/** Code of several words, such as the title of a test, keeps its backticks: colour may be off, and then nothing ends it. */
function inTicks(code: string): string {
  return /\s/.test(code) ? `\`${code}\`` : code
}

/** Our own colours; no other escape sequence comes so far. */
const colourStart = '\u001b'
const colour = new RegExp(`(${colourStart}\\[\\d+(?:;\\d+)*m)`)

const graphemes = once(() => new Intl.Segmenter())

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
    for (const { segment } of graphemes().segment(part)) {
      if (room < 0) break
      room -= columns(segment)
      cut += room < 0 ? '…' : segment
    }
  }
  return cut
}
