/**
 * Finds all of many short words in a text in one pass, whatever their number (Aho and Corasick, 1975). Letters are compared
 * without their case. Linear: a table look-up for each character. The table knows the first characters of each word only, so
 * that a processor's cache holds it; the other ones are compared where those occur.
 */

/** Calls back with the index of the word and where it begins, in order of where their first characters end. */
export type ScanHints = (text: string, onHit: (word: number, start: number) => void) => void

const tableDepth = 4
const ascii = 128

/** `words` in ASCII. */
export function createHintScanner(words: readonly string[]): ScanHints {
  const small = words.map((word) => word.toLowerCase())
  const classOf = classesOf(small)
  const { next, found } = buildTable(small, classOf)
  return (text, onHit) => {
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      state = next[state + (code < ascii ? (classOf[code] ?? 0) : 0)] ?? 0
      if (state >= 0) continue
      state = ~state
      for (const word of found.get(state) ?? []) {
        const [hint = '', start] = [small[word], at + 1 - Math.min(tableDepth, small[word]?.length ?? 0)]
        if (hint.length <= tableDepth || text.slice(start, start + hint.length).toLowerCase() === hint)
          onHit(word, start)
      }
    }
  }
}

/** A small number for each character of the words; 0 for all others. A capital has that of its small letter. */
function classesOf(words: readonly string[]): Uint8Array {
  const classOf = new Uint8Array(ascii)
  for (const [index, character] of [...new Set(words.join(''))].entries())
    for (const either of [character, character.toUpperCase()]) classOf[either.charCodeAt(0)] = index + 1
  return classOf
}

type Node = { edges: Map<number, number>; words: number[] }

/** `next` of a state and a class; a state is where its row begins, and the complement of it where words were found. */
function buildTable(
  words: readonly string[],
  classOf: Uint8Array,
): { next: Int32Array; found: ReadonlyMap<number, readonly number[]> } {
  const trie: Node[] = [{ edges: new Map(), words: [] }]
  for (const [index, word] of words.entries()) {
    let at = 0
    for (const character of word.slice(0, tableDepth)) {
      const edge = classOf[character.charCodeAt(0)] ?? 0
      let to = trie[at]?.edges.get(edge)
      if (to === undefined) {
        to = trie.push({ edges: new Map(), words: [] }) - 1
        trie[at]?.edges.set(edge, to)
      }
      at = to
    }
    trie[at]?.words.push(index)
  }
  const width = Math.max(...classOf) + 1
  const next = new Int32Array(trie.length * width)
  const fallback = new Int32Array(trie.length)
  const waiting = [0]
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift())
    for (let edge = 1; edge < width; edge++) {
      const to = trie[node]?.edges.get(edge)
      const instead = node === 0 ? 0 : (next[(fallback[node] ?? 0) * width + edge] ?? 0)
      next[node * width + edge] = to ?? instead
      if (to === undefined) continue
      fallback[to] = instead
      trie[to]?.words.push(...(trie[instead]?.words ?? []))
      waiting.push(to)
    }
  const rowOf = (node: number) => (trie[node]?.words.length ? ~(node * width) : node * width)
  return { next: next.map(rowOf), found: new Map(trie.map(({ words: own }, node) => [node * width, own])) }
}
