/** What of the memory belongs to one change, as evidence for models: within a budget, the nearest first. Pure. */
import { count } from '../base/count.ts'
import { matchGlobs } from '../base/globs.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import type { SymbolChange } from '../domain/code-symbol.ts'
import type { EarlierChange, MemoryNote, MemoryView } from '../domain/memory.ts'
import type { RememberedNote } from '../domain/review-context.ts'
import { scopeWords } from './note-file.ts'
import { searchTexts } from './search-notes.ts'

/** Estimated at three bytes to a token. */
const mostTokens = 1_200
const bytesPerToken = 3
const mostLines = 12
const longestLine = 200
/** Of the change, to rank notes that are equally near. */
const longestQuery = 20_000

export type Remembered = {
  notes: RememberedNote[]
  /** What became of the author's earlier changes in these folders, without a name. */
  developer: string[]
  /** Names of notes that apply and found no room. */
  left: string[]
}

/** Notes about findings of a rule are left out: code carries them out, so no model needs to know. */
export function rememberFor(
  { memory, developer }: { memory: MemoryView; developer: readonly EarlierChange[] },
  change: ChangeSet,
  symbols: readonly SymbolChange[],
): Remembered {
  const facts = memory.notes.filter(({ state, effect }) => state === 'active' && effect === null)
  const applying = facts.filter((note) => appliesTo(note, change, symbols))
  const rankOf = rankByWords(applying, change, symbols)
  const ordered = applying.toSorted(
    (a, b) => distance[a.scope] - distance[b.scope] || rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : 1),
  )
  const notes: RememberedNote[] = []
  const left: string[] = []
  let room = mostTokens * bytesPerToken
  for (const note of ordered) {
    const { path, text } = note
    const bytes = Buffer.byteLength(text)
    if (bytes > room) {
      left.push(note.name)
      continue
    }
    room -= bytes
    notes.push({ path, scope: scopeWords(note), text })
  }
  return { notes, developer: developerLines(developer), left }
}

const distance: Readonly<Record<MemoryNote['scope'], number>> = { symbols: 0, paths: 1, repository: 2 }

/** By the paths of the change, or the names of its symbols (`add` and `Money.add` both name the method). */
function appliesTo(
  { scope, paths, symbols }: MemoryNote,
  change: ChangeSet,
  changed: readonly SymbolChange[],
): boolean {
  if (scope === 'repository') return true
  if (scope === 'paths') {
    const matches = matchGlobs(paths)
    return change.files.some(({ path, oldPath }) => matches(path) || (oldPath !== null && matches(oldPath)))
  }
  const names = new Set(changed.flatMap(namesOf))
  return symbols.some((name) => names.has(name))
}

function namesOf({ before, after }: SymbolChange): string[] {
  return [before, after].flatMap((site) =>
    site
      ? [site.symbol.name, [site.symbol.scope, site.symbol.name].filter((part) => part !== '').join('.')]
      : [],
  )
}

function rankByWords(
  notes: readonly MemoryNote[],
  { files }: ChangeSet,
  symbols: readonly SymbolChange[],
): (note: MemoryNote) => number {
  if (notes.length < 2) return () => 0
  const added = files.flatMap(({ hunks }) =>
    hunks.flatMap(({ lines }) => lines.flatMap(({ kind, text }) => (kind === 'added' ? [text] : []))),
  )
  const query = [...files.map(({ path }) => path), ...symbols.flatMap(namesOf), ...added].join('\n')
  const found = searchTexts(
    notes.map(({ text }) => text),
    query.slice(0, longestQuery),
    notes.length,
  )
  const ranks = new Map(found.map((at, rank) => [notes[at], rank]))
  return (note) => ranks.get(note) ?? notes.length
}

/** What held first, then what did not; empty when nothing is known that was decided. */
export function developerLines(changes: readonly EarlierChange[]): string[] {
  if (changes.length === 0) return []
  const reviewed = changes.filter(({ wasReviewed }) => wasReviewed)
  const clean = reviewed.filter(({ findings }) => !findings.some(({ outcome }) => outcome === 'right'))
  const lines = [
    `${count(changes.length, 'earlier change')} by the author in these folders; reviewed: ${reviewed.length}; reviewed without a finding that was right: ${clean.length}.`,
    ...changes.flatMap(({ name, day, findings }) =>
      findings
        .filter(({ outcome }) => outcome === 'right')
        .map(({ rule, path, title }) => `right: ${rule} in ${path} (${name}, ${day}): ${title}`),
    ),
    ...wrongLines(changes),
    ...changes.flatMap(({ name, day, subject, isReverted, fixesAfter }) => {
      if (isReverted) return [`reverted later: ${name}, ${day}: ${subject}`]
      return fixesAfter > 0
        ? [`followed by fixes within a month (${fixesAfter}): ${name}, ${day}: ${subject}`]
        : []
    }),
  ]
  return lines.slice(0, mostLines).map((line) => line.slice(0, longestLine))
}

/** One line for each rule: that it was wrong says something about the rule here, not about one place. */
function wrongLines(changes: readonly EarlierChange[]): string[] {
  const wrong = changes.flatMap(({ findings }) => findings.filter(({ outcome }) => outcome !== 'right'))
  return [...Map.groupBy(wrong, ({ rule }) => rule)].map(
    ([rule, own]) =>
      `not right here: ${rule}: ${count(own.length, 'finding was', 'findings were')} dismissed as wrong or unimportant`,
  )
}
