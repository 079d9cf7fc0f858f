/**
 * Cuts and joins foreign text in one pass. A pattern that looks for a run of spaces before something else starts over at
 * every space of the run, which takes minutes where there are a million; `test/linear-patterns.test.ts` finds those.
 */

/** The text without the `characters` at its end: `trimTrailing('a//', '/')` is `a`. */
export function trimTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Lines joined by one space each; blank lines, and spaces around line ends, are left out. */
export function joinLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

/** With `…` for what is beyond; half of a character is not left. */
export function cutAt(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
