/** Lines of at most `width` characters, broken at spaces; those after the first begin with `indent`. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines.splice(-1, 1, `${last} ${word}`)
    else lines.push(lines.length === 0 ? word : indent + word)
  }
  return lines
}
