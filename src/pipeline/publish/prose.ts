/** Titles and explanations are plain text with code between backticks; this takes the two apart. */
import { visibleLine } from '../../base/visible-text.ts'

export type Span = { code: boolean; text: string }

/**
 * An unpaired backtick is taken as text. Empty spans are left out, and what then stands side by side is one span: an
 * address cut in two by empty code would be none in either half, and one again when they are put together.
 */
export function splitCode(text: string): Span[] {
  const parts = text.split('`')
  const paired = parts.length % 2 === 1
  const spans = parts.map((part, index) => ({ code: index % 2 === 1, text: part }))
  if (!paired) {
    const last = spans.pop()
    const before = spans.pop()
    if (last && before) spans.push({ code: false, text: `${before.text}\`${last.text}` })
  }
  const merged: Span[] = []
  for (const span of spans.filter(({ text }) => text !== '')) {
    const last = merged.at(-1)
    if (last?.code === span.code) last.text += span.text
    else merged.push(span)
  }
  return merged
}

/** On one line, visible, and without the backticks that set code apart. */
export function withoutTicks(text: string): string {
  return splitCode(text)
    .map((span) => visibleLine(span.text))
    .join('')
}

/** Paragraphs, split by blank lines, as their lines; white space inside a line is folded. */
export function paragraphs(text: string): string[][] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => line.replace(/\s+/g, ' ').trim())
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0)
}
