/**
 * The same text as it is meant: escapes of JSON, programming languages, HTML and URLs resolved, all line ends as line feeds,
 * invisible characters gone, a string that goes on in the next line in one piece. Each view knows where its characters
 * come from, so that what is found in it is masked in the text.
 */
import type { TextRange } from './contract.ts'

export type TextView = {
  text: string
  /** The parts of the source that these characters come from; none of them holds a line feed. */
  sourceOf: (range: TextRange) => TextRange[]
}

/** JSON in a string in JSON has two; a third is for whoever hides something. */
const mostLevels = 3

const escapes =
  /\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|([0-7]{3})|([abefnrtv0"'`\\/$&%:=#!@ ])|(\r?\n[ \t]{0,80}))|%([0-9A-Fa-f]{2})|&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(\w{2,8}));|(<br ?\/?>)|([\u2028\u2029\u0085\v\f]|\r(?!\n))|([\u200b-\u200f\u2060\ufeff\u00ad])|(["'`](?:[ \t]{0,8}(?:[+.&]|\.\.|<>|\|\|)[ \t]{0,8}(?:\r?\n[ \t]{0,80})?|[ \t]{0,8}\r?\n[ \t]{0,80}(?:(?:[+.&]|\.\.|<>|\|\|)[ \t]{0,8})?|[ \t]{1,8})["'`])/gi

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  newline: '\n',
  tab: '\t',
  sol: '/',
  equals: '=',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  plus: '+',
  colon: ':',
  period: '.',
  percnt: '%',
  dollar: '$',
  commat: '@',
  num: '#',
  excl: '!',
}
const letters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\n',
  t: '\t',
  f: '\n',
  v: '\n',
  a: '',
  b: '',
  e: '',
  0: '',
}

/** Whether a look at decoded views is worth it. */
const hasEscape =
  /[\\%&\u2028\u2029\u0085\v\f\u200b-\u200f\u2060\ufeff\u00ad]|<br|\r(?!\n)|["'`][ \t]{0,8}(?:[+.<|"'`]|\r?\n)/i

/** One for each level of escapes, of the lines that hold some; with `isWhole`, of all lines. */
export function decodedViews(text: string, isWhole = false): TextView[] {
  if (!hasEscape.test(text)) return []
  const views: TextView[] = []
  let view: TextView | null = { text, sourceOf: (range) => [range] }
  for (let level = 0; view && level < mostLevels; level++) {
    view = decodeOnce(view, isWhole)
    if (view) views.push(view)
  }
  return views.map(({ text: decoded, sourceOf }) => ({
    text: decoded,
    sourceOf: (range) => sourceOf(range).flatMap((part) => withoutLineFeeds(text, part)),
  }))
}

function decodeOnce({ text, sourceOf }: TextView, isWhole: boolean): TextView | null {
  const pieces = new PieceList()
  let lineEnd = -1
  let at = 0
  let changes = 0
  for (const match of text.matchAll(escapes)) {
    const { index } = match
    const decoded = decode(match)
    if (decoded === null) continue
    changes++
    if (!isWhole && index > lineEnd) {
      pieces.copy(text, at, Math.max(at, lineEnd))
      const lineStart = text.lastIndexOf('\n', index - 1) + 1
      pieces.insert('\n', lineStart)
      at = Math.max(at, lineStart)
    }
    pieces.copy(text, at, index)
    pieces.insert(decoded, index, match[0].length)
    at = index + match[0].length
    if (at > lineEnd) lineEnd = endOfLine(text, at)
  }
  if (changes === 0) return null
  pieces.copy(text, at, isWhole ? text.length : Math.max(at, lineEnd))
  return { text: pieces.text(), sourceOf: (range) => pieces.sourceOf(range).flatMap(sourceOf) }
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found < 0 ? text.length : found
}

/** Null for what only looks like an escape. */
function decode(match: RegExpExecArray): string | null {
  const [
    ,
    brace,
    four,
    eight,
    two,
    octal,
    letter,
    wrap,
    percent,
    decimal,
    hex,
    name,
    br,
    lineEnd,
    hidden,
    seam,
  ] = match
  const code = brace ?? four ?? eight ?? two ?? percent ?? hex
  if (code !== undefined) return fromCode(Number.parseInt(code, 16))
  if (octal !== undefined) return fromCode(Number.parseInt(octal, 8))
  if (decimal !== undefined) return fromCode(Number(decimal))
  if (letter !== undefined) return letters[letter] ?? letter
  if (wrap !== undefined || hidden !== undefined || seam !== undefined) return ''
  if (br !== undefined || lineEnd !== undefined) return '\n'
  return named[(name ?? '').toLowerCase()] ?? null
}

function fromCode(code: number): string {
  if (code === 0x0d || code === 0x2028 || code === 0x2029 || code === 0x85) return '\n'
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** A text put together from pieces of another one. */
export class PieceList {
  private readonly parts: string[] = []
  /** Where each piece begins here and there, and how much of the source it stands for if it is not a copy. */
  private readonly starts: number[] = []
  private readonly sources: number[] = []
  private readonly replaced: (number | null)[] = []
  private length = 0

  copy(source: string, start: number, end: number): void {
    if (end > start) this.add(source.slice(start, end), start, null)
  }

  /** `text` instead of so many characters of the source. */
  insert(text: string, source: number, instead = 0): void {
    if (text !== '') this.add(text, source, instead)
  }

  text(): string {
    return this.parts.join('')
  }

  sourceOf({ start, end }: TextRange): TextRange[] {
    const found: TextRange[] = []
    for (let piece = this.pieceAt(start); piece < this.starts.length; piece++) {
      const begin = this.starts[piece] ?? 0
      if (begin >= end) break
      const source = this.sources[piece] ?? 0
      const instead = this.replaced[piece] ?? null
      const length = (this.starts[piece + 1] ?? this.length) - begin
      const range =
        instead === null
          ? { start: source + Math.max(0, start - begin), end: source + Math.min(length, end - begin) }
          : { start: source, end: source + instead }
      if (range.end > range.start) found.push(range)
    }
    return found
  }

  private add(text: string, source: number, instead: number | null): void {
    this.parts.push(text)
    this.starts.push(this.length)
    this.sources.push(source)
    this.replaced.push(instead)
    this.length += text.length
  }

  private pieceAt(offset: number): number {
    let [low, high] = [0, this.starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** The range without line feeds and the white space around them. */
export function withoutLineFeeds(text: string, { start, end }: TextRange): TextRange[] {
  const ranges: TextRange[] = []
  for (let at = start; at < end; ) {
    const lineEnd = Math.min(endOfLine(text, at), end)
    const last = text.charAt(lineEnd - 1) === '\r' ? lineEnd - 1 : lineEnd
    if (last > at) ranges.push({ start: at, end: last })
    at = lineEnd + 1
  }
  return ranges
}
