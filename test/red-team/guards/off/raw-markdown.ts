/** Words go into Markdown as they are. */
export * from '../../../../src/pipeline/publish/markdown/escape.ts'

export function escapeText(text: string): string {
  return text
}

export function proseToMarkdown(text: string): string {
  return text
}
