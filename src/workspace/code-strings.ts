/**
 * The string literals of a source file, which the index keeps no facts of: queries that stand in code. One pass by the quotes
 * and comments of a family of languages; an unclosed quote ends with its line.
 */
import { languageOf } from '../code-index/language-of.ts'

export type CodeString = {
  /** Offset of its first character in the file. */
  start: number
  /** As long as the literal, so that offsets hold: escapes and what is inserted are blank, line ends are kept. */
  text: string
  /** Ranges of `text` that the program fills in: `${…}`, `{…}`, `#{…}`. */
  holes: readonly { start: number; end: number }[]
  /** The last code before it on its line or the one above, at most 60 characters: `const query = gql`. */
  before: string
}

type Family = {
  comments: readonly string[]
  block: boolean
  /** Quotes of literals that end on their line. */
  quotes: string
  triple: readonly string[]
  /** Around literals of several lines. */
  long: string
  /** What opens a value that is inserted, always closed by `}`. */
  hole: string | null
  /** What may stand between the parts of one text, without white space: `"a" + "b"`. */
  joins: readonly string[]
}

const cLike: Family = {
  comments: ['//'],
  block: true,
  quotes: '"',
  triple: ['"""'],
  long: '',
  hole: null,
  joins: ['', '+'],
}

const script: Family = { ...cLike, quotes: '"\'', triple: [], long: '`', hole: '${', joins: ['+'] }
const go: Family = { ...cLike, triple: [], long: '`', joins: ['+'] }
const hashes: Family = { ...cLike, comments: ['#'], block: false, quotes: '"\'' }
const rust: Family = { ...cLike, quotes: '', triple: [], long: '"', joins: [] }

const families: Record<string, Family> = {
  typescript: script,
  tsx: script,
  javascript: script,
  go,
  rust,
  java: cLike,
  kotlin: { ...cLike, hole: '${', joins: ['+'] },
  scala: { ...cLike, hole: '${', joins: ['+'] },
  swift: { ...cLike, joins: ['+'] },
  csharp: { ...cLike, joins: ['+'] },
  cpp: cLike,
  c: cLike,
  python: { ...hashes, triple: ['"""', "'''"], joins: ['', '+', 'f', 'r', 'b', 'u', '+f', '+r'] },
  ruby: { ...hashes, triple: [], hole: '#{' },
  php: { ...cLike, comments: ['//', '#'], quotes: '', triple: [], long: '"\'', joins: ['.'] },
}

/** Markup with scripts in it, and languages without a table. */
const byEnding: Record<string, Family> = {
  vue: script,
  svelte: script,
  astro: script,
  dart: { ...cLike, quotes: '"\'', triple: ['"""', "'''"], hole: '${', joins: [''] },
}

function familyOf(path: string): Family | undefined {
  const language = languageOf(path)
  return language === null ? byEnding[path.slice(path.lastIndexOf('.') + 1)] : families[language]
}

/** By the path alone. */
export function mayHaveStrings(path: string): boolean {
  return familyOf(path) !== undefined
}

/** In their order; none for a language whose literals are not known. Literals that only `+` or a line end divides are one. */
export function codeStrings(path: string, text: string): CodeString[] {
  const family = familyOf(path)
  return family ? joined(new Scan(text, family).run(), text, family.joins) : []
}

type Found = CodeString & { open: number; close: number }

class Scan {
  private readonly found: Found[] = []
  private at = 0
  /** A heredoc had no end, so no other one is looked for. */
  private isCut = false
  private readonly text: string
  private readonly family: Family

  constructor(text: string, family: Family) {
    this.text = text
    this.family = family
  }

  run(): Found[] {
    while (this.at < this.text.length) this.step()
    return this.found
  }

  private step(): void {
    const { text, at, family } = this
    const char = text[at] ?? ''
    if (this.skipComment()) return
    const triple = family.triple.find((quote) => text.startsWith(quote, at))
    if (triple !== undefined) this.literal(triple, true)
    else if (family.long.includes(char)) this.literal(char, true)
    else if (family.quotes.includes(char)) this.literal(char, this.isVerbatim(at))
    else if (char === "'") this.at = this.endOfCharacter()
    else if (char === '<' && text.startsWith('<<', at)) this.heredoc()
    else if (char === '/' && family === script) this.at = this.endOfPattern()
    else this.at += 1
  }

  private skipComment(): boolean {
    const { text, at, family } = this
    if (family.comments.some((mark) => text.startsWith(mark, at))) this.at = lineEnd(text, at)
    else if (family.block && text.startsWith('/*', at)) this.at = after(text, '*/', at + 2)
    else return false
    return true
  }

  /** C#: `@"…"`, over several lines. */
  private isVerbatim(at: number): boolean {
    return this.text[at - 1] === '@' || this.text[at - 2] === '@'
  }

  private literal(quote: string, isLong: boolean): void {
    const start = this.at + quote.length
    const read = readLiteral(this.text, start, quote, isLong, this.holeOpening())
    if (read.closed) this.add(this.at, start, read.end, read.end + quote.length, read.holes)
    this.at = read.end + (read.closed ? quote.length : 0)
  }

  /** Python says so by a letter: `f"…{name}"`. */
  private holeOpening(): string | null {
    const { text, at, family } = this
    if (family === families.python) return /[fF]/.test(text.slice(Math.max(0, at - 2), at)) ? '{' : null
    if (family === script && text[at] !== '`') return null
    return text[at - 1] === '$' ? '{' : family.hole
  }

  /** A character of C, or the name of a lifetime of Rust, which has no second quote. */
  private endOfCharacter(): number {
    const { text, at } = this
    if (text[at + 1] === '\\') return at + 3 + after(text.slice(at + 3, at + 12), "'", 0)
    return text[at + 2] === "'" ? at + 3 : at + 1
  }

  /** A pattern stands where a value may begin; a division after one. */
  private endOfPattern(): number {
    const { text, at } = this
    const previous = text.slice(Math.max(0, at - 12), at).trimEnd()
    if (!/(?:[(,=:[!&|?{};+>]|^|\breturn)$/.test(previous)) return at + 1
    let isClass = false
    for (let i = at + 1; i < text.length && text[i] !== '\n'; i++) {
      if (text[i] === '\\') i += 1
      else if (text[i] === '[') isClass = true
      else if (text[i] === ']') isClass = false
      else if (text[i] === '/' && !isClass) return i + 1
    }
    return at + 1
  }

  /** Ruby `<<~SQL`, PHP `<<<SQL`: up to the line that is the mark. */
  private heredoc(): void {
    const { text, at, family } = this
    const isPhp = family === families.php
    const opening = !this.isCut && (isPhp || family === families.ruby) && text.slice(at, lineEnd(text, at))
    const mark = opening && (isPhp ? phpMark : rubyMark).exec(opening.slice(0, 80))?.[1]
    if (!mark) {
      this.at += 2
      return
    }
    const start = lineEnd(text, at) + 1
    const end = endOfHeredoc(text, start, mark)
    if (end === null) {
      this.isCut = true
      this.at = start
      return
    }
    this.add(at, start, end, end, [])
    this.at = end
  }

  private add(open: number, start: number, end: number, close: number, holes: CodeString['holes']): void {
    const before = this.text.slice(Math.max(0, open - 60), open).trimEnd()
    const text = blanked(this.text.slice(start, end), holes)
    this.found.push({ start, text, holes, before, open, close })
  }
}

const phpMark = /^<<<[ \t]?["']?([A-Za-z_]\w{0,30})/
const rubyMark = /^<<[~-]?["']?([A-Z_][A-Z_\d]{0,30})/

function endOfHeredoc(text: string, start: number, mark: string): number | null {
  for (let at = start; at < text.length; at = lineEnd(text, at) + 1) {
    const line = text.slice(at, lineEnd(text, at)).trimStart()
    if (line.startsWith(mark) && !/^\w/.test(line.slice(mark.length))) return at
  }
  return null
}

type Literal = { end: number; closed: boolean; holes: { start: number; end: number }[] }

/** Holes are ranges of the literal. */
function readLiteral(
  text: string,
  start: number,
  quote: string,
  isLong: boolean,
  opening: string | null,
): Literal {
  const holes: Literal['holes'] = []
  let at = start
  while (at < text.length) {
    if (text[at] === '\\') at += 2
    else if (text.startsWith(quote, at)) return { end: at, closed: true, holes }
    else if (text[at] === '\n' && !isLong) return { end: at, closed: false, holes }
    else if (opening !== null && text.startsWith(opening, at)) {
      const end = endOfHole(text, at + opening.length, isLong)
      holes.push({ start: at - start, end: end - start })
      at = end
    } else at += 1
  }
  return { end: text.length, closed: false, holes }
}

/** Behind the `}`; templates in it may have holes again. */
function endOfHole(text: string, from: number, isLong: boolean): number {
  const open: ('{' | '`')[] = ['{']
  let at = from
  for (; at < text.length && open.length > 0 && (isLong || text[at] !== '\n'); at++) {
    const char = text[at]
    const isTemplate = open.at(-1) === '`'
    if (char === '\\') at += 1
    else if (char === '`' && isTemplate) open.pop()
    else if (char === '`') open.push('`')
    else if (char === '{' && (!isTemplate || text[at - 1] === '$')) open.push('{')
    else if (char === '}' && !isTemplate) open.pop()
  }
  return Math.min(at, text.length)
}

/** A line end that is escaped in the source divides words as well. */
function blanked(text: string, holes: CodeString['holes']): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of holes) {
    pieces.push(unescaped(text.slice(at, start)), blank(text.slice(start, end)))
    at = end
  }
  pieces.push(unescaped(text.slice(at)))
  return pieces.join('')
}

function unescaped(text: string): string {
  return text.includes('\\')
    ? text.replace(/\\[\s\S]/g, (pair) => (/[ntr\s]/.test(pair[1] ?? '') ? blank(pair) : ` ${pair[1]}`))
    : text
}

export function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function joined(found: readonly Found[], text: string, joins: Family['joins']): CodeString[] {
  const groups: Found[][] = []
  for (const one of found) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && isJoined(text, last.close, one.open, joins)) group.push(one)
    else groups.push([one])
  }
  return groups.flatMap((group) => whole(group, text))
}

/** Far literals are not of one text. */
function isJoined(text: string, from: number, to: number, joins: Family['joins']): boolean {
  return to - from < 200 && joins.includes(text.slice(from, to).replace(/[\s\\]/g, ''))
}

function whole(group: readonly Found[], text: string): CodeString[] {
  const [first] = group
  if (!first) return []
  const pieces: string[] = []
  let end = first.start
  for (const one of group) {
    pieces.push(blank(text.slice(end, one.start)), one.text)
    end = one.start + one.text.length
  }
  const holes = group.flatMap((one) =>
    one.holes.map((hole) => ({
      start: hole.start + one.start - first.start,
      end: hole.end + one.start - first.start,
    })),
  )
  return [{ start: first.start, text: pieces.join(''), holes, before: first.before }]
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Behind the next `mark`, or the end of the text. */
function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}
