/** What nobody sees stays hidden. */
export function visibleText(text: string): string {
  return text
}

export function visibleLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ')
}
