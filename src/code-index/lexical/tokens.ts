/** Words of code and prose for lexical search: whole identifiers, and the words that they are made of. */

const identifier = /[\p{L}\p{N}_$]+/gu

/** `parseHTMLText2` → parse, HTML, Text, 2. Linear: every alternative eats what it looks at. */
const part = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}]+|\p{Lu}/gu

/** Longer ones are data, not names. */
export const longestWord = 80

/** Lower case, in order: each identifier whole, then its parts if it has several. One letter alone is no part. */
export function tokensOf(text: string): string[] {
  const tokens: string[] = []
  for (const [word] of text.matchAll(identifier)) {
    if (word.length > longestWord) continue
    tokens.push(word.toLowerCase())
    const parts = partsOf(word)
    if (parts.length > 1) tokens.push(...parts.filter(({ length }) => length > 1))
  }
  return tokens
}

/** The words in an identifier, in lower case: `readFile_v2` → read, file, v, 2. */
export function partsOf(word: string): string[] {
  return (word.match(part) ?? []).map((one) => one.toLowerCase())
}

/** The identifiers in a text, as written. */
export function identifiersOf(text: string): string[] {
  return text.match(identifier) ?? []
}
