/**
 * Finds all of many short words in a text in one pass, whatever their number (Aho and Corasick, 1975). Letters are compared
 * without their case. Linear: a table look-up for each character.
 */

/** Calls back with the index of the word and where it begins, in order of where words end. */
export type ScanHints = (text: string, onHit: (word: number, start: number) => void) => void

const alphabet = 128

/** `words` in ASCII. */
export function createHintScanner(words: readonly string[]): ScanHints {
  const [next, found] = buildTable(words.map((word) => word.toLowerCase()))
  const lengths = words.map(({ length }) => length)
  return (text, onHit) => {
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      state = code < alphabet ? (next[state * alphabet + code] ?? 0) : 0
      const hits = state === 0 ? undefined : found[state]
      if (hits) for (const word of hits) onHit(word, at + 1 - (lengths[word] ?? 0))
    }
  }
}

type Trie = { edges: Map<number, number>; words: number[] }

function buildTable(words: readonly string[]): [Int32Array, (readonly number[] | undefined)[]] {
  const trie: Trie[] = [{ edges: new Map(), words: [] }]
  for (const [index, word] of words.entries()) {
    let at = 0
    for (const character of word) {
      const code = character.charCodeAt(0)
      const node = trie[at]
      let to = node?.edges.get(code)
      if (to === undefined) {
        to = trie.push({ edges: new Map(), words: [] }) - 1
        node?.edges.set(code, to)
      }
      at = to
    }
    trie[at]?.words.push(index)
  }
  const next = new Int32Array(trie.length * alphabet)
  const fallback = new Int32Array(trie.length)
  const waiting = [0]
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    const other = fallback[node] ?? 0
    for (let code = 0; code < alphabet; code++) {
      const to = trie[node]?.edges.get(code)
      const instead = node === 0 ? 0 : (next[other * alphabet + code] ?? 0)
      if (to === undefined) {
        next[node * alphabet + code] = instead
        continue
      }
      next[node * alphabet + code] = to
      fallback[to] = instead
      trie[to]?.words.push(...(trie[instead]?.words ?? []))
      waiting.push(to)
    }
  }
  // A capital goes where its small letter goes.
  for (let node = 0; node < trie.length; node++)
    for (let code = 65; code <= 90; code++)
      next[node * alphabet + code] = next[node * alphabet + code + 32] ?? 0
  return [next, trie.map(({ words: own }) => (own.length > 0 ? own : undefined))]
}
