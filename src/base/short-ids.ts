/** Ids of commits as people read them. */

/** Each full id in a text, as in `range A..B`, by its beginning. */
export function shortenIds(text: string): string {
  return text.replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g, (id) => id.slice(0, 12))
}
