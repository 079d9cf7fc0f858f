/** What paths alone say: rare words in common, the same folder, the same name but for its ending or a `test` in it. */
import { identifiersOf, partsOf } from '../../src/code-index/lexical/terms.ts'
import type { SignalScores } from '../../src/code-index/related/signals.ts'

const sameFolder = 0.25
const sameStem = 0.6

/** Names that say where a file is, not what it is about. */
const commonStems = new Set(['index', 'mod', 'main', 'lib', 'init', 'package', 'readme', ''])

/** Every path of the tree that has something in common with a seed; seeds themselves are left out. */
export function readPathSignal(tree: readonly string[], seeds: readonly string[]): SignalScores {
  const words = new Map(tree.map((path) => [path, wordsOf(path)]))
  const known = new Map<string, number>()
  for (const set of words.values()) for (const word of set) known.set(word, (known.get(word) ?? 0) + 1)
  const weightOf = (word: string): number => Math.log((tree.length + 1) / (known.get(word) ?? 1))
  const scores = new Map<string, number>()
  const isSeed = new Set(seeds)
  for (const seed of isSeed) {
    const own = wordsOf(seed)
    const ownWeight = sum(own, weightOf)
    for (const [path, theirs] of words) {
      if (isSeed.has(path)) continue
      const common = sum(own, (word) => (theirs.has(word) ? weightOf(word) : 0))
      const all = ownWeight + sum(theirs, weightOf) - common
      const score = (all > 0 ? common / all : 0) + likeness(seed, path)
      if (score > 0) scores.set(path, Math.max(score, scores.get(path) ?? 0))
    }
  }
  return scores
}

function likeness(a: string, b: string): number {
  const stem = stemOf(a)
  const named = stem === stemOf(b) && !commonStems.has(stem) ? sameStem : 0
  return named + (folderName(a) === folderName(b) ? sameFolder : 0)
}

/** `src/url.test.ts`, `test_url.py`, `UrlTests.java` → `url`. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const parts = partsOf(name.split('.')[0] ?? '')
  return parts.filter((word) => !/^(tests?|specs?)$/.test(word)).join('')
}

function wordsOf(path: string): Set<string> {
  return new Set(identifiersOf(path).flatMap(partsOf))
}

function sum(words: ReadonlySet<string>, worth: (word: string) => number): number {
  let total = 0
  for (const word of words) total += worth(word)
  return total
}

function folderName(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
