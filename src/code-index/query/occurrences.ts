/**
 * What an answer that nothing uses a name has to account for: every occurrence of the word in the text. The parser read
 * some as code; what it did not read is a comment, prose, or something that may be a use after all.
 */

import { upperBound } from '../../base/upper-bound.ts'
import type { FileFacts } from '../contract.ts'
import { isScript } from '../language-of.ts'
import { type Quiet, quietRanges } from '../lexical/code-tokens.ts'
import { linesOf } from '../resolve/lines.ts'
import { referencesNamed } from '../resolve/symbols.ts'
import {
  isGivenToMacro,
  isInBraces,
  looksDefined,
  looksEnumerated,
  makesMember,
  namingLines,
} from './member-forms.ts'

/**
 * `read`: a reference, an import, an export or the name of a definition, which the facts know. `local`: a variable of a
 * function binds the name. `comment`, and `prose` in a string: no use. `string`: the whole string is the name, by which it
 * may be used. `unread`: code that the parser did not read as the name.
 */
export type OccurrenceKind = 'read' | 'local' | 'comment' | 'prose' | 'string' | 'unread'

/** 1-based line, 0-based column in UTF-16 units. */
export type Occurrence = {
  line: number
  column: number
  kind: OccurrenceKind
  /** `{ name }`: whatever the name means there, it is also that of a member. */
  isInBraces: boolean
  /** It gives something this name, although it is none of the definitions that are listed. */
  isMade: boolean
}

/** In order. The facts are those of the text. */
export function occurrencesOf(facts: FileFacts, text: string, word: string): Occurrence[] {
  const places = placesOf(facts, text, word)
  if (places.length === 0) return []
  const known = knownPlaces(facts, word)
  const found = places.map((place) => {
    const end = place.offset + word.length
    const [before, after] = [
      text.slice(Math.max(0, place.offset - 40), place.offset),
      text.slice(end, end + 20),
    ]
    const { isRead, isMade: isNamed, isDefined } = known(place.line, place.column, before, after)
    const isMade = isNamed || (facts.language === 'rust' && !isDefined && isGivenToMacro(text, place.offset))
    const inBraces = !isDefined && isInBraces(facts.language, text, place.offset, end)
    return { ...place, isRead, isMade, isInBraces: inBraces }
  })
  if (found.every((one) => one.isRead && !one.isInBraces))
    return found.map(({ line, column, isMade }) => ({
      line,
      column,
      kind: 'read',
      isInBraces: false,
      isMade,
    }))
  const quiet = quietRanges(text, facts.language)
  const isLocal = localLines(facts, word)
  const templates = new Map<Quiet, boolean>()
  let at = 0
  return found.map(({ line, column, offset, isRead, isMade, isInBraces }) => {
    while ((quiet[at]?.end ?? Number.POSITIVE_INFINITY) <= offset) at++
    const around = quiet[at]
    const kind = ((): OccurrenceKind => {
      if (isRead) return 'read'
      if (around && around.start <= offset) {
        const before = text.slice(Math.max(around.start, offset - longestNear), offset)
        const end = offset + word.length
        const after = text.slice(end, Math.min(around.end, end + longestNear))
        if (around.kind === 'comment') return kindInComment(facts.language, before, after)
        // One long string may hold the word many times.
        const isTemplate = templates.get(around) ?? hasHoles(text.slice(around.start, around.end))
        templates.set(around, isTemplate)
        if (isTemplate) return 'unread'
        const opening = text.slice(Math.max(0, around.start - longestNear), around.start)
        const isCode = facts.language === 'bash' && shellCode.test(opening)
        return isCode || isWordList(opening, text, around) ? 'string' : kindInString(before, after)
      }
      const before = text.slice(Math.max(0, offset - longestNear), offset)
      return isLocal(line) && !/[.:>#]\s{0,8}$/.test(before) && !inMacro.test(lineOf(before))
        ? 'local'
        : 'unread'
    })()
    const isCode = !/^(?:comment|prose|string)$/.test(kind)
    return { line, column, kind, isMade: isMade && isCode, isInBraces: isInBraces && isCode }
  })
}

/** Which occurrences an answer does not account for. */
export type Doubtful = (occurrence: Occurrence) => boolean

/** May be a use of what is defined elsewhere, although the facts know of none. */
export const mayUse: Doubtful = ({ kind }) => kind === 'string' || kind === 'unread'
/** The same of a member, which objects may have and give by the name of a local. */
export const mayUseMember: Doubtful = (one) => mayUse(one) || one.isInBraces
export const mayDefine: Doubtful = (one) =>
  mayUse(one) || one.kind === 'local' || one.isInBraces || one.isMade

export function unreadOf(facts: FileFacts, text: string, word: string, isDoubtful = mayUse): Occurrence[] {
  return occurrencesOf(facts, text, word).filter(isDoubtful)
}

export function describeUnread({ kind, isInBraces, isMade }: Occurrence): string {
  if (kind === 'string') return 'a string, by which it may be used'
  if (isInBraces) return 'in braces, where it names a member too'
  return isMade ? 'something gets this name there' : 'not read as a use, and not as a comment either'
}

/** So much around a word decides what it is in a comment or string. */
const longestNear = 120

/** Locals mean nothing to a macro. */
const inMacro = /^\s{0,40}#\s{0,8}define\b/

const lineOf = (before: string): string => before.slice(before.lastIndexOf('\n') + 1)

/** Whether a line is in a function in which the parser saw a local of the name; to be asked in order of lines. */
function localLines(facts: FileFacts, word: string): (line: number) => boolean {
  const ranges = new Map<number, number>()
  for (const { shadowed, enclosing, line } of referencesNamed(facts, word)) {
    if (!shadowed) continue
    const { startLine = line, endLine = line } = facts.symbols[enclosing ?? -1] ?? {}
    ranges.set(startLine, Math.max(endLine, ranges.get(startLine) ?? 0))
  }
  const ordered = [...ranges].sort((a, b) => a[0] - b[0])
  let [at, end] = [0, 0]
  return (line) => {
    for (let next = ordered[at]; next && next[0] <= line; next = ordered[++at]) end = Math.max(end, next[1])
    return line <= end
  }
}

/** Tools read some comments as code: annotations and types in documentation, examples that tests run, directives. */
function kindInComment(language: string, before: string, after: string): OccurrenceKind {
  const line = lineOf(before)
  const isCalled = /^\s{0,2}[(!]/.test(after) || /(?:::|\.)$/.test(line)
  const isRead =
    (language === 'php' && annotated.test(line)) ||
    (isScript(language) && /@\w{1,40}\s{0,8}\{[^}]{0,100}$|@jsx(?:Frag)?\s{1,8}$/.test(line)) ||
    (language === 'rust' && /^\s*\/\/[/!]/.test(line) && isCalled) ||
    (language === 'go' && /\/\/(?:export|go:linkname)\s+$/.test(line)) ||
    (language === 'python' && /#\s*type:[^#]*$/.test(line))
  return isRead ? 'unread' : 'comment'
}

/** The first or second word after an annotation, or one of its arguments. */
const annotated = /@\w[\w\\]{0,40}(?:\([^)]{0,100}|\s{1,8}(?:\S{1,60}\s{1,8})?\S{0,60})$/

/**
 * Prose is what stands among the words of a sentence. Anything else may be read by a program: paths and routes, templates,
 * types and code in quotes.
 */
function kindInString(before: string, after: string): OccurrenceKind {
  const isApart = /(?:^|[\s"'`(,;])$/.test(before) && /^(?:[.,;:!?)]?(?:\s|["'`]|$)|\))/.test(after)
  const isAmongWords =
    /[\p{L}\p{N}][.,;:!?)]?\s+\(?$/u.test(before) || /^[.,;:!?)]?\s+\(?[\p{L}\p{N}]/u.test(after)
  const isCode = asCode.test(before) || asQuery.test(before) || asQuery.test(after)
  return isApart && isAmongWords && !isCode ? 'prose' : 'string'
}

/** Names apart by spaces, and what makes them some: `'get set'.split(' ')`, `namedtuple('Point', 'x y')`, `%w[get set]`. */
function isWordList(before: string, text: string, { end }: Quiet): boolean {
  return (
    /^\s{0,8}\.\s{0,8}split\b/.test(text.slice(end, end + 30)) ||
    /(?:\b(?:namedtuple|Enum|Flag|make_dataclass|attrgetter|methodcaller|explode|split)|\b__slots__\s{0,8}=)\s{0,8}\(?[^()]{0,80}$/.test(
      before,
    )
  )
}

/** What runs the string behind it: `trap 'clean; exit 1' INT`, `bash -c "run $x"`. */
const shellCode = /(?:^|[\s;&|(])(?:eval|trap|alias|\w*sh\s+-\w*c|su\s[^'"\n]{0,60}-c)\s[^'"\n]{0,80}$/

function hasHoles(quoted: string): boolean {
  return quoted.startsWith('`') && quoted.includes('${')
}

/** Words after which a name is code even in a string. */
const asCode =
  /(?:^|[^\p{L}\p{N}_])(?:import|from|require|new|def|function|return|await|call|exec|module|type|class)\s+$/u

/** Words of SQL in capitals: what is among them names a table or column. */
const asQuery =
  /(?:^|[^\p{L}\p{N}_])(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|VALUES|TABLE|COLUMN|INDEX|ORDER BY|GROUP BY|RETURNING|CALL|EXEC(?:UTE)?)(?:$|[^\p{L}\p{N}_])/u

type PlaceOfWord = { line: number; column: number; offset: number }

function placesOf(facts: FileFacts, text: string, word: string): PlaceOfWord[] {
  const lines = linesOf(facts, text)
  const goesOn = (next: string | undefined) =>
    isNameCharacter(next) && (next !== '$' || dollarInNames.test(facts.language))
  return lines
    .offsetsOf(word)
    .filter((offset) => !goesOn(text[offset - 1]) && !goesOn(text[offset + word.length]))
    .map((offset) => {
      const line = lines.lineOf(offset)
      return { line, column: offset - lines.startOf(line), offset }
    })
}

/** Elsewhere it begins a variable, or what a string inserts. */
const dollarInNames = /^(?:java|javascript|typescript|tsx|jsx)$/

export function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character)
}

type Known = { isRead: boolean; isMade: boolean; isDefined: boolean }

/** Of an import and a definition only the line is known. What the grammar made no sense of was not read. */
function knownPlaces(
  facts: FileFacts,
  word: string,
): (line: number, column: number, before: string, after: string) => Known {
  const references = new Map(referencesNamed(facts, word).map((one) => [`${one.line}:${one.column}`, one]))
  const defined = new Set(
    facts.symbols.flatMap(({ name, nameLine, kind }) =>
      name === word && !/^(?:constant|variable)$/.test(kind) ? [nameLine] : [],
    ),
  )
  const lines = new Set([
    ...facts.symbols.flatMap(({ name, nameLine }) => (name === word ? [nameLine] : [])),
    ...facts.imports.flatMap(({ imported, local, line }) =>
      imported === word || local === word ? [line] : [],
    ),
    ...facts.exports.flatMap(({ exported, local, line }) =>
      exported === word || local === word ? [line] : [],
    ),
  ])
  const naming = new Set(namingLines(facts, word))
  const starts = facts.errorLines.map(({ startLine }) => startLine)
  const isBroken = (line: number) => line <= (facts.errorLines[upperBound(starts, line) - 1]?.endLine ?? 0)
  return (line, column, before, after) => {
    const reference = references.get(`${line}:${column}`)
    const isListed = lines.has(line)
    return {
      isRead: isListed || (reference !== undefined && !isBroken(line)),
      isMade:
        naming.has(line) ||
        (reference !== undefined && makesMember(facts.language, reference, after)) ||
        (!isListed && reference?.role !== 'import' && looksDefined(facts.language, before, after)) ||
        (!isListed && facts.errorLines.length > 0 && looksEnumerated(facts.language, before, after)),
      isDefined: defined.has(line) || reference?.role === 'import' || reference?.role === 'export',
    }
  }
}
