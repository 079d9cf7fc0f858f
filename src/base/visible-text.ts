/**
 * Makes what people cannot see visible: control, bidirectional, zero-width and tag characters become `⟦U+202E⟧`.
 * Foreign text passes through here before it reaches a terminal or a comment. Tabs and line feeds stay.
 */

// Everything Unicode calls control, format (bidi, zero-width, tags, soft hyphen), surrogate or line/paragraph separator.
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    if (character === '\n' || character === '\t') return character
    return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`
  })
}

/** The same on one line: line feeds, carriage returns and tabs become spaces first. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/[\r\n\t]+/g, ' '))
}

/** True when the text has the quoted words, as it is or as a model was shown it. Blank words quote nothing. */
export function holdsQuote(text: string, quote: string): boolean {
  return quote.trim() !== '' && holdsWords(text, quote)
}

/** The same without the rule for blank words. A model is shown visible characters and plain line ends. */
export function holdsWords(text: string, words: string): boolean {
  return text.includes(words) || visibleText(text.replaceAll('\r\n', '\n')).includes(words)
}
