/** What adapters do to Markdown of ours, before a host reads it in its own way. */

/** With every line changed that is not within a block of code. */
export function outsideCode(markdown: string, change: (line: string) => string): string {
  let fence: string | null = null
  const lines = markdown.split('\n').map((line) => {
    const [, marks = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === null && marks !== '') {
      fence = marks
      return line
    }
    if (fence !== null) {
      const isEnd = marks[0] === fence[0] && marks.length >= fence.length && line.trim() === marks
      if (isEnd) fence = null
      return line
    }
    return change(line)
  })
  return lines.join('\n')
}
