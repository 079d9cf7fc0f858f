/** What is counted of a text: its words (see `tokensOf`) and their stems, so that `parsing` finds `parse`. */
import { identifiersOf, longestWord, partsOf, tokensOf } from './tokens.ts'

/** Words, then stems that differ from theirs; each as often as it stands in the text. */
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
