/**
 * Cuts a long JSON text where its content says, not at fixed places: what two texts have in common is then cut alike in
 * both, and kept once. Two reviews in a row read nearly the same history and lists of files.
 */

/** Characters. Shorter pieces compress badly, and each costs two waits for the disk. */
const shortest = 32 * 1024
/** One in so many ends of an object is a place to cut. */
const share = 64
const lookBack = 64

/** Joined, the parts are the text; there is at least one. */
export function cutText(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let end = nextEnd(text, shortest); end > 0; end = nextEnd(text, start + shortest)) {
    let at = end
    while (at > 0 && !isPlaceToCut(text, at)) at = nextEnd(text, at)
    if (at <= 0 || text.length - at < shortest) break
    parts.push(text.slice(start, at))
    start = at
  }
  return [...parts, text.slice(start)]
}

/** Behind the next `},`, never between the halves of a character; 0 when there is none. */
function nextEnd(text: string, from: number): number {
  const found = text.indexOf('},', from)
  return found < 0 ? 0 : found + 2
}

/** FNV-1a of the characters before it. */
function isPlaceToCut(text: string, at: number): boolean {
  let hash = 0x811c9dc5
  for (let index = Math.max(0, at - lookBack); index < at; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash % share === 0
}
