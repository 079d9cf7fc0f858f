/** What adapters do to Markdown of ours, before a host reads it in its own way. */

/** `isCode`: within a block of code, or one of the two lines around it. */
export type MarkdownLine = { text: string; isCode: boolean }

export function linesOf(markdown: string): MarkdownLine[] {
  let fence: string | null = null
  return markdown.split('\n').map((text) => {
    const [, marks = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(text) ?? []
    if (fence === null && marks === '') return { text, isCode: false }
    if (fence === null) fence = marks
    else if (marks[0] === fence[0] && marks.length >= fence.length && text.trim() === marks) fence = null
    return { text, isCode: true }
  })
}

/** With every line changed that is not within a block of code. */
export function outsideCode(markdown: string, change: (line: string) => string): string {
  return linesOf(markdown)
    .map(({ text, isCode }) => (isCode ? text : change(text)))
    .join('\n')
}
