/** What planes would like to be remembered: each once, not too many, and resting on a file that somebody has seen. */
import { visibleLine } from '../../base/visible-text.ts'
import type { MemoryInsight } from '../../domain/review.ts'

const most = 20
const longest = 300

/** In the order given; of two that say the same of one file the first counts. */
export function collectInsights(
  insights: readonly MemoryInsight[],
  paths: ReadonlySet<string>,
): MemoryInsight[] {
  const known = new Map<string, MemoryInsight>()
  for (const { plane, text, path } of insights) {
    const sentence = visibleLine(text).trim().slice(0, longest)
    const place = path !== null && paths.has(path) ? path : null
    const key = `${place ?? ''}\n${(sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')}`
    if (sentence !== '' && !known.has(key)) known.set(key, { plane, text: sentence, path: place })
  }
  return [...known.values()].slice(0, most)
}
