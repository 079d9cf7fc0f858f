/** The facts about a changed definition as an editor shows them at the cursor. Names, paths, subjects and authors are foreign. */
import { type Hover, MarkupKind } from 'vscode-languageserver'
import { count } from '../base/count.ts'
import { visibleLine } from '../base/visible-text.ts'
import { codeSpan, escapeText } from '../pipeline/publish/markdown/escape.ts'
import type { SymbolFacts } from './symbol-facts.ts'

/** How words and places are written. */
type Ink = {
  words(text: string): string
  code(text: string): string
  place(path: string, line: number): string
  item(text: string): string
}

const mostPlaces = 5

export type HoverStyle = {
  /** False: the editor shows plain text. */
  isMarkdown: boolean
  uriOf(path: string): string
}

export function hoverOf(facts: SymbolFacts, { isMarkdown, uriOf }: HoverStyle): Hover {
  const value = linesOf(facts, isMarkdown ? markdown(uriOf) : plain).join(isMarkdown ? '\n\n' : '\n')
  return { contents: { kind: isMarkdown ? MarkupKind.Markdown : MarkupKind.PlainText, value } }
}

function linesOf({ site, callers, tests, isConclusive, lastChange }: SymbolFacts, ink: Ink): string[] {
  const least = isConclusive ? '' : 'at least '
  const unknown = isConclusive ? '' : ' that the index knows of'
  const used = callers.length === 0 ? `no caller${unknown}` : `${least}${count(callers.length, 'caller')}`
  const reached =
    tests.length === 0
      ? 'no test reaches it in two steps'
      : `${least}${count(tests.length, 'test file reaches', 'test files reach')} it`
  return [
    `${ink.code(site.name)}: ${used}; ${reached}`,
    listOf(
      callers.map(({ path, line, name }) => [path, line, name === null ? '' : ` ${ink.code(name)}`]),
      ink,
    ),
    listOf(
      tests.map((path) => [path, 1, ' (test)']),
      ink,
    ),
    lastChange === null ? '' : `Last changed ${lastWords(lastChange, ink)}`,
  ].filter((line) => line !== '')
}

function listOf(places: [path: string, line: number, more: string][], ink: Ink): string {
  const shown = places
    .slice(0, mostPlaces)
    .map(([path, line, more]) => ink.item(ink.place(path, line) + more))
  const left = places.length - shown.length
  return [...shown, ...(left > 0 ? [ink.item(`and ${left} more`)] : [])].join('\n')
}

function lastWords(
  { commit, request, subject, authorName, time }: NonNullable<SymbolFacts['lastChange']>,
  ink: Ink,
): string {
  const day = new Date(time * 1000).toISOString().slice(0, 10)
  const name = request === null ? commit.slice(0, 10) : `#${request}`
  return `${day} by ${ink.words(authorName)} in ${ink.code(name)}: ${ink.words(subject)}`
}

const plain: Ink = {
  words: visibleLine,
  code: visibleLine,
  place: (path, line) => visibleLine(`${path}:${line}`),
  item: (text) => `  ${text}`,
}

function markdown(uriOf: HoverStyle['uriOf']): Ink {
  return {
    words: escapeText,
    code: codeSpan,
    place: (path, line) => `[${codeSpan(`${path}:${line}`)}](${addressOf(uriOf(path))}#L${line})`,
    item: (text) => `- ${text}`,
  }
}

/** A path may hold what ends an address in Markdown, which a URI may hold as it is. */
function addressOf(uri: string): string {
  return uri.replace(/[^\w:/.%~-]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
}
