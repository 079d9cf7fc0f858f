/**
 * What an answer that nothing uses a name has to account for: every occurrence of the word in the text. The parser read
 * some as code; what it did not read is a comment, prose, or something that may be a use after all.
 */
import type { FileFacts } from '../contract.ts'
import { quietRanges } from '../lexical/code-tokens.ts'
import { linesOf } from '../resolve/lines.ts'
import { referencesNamed } from '../resolve/symbols.ts'

/**
 * `read`: a reference, an import, an export or the name of a definition, which the facts know. `local`: a variable of a
 * function binds the name. `comment`, and `prose` in a string: no use. `string`: the whole string is the name, by which it
 * may be used. `unread`: code that the parser did not read as the name.
 */
export type OccurrenceKind = 'read' | 'local' | 'comment' | 'prose' | 'string' | 'unread'

/** 1-based line, 0-based column in UTF-16 units. */
export type Occurrence = { line: number; column: number; kind: OccurrenceKind }

/** In order. The facts are those of the text. */
export function occurrencesOf(facts: FileFacts, text: string, word: string): Occurrence[] {
  const places = placesOf(facts, text, word)
  if (places.length === 0) return []
  const isRead = readPlaces(facts, word)
  const found = places.map(({ line, column, offset }) => ({
    line,
    column,
    offset,
    isRead: isRead(line, column),
  }))
  if (found.every((one) => one.isRead))
    return found.map(({ line, column }) => ({ line, column, kind: 'read' }))
  const quiet = quietRanges(text, facts.language)
  const hasLocal = referencesNamed(facts, word).some(({ shadowed }) => shadowed)
  let at = 0
  // One long string may hold the word many times.
  const kinds = new Map<number, OccurrenceKind>()
  return found.map(({ line, column, offset, isRead }) => {
    while ((quiet[at]?.end ?? Number.POSITIVE_INFINITY) <= offset) at++
    const around = quiet[at]
    const kind = ((): OccurrenceKind => {
      if (isRead) return 'read'
      if (around && around.start <= offset) {
        const kind = kinds.get(at) ?? kindIn(text.slice(around.start, around.end), around.kind, word)
        kinds.set(at, kind)
        return kind
      }
      return hasLocal && !/[.:>]\s*$/.test(text.slice(Math.max(0, offset - 3), offset)) ? 'local' : 'unread'
    })()
    return { line, column, kind }
  })
}

/** Kinds that may be a use of what is defined elsewhere, although the facts know of none. */
export const mayUse: ReadonlySet<OccurrenceKind> = new Set(['string', 'unread'])
/** Kinds that may define the name. */
export const mayDefine: ReadonlySet<OccurrenceKind> = new Set(['string', 'unread', 'local'])

export function unreadOf(facts: FileFacts, text: string, word: string, kinds = mayUse): Occurrence[] {
  return occurrencesOf(facts, text, word).filter(({ kind }) => kinds.has(kind))
}

export function describeUnread({ kind }: Occurrence): string {
  return kind === 'string'
    ? 'a string, by which it may be used'
    : 'not read as a use, and not as a comment either'
}

/** Paths, routes and templates name things by strings as well; words of a sentence do not. */
function kindIn(quiet: string, kind: 'comment' | 'string', word: string): OccurrenceKind {
  if (kind === 'comment') return 'comment'
  if (quiet.startsWith('`') && quiet.includes('${')) return 'unread'
  const inside = withoutQuotes(quiet).trim()
  return inside === word || !/\s/.test(inside) ? 'string' : 'prose'
}

function withoutQuotes(text: string): string {
  const isQuote = (character: string | undefined) => character !== undefined && '`"\''.includes(character)
  let [start, end] = [0, text.length]
  while (start < end && isQuote(text[start])) start++
  while (end > start && isQuote(text[end - 1])) end--
  return text.slice(start, end)
}

type PlaceOfWord = { line: number; column: number; offset: number }

function placesOf(facts: FileFacts, text: string, word: string): PlaceOfWord[] {
  const lines = linesOf(facts, text)
  const found: PlaceOfWord[] = []
  let [line, start] = [1, 0]
  for (let offset = text.indexOf(word); offset >= 0 && word !== ''; offset = text.indexOf(word, offset + 1)) {
    if (isNameCharacter(text[offset - 1]) || isNameCharacter(text[offset + word.length])) continue
    for (
      let next = start + lines.at(line).length + 1;
      next <= offset;
      next = start + lines.at(line).length + 1
    ) {
      start = next
      line++
    }
    found.push({ line, column: offset - start, offset })
  }
  return found
}

export function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character)
}

/** Of an import and a definition only the line is known. */
function readPlaces(facts: FileFacts, word: string): (line: number, column: number) => boolean {
  const references = new Set(referencesNamed(facts, word).map(({ line, column }) => `${line}:${column}`))
  const lines = new Set([
    ...facts.symbols.flatMap(({ name, nameLine }) => (name === word ? [nameLine] : [])),
    ...facts.imports.flatMap(({ imported, local, line }) =>
      imported === word || local === word ? [line] : [],
    ),
    ...facts.exports.flatMap(({ exported, local, line }) =>
      exported === word || local === word ? [line] : [],
    ),
  ])
  return (line, column) => references.has(`${line}:${column}`) || lines.has(line)
}
