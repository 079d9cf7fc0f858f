/**
 * Characters that people do not see, or take for others. Code points after Trojan Source (bidi, homoglyphs), the
 * Unicode tag block and variation selectors as carriers of hidden data; carve-outs for emoji and real scripts.
 */

export type HiddenCharacter = { offset: number; character: string; kind: HiddenKind }

export type HiddenKind = 'bidi' | 'zero-width' | 'tag' | 'selector' | 'control'

/** Scripts that need joiners and marks to be written at all. */
const joiningScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Mongolian}\p{Script=Tibetan}\p{Script=Thai}\p{Script=Hebrew}]/u

/** Every suspicious character of one line. `isFirstLine` lets a byte order mark stand at the very start. */
export function hiddenCharacters(line: string, isFirstLine: boolean): HiddenCharacter[] {
  // Nearly every line is plain ASCII, and needs no closer look.
  if (!/[^\t -~]/.test(line)) return []
  const found: HiddenCharacter[] = []
  let offset = 0
  for (const character of line) {
    const kind = kindOf(character.codePointAt(0) ?? 0)
    if (kind && !isLegitimate({ offset, character, kind }, line, isFirstLine))
      found.push({ offset, character, kind })
    offset += character.length
  }
  return found
}

function kindOf(point: number): HiddenKind | null {
  const within = (from: number, to: number) => point >= from && point <= to
  if (point === 0x09) return null
  if (point < 0x20 || within(0x7f, 0x9f)) return 'control'
  if (within(0x202a, 0x202e) || within(0x2066, 0x2069) || isMark(point)) return 'bidi'
  if (within(0xe0000, 0xe007f)) return 'tag'
  if (isSelector(point)) return 'selector'
  if (point === 0xad || point === 0x180e || within(0x200b, 0x200d) || within(0x2060, 0x2065))
    return 'zero-width'
  return point === 0xfeff ? 'zero-width' : null
}

function isSelector(point: number): boolean {
  return (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef)
}

/** Left-to-right, right-to-left and Arabic letter mark. */
function isMark(point: number): boolean {
  return point === 0x200e || point === 0x200f || point === 0x061c
}

function isLegitimate(
  { offset, character, kind }: HiddenCharacter,
  line: string,
  isFirstLine: boolean,
): boolean {
  const point = character.codePointAt(0) ?? 0
  const before = lastCharacter(line.slice(0, offset))
  if (point === 0xfeff) return isFirstLine && offset === 0
  // Form feeds divide sections in old C and Lisp; a delete or an escape does not.
  if (point === 0x0c) return line.trim() === ''
  // One selector behind a visible character picks its glyph (emoji, CJK, keycaps); a run of them carries data.
  if (kind === 'selector') return /[^\t -~]|[0-9#*]/u.test(before) && !isSelector(before.codePointAt(0) ?? 0)
  if (point === 0x200d || point === 0x200c)
    return isEmojiPart(before) || joiningScript.test(before + firstCharacter(line.slice(offset + 1)))
  if (isMark(point)) return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(line)
  // The flags of England, Scotland and Wales are a black flag and tag characters.
  return kind === 'tag' && isBlackFlag(line.slice(0, offset))
}

function isEmojiPart(character: string): boolean {
  return (
    /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u.test(character) ||
    isSelector(character.codePointAt(0) ?? 0)
  )
}

function isBlackFlag(before: string): boolean {
  const characters = [...before]
  while (kindOf(characters.at(-1)?.codePointAt(0) ?? 0) === 'tag') characters.pop()
  return characters.at(-1) === '\u{1f3f4}'
}

function lastCharacter(text: string): string {
  return /.$/u.exec(text)?.[0] ?? ''
}

function firstCharacter(text: string): string {
  return /^./u.exec(text)?.[0] ?? ''
}

/** Identifiers that mix Latin with letters of Cyrillic or Greek that look like Latin ones. */
export function mixedScriptWords(line: string): string[] {
  const words = line.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
  return words.filter(
    (word) =>
      word.length > 2 &&
      /[A-Za-z]/.test(word) &&
      // Only letters that pass for Latin ones; `Δx` or `µs` deceives nobody.
      /[аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅαορνΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u.test(word) &&
      // A word mostly in the other script with a Latin digit-like suffix is prose.
      [...word].filter((letter) => /[A-Za-z]/.test(letter)).length >= word.length / 2,
  )
}
