/**
 * Invisible characters, and letters that pass for others. Code points after Trojan Source (bidi controls), the Unicode tag
 * block and variation selectors as carriers of hidden data; exceptions for emoji and for scripts that need them.
 */

export type HiddenKind = 'bidi' | 'zero-width' | 'tag' | 'selector' | 'control'

export type HiddenCharacter = { offset: number; character: string; kind: HiddenKind }

/** `isStart` allows a byte order mark, `isProse` what translations and manuals need. */
export type LinePlace = { isStart: boolean; isProse: boolean }

/** Scripts that need joiners, or mark the ends of words with a zero-width space. */
const joiningScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Lao}\p{Script=Thai}\p{Script=Mongolian}\p{Script=Tibetan}\p{Script=Hebrew}]/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** This many selectors in a row, or on one line after plain letters, carry data; fewer are accidents. */
const selectorsInRow = 3
const selectorsInLine = 8

/** Every suspicious character of one line, in order. */
export function hiddenCharacters(line: string, place: LinePlace): HiddenCharacter[] {
  // Nearly every line is plain ASCII.
  if (!/[^\t -~]/.test(line)) return []
  const found: HiddenCharacter[] = []
  const whole = wholeLine(line, place)
  let before = ''
  let offset = 0
  for (const character of line) {
    const kind = kindOf(pointOf(character))
    const after = kind ? firstCharacter(line, offset + character.length) : ''
    if (kind && kind !== 'selector' && !isLegitimate({ offset, character, kind }, whole, before, after))
      found.push({ offset, character, kind })
    before = character
    offset += character.length
  }
  if (!someSelector.test(line)) return found
  return [...found, ...carryingSelectors(line)].sort((a, b) => a.offset - b.offset)
}

/** Facts about a whole line, computed once rather than for each of its hidden characters. */
type WholeLine = LinePlace & { line: string; isRightToLeft: boolean; isBalanced: boolean }

function wholeLine(line: string, place: LinePlace): WholeLine {
  const isRightToLeft = rightToLeft.test(line)
  return {
    ...place,
    line,
    isRightToLeft,
    isBalanced: isRightToLeft && isBalanced(line),
  }
}

function kindOf(point: number): HiddenKind | null {
  const within = (from: number, to: number) => point >= from && point <= to
  if (point === 0x09) return null
  if (point < 0x20 || within(0x7f, 0x9f) || within(0x2028, 0x2029)) return 'control'
  if (within(0x202a, 0x202e) || within(0x2066, 0x2069) || isMark(point)) return 'bidi'
  if (within(0xe0000, 0xe007f)) return 'tag'
  if (isSelector(point)) return 'selector'
  if (within(0x200b, 0x200d) || within(0x2060, 0x2065) || within(0x206a, 0x206f)) return 'zero-width'
  if (within(0xfff9, 0xfffb) || within(0x1d173, 0x1d17a) || within(0x17b4, 0x17b5)) return 'zero-width'
  return blanks.has(point) ? 'zero-width' : null
}

/** Soft hyphen, grapheme joiner, letters without a shape, and the byte order mark. */
const blanks: ReadonlySet<number> = new Set([0xad, 0x34f, 0x115f, 0x1160, 0x180e, 0x3164, 0xfeff, 0xffa0])

/** Left-to-right, right-to-left and Arabic letter mark. */
function isMark(point: number): boolean {
  return point === 0x200e || point === 0x200f || point === 0x061c
}

const someSelector = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u

function isSelector(point: number): boolean {
  return (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef)
}

function isLegitimate(
  { offset, character, kind }: HiddenCharacter,
  { line, isStart, isProse, isRightToLeft, isBalanced }: WholeLine,
  before: string,
  after: string,
): boolean {
  const point = pointOf(character)
  const neighbours = before + after
  if (point === 0xfeff) return isStart && offset === 0
  // Form feeds divide sections in old C and Lisp, and stand in the white space of lexers; they hide nothing.
  if (point === 0x0c) return true
  if (point === 0x200d || point === 0x200c) return isEmojiPart(before) || joiningScript.test(neighbours)
  if (point === 0x200b) return joiningScript.test(neighbours)
  if (point === 0xad) return isProse && /\p{L}\p{L}/u.test(neighbours)
  if (point === 0x115f || point === 0x1160) return /\p{Script=Hangul}/u.test(neighbours)
  if (kind === 'bidi') return isRightToLeft && (isMark(point) || (isProse && isBalanced))
  // The flags of England, Scotland and Wales are a black flag and tag characters.
  return kind === 'tag' && isBlackFlag(line.slice(0, offset))
}

/** Embeddings and isolates that are closed on the line, without overrides, as editors of such texts write them. */
function isBalanced(line: string): boolean {
  let open = 0
  for (const character of line) {
    const point = pointOf(character)
    if (point === 0x202d || point === 0x202e) return false
    if (point === 0x202a || point === 0x202b || (point >= 0x2066 && point <= 0x2068)) open++
    if (point === 0x202c || point === 0x2069) open--
    if (open < 0) return false
  }
  return open === 0
}

function isEmojiPart(character: string): boolean {
  return /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u.test(character) || isSelector(pointOf(character))
}

function isBlackFlag(before: string): boolean {
  // No flag has more than six tags, so a longer run carries something else.
  const characters = [...before.slice(-14)]
  while (kindOf(pointOf(characters.at(-1) ?? '')) === 'tag') characters.pop()
  return characters.at(-1) === '\u{1f3f4}'
}

/** Shared by consecutive selectors. */
type Run = { length: number }

/**
 * One selector after a character picks its glyph, and the two for emoji occur after letters by accident. Runs of them, many
 * on one line, and rare ones after plain letters have no such use.
 */
function carryingSelectors(line: string): HiddenCharacter[] {
  const all: (HiddenCharacter & { isStray: boolean; run: Run })[] = []
  let run: Run = { length: 0 }
  let before = ''
  let offset = 0
  for (const character of line) {
    const point = pointOf(character)
    if (isSelector(point)) {
      const isStray = /^[\0-~]?$/.test(before) && !/^[0-9#*]$/.test(before)
      if (!isSelector(pointOf(before))) run = { length: 0 }
      run.length++
      all.push({ offset, character, kind: 'selector', isStray, run })
    }
    before = character
    offset += character.length
  }
  const strays = all.filter(({ isStray }) => isStray)
  const isCrowded = strays.length >= selectorsInLine
  const suspicious = all.filter(
    ({ character, isStray, run: { length } }) =>
      (isStray && (isCrowded || !isForEmoji(character))) || length >= selectorsInRow,
  )
  return suspicious.map(({ offset: at, character, kind }) => ({ offset: at, character, kind }))
}

function isForEmoji(character: string): boolean {
  return character === '\ufe0e' || character === '\ufe0f'
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0x20
}

function firstCharacter(text: string, offset: number): string {
  const point = text.codePointAt(offset)
  return point === undefined ? '' : String.fromCodePoint(point)
}

/** Cyrillic and Greek letters that look Latin; others, as in `Δx` or `µs`, do not deceive. */
const passesForLatin = /[аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅαορνΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u

/** `\xd0`, `\u0430`, `\n`: the letters of an escape do not belong to the word after it. */
const escapes = /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|[0-7]{1,3}|.)/g

const longestWord = 60

/** Words that look Latin but contain letters of another script. A word mostly in the other script is prose. */
export function lookAlikes(line: string): string[] {
  return mixedWords(line).filter((word) => (word.match(/[A-Za-z]/g)?.length ?? 0) > [...word].length / 2)
}

/** Words with letters of two scripts that all look Latin, in whichever most are. */
export function mixedWords(line: string): string[] {
  if (!passesForLatin.test(line)) return []
  const words = line.replace(escapes, ' ').match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
  return words.filter((word) => {
    const letters = [...word]
    return (
      letters.length > 2 &&
      letters.length <= longestWord &&
      letters.every((letter) => /[\p{Script=Latin}\p{N}_]/u.test(letter) || passesForLatin.test(letter)) &&
      passesForLatin.test(word) &&
      /[A-Za-z]/.test(word)
    )
  })
}

/** `scope` with a Cyrillic o → `sc⟦U+043E⟧pe`. */
export function spellOut(word: string): string {
  return word.replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => {
    const point = letter.codePointAt(0) ?? 0
    return `⟦U+${point.toString(16).toUpperCase().padStart(4, '0')}⟧`
  })
}
