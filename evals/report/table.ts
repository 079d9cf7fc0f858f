/** A table of words, which Markdown and HTML write alike. */
export type Table = {
  title: string
  /** A sentence or two above it; empty for none. */
  note: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}
