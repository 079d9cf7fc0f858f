/**
 * Reads the contents of the brackets of a call, a decorator or a literal, in the languages whose strings and brackets look
 * alike. Facts say which calls are real; this reads only the text after them, and no more than a bounded piece.
 */
import type { Reference } from '../../../code-index/contract.ts'
import { splitLines } from '../../../code-index/resolve/lines.ts'
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import type { SourceFile } from '../../contract.ts'
import { placeAt } from '../../places.ts'

export type Argument = {
  /** Of a keyword argument, an attribute of an annotation, or an entry of an object literal. */
  name: string | null
  /** As written, without white space around it. */
  text: string
  /** Where `text` begins, in the file or in the text that was split. */
  offset: number
}

/** What one call is read to at most. */
const longest = 6_000

const openers = '([{'
const closers = ')]}'
const quotes = '"\'`'

export class CodeText {
  readonly file: SourceFile
  readonly text: string
  /** 1-based. */
  readonly lineOf: (offset: number) => number
  readonly #starts: number[] = [0]

  constructor(file: SourceFile) {
    this.file = file
    this.text = file.text
    this.lineOf = splitLines(file.text).lineOf
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1))
      this.#starts.push(at + 1)
  }

  /** Of a 1-based line and a 0-based column. */
  offsetOf({ line, column }: { line: number; column: number }): number {
    return (this.#starts[line - 1] ?? this.text.length) + column
  }

  /** The line up to this offset. */
  before(offset: number): string {
    return this.text.slice(this.#starts[this.lineOf(offset) - 1], offset)
  }

  /** Of a call, decorator or annotation; null where no brackets (in Ruby: nothing) follow the name. */
  argumentsOf(reference: Pick<Reference, 'name' | 'line' | 'column'>): Argument[] | null {
    const start = this.offsetOf(reference) + reference.name.length
    const open = afterTypes(this.text, start)
    if (this.text[open] === '(') return splitAt(this.text, open + 1)
    return this.file.facts?.language === 'ruby' ? splitAt(this.text, start, true) : null
  }

  /** The lines of a call with its arguments. */
  placeOf(reference: Pick<Reference, 'name' | 'line' | 'column'>): SharedPlace {
    return placeAt(this.file.path, reference.line, this.lineOf(this.endOf(reference) - 1))
  }

  /** The whole lines of a symbol, and where they begin. */
  linesOf({ startLine, endLine }: { startLine: number; endLine: number }): { text: string; offset: number } {
    const offset = this.offsetOf({ line: startLine, column: 0 })
    return { text: this.text.slice(offset, this.offsetOf({ line: endLine + 1, column: 0 })), offset }
  }

  /** Where the call ends, just behind its closing bracket. */
  endOf(reference: Pick<Reference, 'name' | 'line' | 'column'>): number {
    const open = afterTypes(this.text, this.offsetOf(reference) + reference.name.length)
    return this.text[open] === '(' ? endOfBracket(this.text, open) : open
  }
}

/** Behind white space and the type arguments of `get<User>(`. */
function afterTypes(text: string, from: number): number {
  const at = afterSpace(text, from)
  if (text[at] !== '<') return at
  let depth = 0
  for (let place = at; place < Math.min(text.length, at + 400); place++) {
    const character = text[place]
    if (character === '<') depth++
    else if (character === '>' && --depth === 0) return afterSpace(text, place + 1)
    else if (character === ';') return at
  }
  return at
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (' \t\r\n'.includes(text[at] ?? 'x')) at++
  return at
}

/** Behind the bracket that closes the one at `open`; the end of the piece that is read where none does. */
export function endOfBracket(text: string, open: number): number {
  let depth = 0
  const end = Math.min(text.length, open + longest)
  for (let at = open; at < end; ) {
    const character = text.charAt(at)
    if (openers.includes(character)) depth++
    else if (closers.includes(character) && --depth === 0) return at + 1
    at = nextToken(text, at, end)
  }
  return end
}

/** Behind a string or a comment that begins here; else the next character. */
function nextToken(text: string, at: number, end: number): number {
  const character = text.charAt(at)
  if (quotes.includes(character)) return endOfString(text, at, end)
  if (character === '/' && text[at + 1] === '*') return behind(text, '*/', at + 2, end)
  if (character === '/' && text[at + 1] === '/' && text[at - 1] !== ':') return behind(text, '\n', at, end)
  if (character === '#' && /[\s,([{]/.test(text[at - 1] ?? ' ') && text[at + 1] !== '{')
    return behind(text, '\n', at, end)
  return at + 1
}

function behind(text: string, mark: string, from: number, end: number): number {
  const at = text.slice(from, end).indexOf(mark)
  return at < 0 ? end : from + at + mark.length
}

/** Behind a string literal that begins at `start`, with what is interpolated in it. */
export function endOfString(
  text: string,
  start: number,
  end = Math.min(text.length, start + longest),
): number {
  const quote = text.charAt(start)
  const triple = quote.repeat(3)
  if (quote !== '`' && text.startsWith(triple, start)) return behind(text, triple, start + 3, end)
  for (let at = start + 1; at < end; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === quote) return at + 1
    else if (character === '\n' && quote !== '`') return at
    else if (quote === '`' && character === '$' && text[at + 1] === '{')
      at = endOfBracket(text.slice(0, end), at + 1) - 1
  }
  return end
}

function splitAt(text: string, inside: number, toLineEnd = false): Argument[] {
  return piecesAt(text, inside, toLineEnd).pieces.flatMap(
    ({ text, offset }) => argumentOf(text, offset) ?? [],
  )
}

/**
 * What a bracketed text holds, at its commas, and where it ends. `inside` is behind the opening bracket. `toLineEnd`: a call of
 * Ruby without brackets.
 */
export function piecesAt(
  text: string,
  inside: number,
  toLineEnd = false,
  most = longest,
): { pieces: { text: string; offset: number }[]; end: number } {
  const pieces: { text: string; offset: number }[] = []
  const end = Math.min(text.length, inside + most)
  let depth = 0
  let from = inside
  let at = inside
  const add = (to: number): void => {
    pieces.push({ text: text.slice(from, to), offset: from })
    from = to + 1
  }
  while (at < end) {
    const character = text.charAt(at)
    if (openers.includes(character)) depth++
    else if (closers.includes(character) && --depth < 0) break
    else if (character === ',' && depth === 0) add(at)
    else if (toLineEnd && depth === 0 && endsCommand(text, at, from)) break
    at = nextToken(text, at, end)
  }
  add(Math.min(at, end))
  return { pieces, end: Math.min(at, end) }
}

/** Whether a call of Ruby without brackets ends here. */
function endsCommand(text: string, at: number, from: number): boolean {
  const character = text[at]
  if (character === ';') return true
  if (character === '\n') return text.slice(from, at).trim() !== '' || text[from - 1] !== ','
  return character === ' ' && /^ (?:do|if|unless)\b/.test(text.slice(at, at + 8))
}

/** The parts between the commas of a bracketed text: `{ a: 1, b }`, `["a", "b"]`, `(x, y=1)`. */
export function entriesOf(bracketed: string, offset = 0): Argument[] {
  const open = [...openers].map((one) => bracketed.indexOf(one)).filter((at) => at >= 0)
  if (open.length === 0) return []
  const first = Math.min(...open)
  return splitAt(bracketed, first + 1).map((one) => ({ ...one, offset: one.offset + offset }))
}

const withName =
  /^(?:([A-Za-z_$][\w$]{0,99})|:([A-Za-z_]\w{0,99})|"([^"\n]{0,99})"|'([^'\n]{0,99})')[ \t\r\n]{0,20}(=>|=(?![=>])|:(?!:))/

function argumentOf(piece: string, offset: number): Argument | null {
  const start = contentStart(piece)
  const text = piece.slice(start).trim()
  if (text === '') return null
  const named = withName.exec(text)
  if (!named) return { name: null, text, offset: offset + start }
  const value = text.slice(named[0].length)
  const gap = afterSpace(value, 0)
  const name = named[1] ?? named[2] ?? named[3] ?? named[4] ?? ''
  return { name, text: value.trim(), offset: offset + start + named[0].length + gap }
}

/** Behind white space and comments. */
function contentStart(piece: string): number {
  let at = 0
  for (;;) {
    at = afterSpace(piece, at)
    const isComment = piece.startsWith('//', at) || piece.startsWith('/*', at) || piece.startsWith('# ', at)
    if (!isComment) return at
    at = piece.startsWith('/*', at)
      ? behind(piece, '*/', at, piece.length)
      : behind(piece, '\n', at, piece.length)
  }
}

/** The first of these that there is: by its name, or by its position among those without one. */
export function argumentIn(
  all: readonly Argument[],
  ...slots: readonly (string | number)[]
): Argument | null {
  for (const slot of slots) {
    const one = typeof slot === 'string' ? named(all, slot) : positional(all, slot)
    if (one) return one
  }
  return null
}

/** By name, and those without one in order. */
export function named(all: readonly Argument[], name: string): Argument | null {
  return all.find((one) => one.name === name) ?? null
}

export function positional(all: readonly Argument[], at: number): Argument | null {
  return all.filter((one) => one.name === null)[at] ?? null
}
