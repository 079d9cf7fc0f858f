/** Names that mix Latin letters with letters of Cyrillic or Greek that pass for Latin ones. */

/** Only these deceive: `Δx` or `µs` is read as what it is. */
const passesForLatin = /[аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅαορνΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u

/** `\xd0`, `\u0430`, `\n`: the letters of an escape are no part of the word behind it. */
const escapes = /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|[0-7]{1,3}|.)/g

const longestWord = 60

/** The words of a line that would be read as Latin and are not; a word mostly in the other script is prose. */
export function lookAlikes(line: string): string[] {
  if (!passesForLatin.test(line)) return []
  const words = line.replace(escapes, ' ').match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
  return words.filter((word) => {
    const letters = [...word]
    const latin = letters.filter((letter) => /[A-Za-z]/.test(letter)).length
    return (
      letters.length > 2 &&
      letters.length <= longestWord &&
      latin > letters.length / 2 &&
      letters.every((letter) => /[\p{Script=Latin}\p{N}_]/u.test(letter) || passesForLatin.test(letter)) &&
      passesForLatin.test(word)
    )
  })
}

/** `scоpe` → `sc⟦U+043E⟧pe`. */
export function spellOut(word: string): string {
  return word.replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => {
    const point = letter.codePointAt(0) ?? 0
    return `⟦U+${point.toString(16).toUpperCase().padStart(4, '0')}⟧`
  })
}
