/** What is wrong with notes as a whole: two that contradict each other, and those that outcomes contradict. Pure. */
import { matchGlobs } from '../base/globs.ts'
import { partsOf, stemOf, tokensOf } from '../code-index/lexical/terms.ts'
import type { MemoryNote } from '../domain/memory.ts'
import type { Ledger } from '../ledger/fold.ts'
import { outcomeOf } from '../ledger/outcomes.ts'

/** One line for each, with the names of the notes. Only notes that have an effect are compared. */
export function findContradictions(notes: readonly MemoryNote[], ledger: Ledger): string[] {
  const active = notes.filter(({ state }) => state === 'active')
  const pairs = active.flatMap((one, at) => active.slice(at + 1).map((other) => [one, other] as const))
  return [
    ...pairs.flatMap(([one, other]) => {
      const why = differ(one, other)
      return why === null ? [] : [`${one.name} and ${other.name}: ${why}`]
    }),
    ...active.flatMap((note) => contradictedBy(note, ledger)),
  ]
}

function differ(one: MemoryNote, other: MemoryNote): string | null {
  if (!overlap(one, other)) return null
  if (one.effect && other.effect) {
    if (one.effect.rule !== other.effect.rule || one.effect.kind === other.effect.kind) return null
    return `one dismisses findings of ${one.effect.rule}, the other makes them minor, and their paths overlap`
  }
  if (one.effect || other.effect) return null
  return isOpposite(one.text, other.text)
    ? 'their texts say the opposite of each other in nearly the same words'
    : null
}

/** By the folders that their globs begin with. */
function overlap(one: MemoryNote, other: MemoryNote): boolean {
  if (one.scope === 'repository' || other.scope === 'repository') return true
  if (one.scope !== other.scope) return false
  if (one.scope === 'symbols') return one.symbols.some((name) => other.symbols.includes(name))
  const starts = (note: MemoryNote) => note.paths.map((glob) => glob.split(/[*?[{@+!]/, 1)[0] ?? '')
  return starts(one).some((a) => starts(other).some((b) => a.startsWith(b) || b.startsWith(a)))
}

const negations = new Set(['not', 'never', 'no', 'without', 'avoid', 'don', 'dont', 'cannot', 'forbidden'])
const empty = new Set([
  'the',
  'a',
  'an',
  'is',
  'are',
  'be',
  'to',
  'of',
  'in',
  'and',
  'or',
  'must',
  'always',
  'should',
  'do',
  't',
  'only',
  'shall',
  'use',
])
/** Of the words of the shorter text. */
const alike = 0.7
const fewestWords = 3

function isOpposite(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  if (a.isNegated === b.isNegated) return false
  const shorter = Math.min(a.words.size, b.words.size)
  return shorter >= fewestWords && [...a.words].filter((word) => b.words.has(word)).length / shorter >= alike
}

function wordsOf(text: string): { words: Set<string>; isNegated: boolean } {
  const all = tokensOf(text).flatMap(partsOf)
  return {
    words: new Set(all.filter((word) => !negations.has(word) && !empty.has(word)).map(stemOf)),
    isNegated: all.some((word) => negations.has(word)),
  }
}

function contradictedBy({ name, effect, paths }: MemoryNote, ledger: Ledger): string[] {
  if (!effect) return []
  const matches = matchGlobs(paths)
  const right = [...ledger.findings.values()].filter(
    (finding) =>
      finding.record.rule === effect.rule &&
      matches(finding.record.path) &&
      outcomeOf(ledger, finding) === 'right',
  )
  return right
    .slice(0, 3)
    .map(
      ({ id, record }) => `${name}: finding ${id.slice(0, 8)} of ${effect.rule} in ${record.path} was right`,
    )
}
