/** Planes that guard the review itself: what they report is in the text, so that neither a model nor a note talks it away. */
const guards: ReadonlySet<string> = new Set(['secrets', 'hidden-text', 'instructions'])

export function isGuard(plane: string): boolean {
  return guards.has(plane)
}
