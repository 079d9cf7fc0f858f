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
