/** Which words a text must contain for a regular expression to match inside it. */

/** `folded`: without the difference between large and small letters; only asked for when an expression ignores it. */
export type Words = { text: string; folded(): string }

/** False only if no part of the text can match. */
export type WordNeed = (words: Words) => boolean

/** Letters that Unicode counts as another spelling of an ASCII one, and which stay as they are in lower case. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ſ', 's')
}

/**
 * `source`: an expression in the syntax of the engine (Rust's), which may be any stranger's. It is read once, from left to
 * right; what is not understood asks for nothing.
 */
export function wordsOfRegex(source: string): WordNeed {
  const flags = /^\(\?([a-zA-Z]+)\)/.exec(source)
  const rest = source.slice(flags?.[0].length ?? 0)
  // White space that does not count, and flags further on that change what comes before: too rare to be read.
  if (flags?.[1]?.includes('x') || /\(\?[a-zA-Z-]*[:)]/.test(rest.replaceAll('(?:', '('))) return always
  const reader = new Reader(rest, flags?.[1]?.includes('i') ?? false)
  const need = reader.alternatives()
  return reader.isAtEnd && !reader.isLost ? need : always
}

const always: WordNeed = () => true
const deepest = 50

class Reader {
  private readonly source: string
  private readonly ignoresCase: boolean
  private at = 0
  private depth = 0
  /** A group that never ends, or too many in each other. */
  isLost = false

  constructor(source: string, ignoresCase: boolean) {
    this.source = source
    this.ignoresCase = ignoresCase
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.length
  }

  /** Up to the end, or to the bracket that closes the group. */
  alternatives(): WordNeed {
    const branches = [this.sequence()]
    while (this.source[this.at] === '|') {
      this.at++
      branches.push(this.sequence())
    }
    return (words) => branches.some((needs) => needs.every((need) => need(words)))
  }

  private sequence(): WordNeed[] {
    const needs: WordNeed[] = []
    let word = ''
    const endWord = (): void => {
      if (word !== '') needs.push(this.needOf(word))
      word = ''
    }
    while (!this.isAtEnd && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      const atom = this.atom()
      const repeated = this.repetition()
      if (typeof atom === 'string' && repeated === 'once') word += atom
      else {
        if (typeof atom === 'string' && repeated === 'more') word += atom
        endWord()
        if (typeof atom === 'function' && repeated !== 'maybe') needs.push(atom)
      }
    }
    endWord()
    return needs
  }

  /** A character that stands for itself, a group, or null for anything else. */
  private atom(): string | WordNeed | null {
    const char = this.source[this.at++] ?? ''
    if (char === '(') return this.group()
    if (char === '[') return this.skipClass()
    if (char === '\\') return this.escaped()
    return /[.^$*+?{}]/.test(char) || !isPlain(char) ? null : char
  }

  private group(): WordNeed | null {
    this.at += /^\?(?::|P?<\w+>)/.exec(this.source.slice(this.at, this.at + 100))?.[0].length ?? 0
    this.isLost ||= ++this.depth > deepest
    if (this.isLost) return null
    const need = this.alternatives()
    this.depth--
    this.isLost ||= this.source[this.at++] !== ')'
    return need
  }

  /** Classes may contain classes. */
  private skipClass(): null {
    let open = 1
    if (this.source[this.at] === '^') this.at++
    if (this.source[this.at] === ']') this.at++
    for (; open > 0 && !this.isAtEnd; this.at++) {
      const char = this.source[this.at]
      if (char === '\\') this.at++
      else if (char === '[') open++
      else if (char === ']') open--
    }
    return null
  }

  private escaped(): string | null {
    const char = this.source[this.at++] ?? ''
    // `\p{Greek}`, `\x{41}`, `\u0041`: a class or a character by its number.
    if (/[pPxuU]/.test(char)) {
      const number = /^(?:\{[^}]*\}|[0-9a-fA-F]{2,8}|[A-Z])/.exec(this.source.slice(this.at, this.at + 40))
      this.at += number?.[0].length ?? 0
    }
    return /[a-zA-Z0-9<>]/.test(char) || !isPlain(char) ? null : char
  }

  private repetition(): 'once' | 'more' | 'maybe' {
    const sign = /^(?:[*+?]|\{[\d,]*\})/.exec(this.source.slice(this.at, this.at + 20))?.[0]
    if (sign === undefined) return 'once'
    this.at += sign.length
    // `+?` is lazy and `a+*` repeats a repetition, which may be nothing.
    const isMore = sign === '+' && !/[*?+{]/.test(this.source[this.at] ?? '')
    while (/[*+?]/.test(this.source[this.at] ?? '')) this.at++
    return isMore ? 'more' : 'maybe'
  }

  private needOf(word: string): WordNeed {
    if (!this.ignoresCase) return ({ text }) => text.includes(word)
    const folded = fold(word)
    return (words) => words.folded().includes(folded)
  }
}

/** Any other character has several forms, or is half of one. */
function isPlain(char: string): boolean {
  return char >= ' ' && char <= '~'
}
