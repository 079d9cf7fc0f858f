/** What is counted of a text: its words (see `tokensOf`) and their stems, so that `parsing` finds `parse`. */

/** Words, then stems that differ from theirs; each as often as it is in the text. */
export function termsOf(text: string): string[] {
  const terms = tokensOf(text)
  for (const word of identifiersOf(text)) {
    if (word.length > longestWord) continue
    for (const part of partsOf(word)) {
      const stem = stemOf(part)
      if (stem !== part) terms.push(stem)
    }
  }
  return terms
}

/** `parse`, `parses`, `parsed`, `parsing`, `parser` → `pars`. Crude, and enough to compare words. */
export function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|er|or|e)$/, '') : word
}

/** The stems of the words in an identifier: `readFiles2` → read, fil, 2. */
export function stemsOf(name: string): string[] {
  return partsOf(name).map(stemOf)
}

/** Words of code and prose for lexical search: whole identifiers, and the words that they are made of. */

const identifier = /[\p{L}\p{N}_$]+/gu

/** `parseHTMLText2` → parse, HTML, Text, 2. Linear: every alternative eats what it looks at. */
const part = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}]+|\p{Lu}/gu

/** Longer ones are data, not names. */
const longestWord = 80

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
