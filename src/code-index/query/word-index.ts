/** Which files mention which identifiers, for all words of a tree at once. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'

/** The same bytes that `RepoSnapshot.filesWithWords` takes for a word. */
const word = /[A-Za-z0-9_$\u0080-\uffff]+/g

/** Files read in one round trip; their texts are let go before the next. */
const filesAtOnce = 500

/** Longer ones are data (a hash, an encoded image) and nobody asks for them. */
const longestWord = 200

export type WordIndex = (words: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>

export async function readWordIndex(snapshot: RepoSnapshot): Promise<WordIndex> {
  const paths = (await snapshot.list()).flatMap(({ path, mode }) => (mode.startsWith('100') ? [path] : []))
  const files = new Map<string, number[]>()
  for (let from = 0; from < paths.length; from += filesAtOnce) {
    const chunk = paths.slice(from, from + filesAtOnce)
    const texts = await snapshot.readMany(chunk)
    for (const [index, path] of chunk.entries()) {
      for (const found of new Set(texts.get(path)?.text.match(word))) {
        if (found.length > longestWord) continue
        const list = files.get(found)
        if (list) list.push(from + index)
        else files.set(found, [from + index])
      }
    }
  }
  return async (words) => {
    const answer = new Map<string, readonly string[]>()
    for (const wanted of words) {
      const found = files.get(wanted)
      if (found)
        answer.set(
          wanted,
          found.map((index) => paths[index] ?? ''),
        )
    }
    return answer
  }
}
