/**
 * Foreign text into Markdown that shows it and does nothing else: no HTML, no image, no link, no mention, no
 * closing of our own fences. Source of the list: trust-and-ux A4.2 and what GitHub's renderer acts on.
 */
import { visibleLine, visibleText } from '../../../base/visible-text.ts'
import { splitCode } from '../words.ts'

/** What GitHub or GitLab would bring to life: addresses, mentions, references to issues and commits. Shown as code instead. */
const lively =
  /((?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.)\S*|[\w.+-]{0,80}@[\w/.-]+|\w{0,80}GH-\d+|[\w./-]{0,80}[#!]\d+|[0-9a-f]{7,})/i

/** A sign that each of them contains. Most text has none, and then the slow pattern above is not tried. */
const maybeLively = /:\/\/|www\.|@[\w/.-]|GH-\d|[#!]\d|[0-9a-f]{7}/i

/** How code is shown: in running text, or in a cell of a table. */
type AsCode = (text: string) => string

/** Plain text on one line: lively words become code spans, the characters of Markdown are escaped. */
export function escapeText(text: string): string {
  return escaped(text, codeSpan, true)
}

function escaped(text: string, asCode: AsCode, beginsLine: boolean): string {
  const line = visibleLine(text).replace(/ +/g, ' ')
  const parts = maybeLively.test(line) ? line.split(lively) : [line]
  return apart(
    parts.map((part, at) => (at % 2 === 1 ? asCode(part) : escapePunctuation(part, beginsLine && at === 0))),
  )
}

function escapePunctuation(text: string, beginsLine: boolean): string {
  const quiet = text.replace(/[\\`*_[\]<>|~$]/g, '\\$&').replace(/&/g, '&amp;')
  if (!beginsLine) return quiet
  // A heading, a list, a line under a heading or a table begins a line, and so does a command of a bot, such as /approve.
  return quiet.replace(/^(\s*)(?=[#+/=:-])/, '$1\\').replace(/^(\s*\d+)(?=[.)](?:\s|$))/, '$1\\')
}

/** Two code spans that touch would be read as one, and what follows them as text. */
function apart(parts: readonly string[]): string {
  return parts.reduce(
    (line, part) => (line.endsWith('`') && part.startsWith('`') ? `${line} ${part}` : line + part),
    '',
  )
}

/** A code span that its content cannot leave. */
export function codeSpan(text: string): string {
  const content = visibleLine(text)
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  const pad = content.startsWith('`') || content.endsWith('`') || content.trim() === '' ? ' ' : ''
  return `${fence}${pad}${content}${pad}${fence}`
}

/** Text of our own with code between backticks: code stays code, the rest is escaped. */
export function proseToMarkdown(text: string): string {
  return prose(text, codeSpan)
}

/**
 * Text for places that may show Markdown or plain text: what Markdown would interpret is put in code spans, so that no
 * backslash is needed and both read well.
 */
export function proseToEither(text: string): string {
  const line = visibleLine(text).trim()
  return apart(
    splitCode(line).map((span, at) => (span.code ? codeSpan(span.text) : markupAsCode(span.text, at === 0))),
  )
}

function markupAsCode(text: string, beginsLine: boolean): string {
  const words = text.replace(/ +/g, ' ').split(' ')
  return words
    .map((word, at) => {
      const startsBlock = beginsLine && at === 0 && /^(?:[#+/=:-]|\d+[.)]$)/.test(word)
      return startsBlock || (maybeLively.test(word) && lively.test(word)) || /[\\`*_[\]<>|~$&]/.test(word)
        ? codeSpan(word)
        : word
    })
    .join(' ')
}

function prose(text: string, asCode: AsCode): string {
  // Made visible before it is trimmed, since some of what nobody sees counts as white space.
  const line = visibleLine(text).trim()
  const spans = splitCode(line)
  // Nothing but backticks: shown as such, since an empty line or item would not show at all.
  if (spans.every((span) => !span.code && span.text.trim() === '')) return escapePunctuation(line, true)
  return apart(
    spans.map((span, at) => (span.code ? asCode(span.text) : escaped(span.text, asCode, at === 0))),
  )
}

/** Bots of hosts read a comment as it is written, code blocks too: `/lgtm` on a line of its own approves. */
export function commandsBots(text: string): boolean {
  return /^[^\S\r\n\u2028\u2029]*\/[a-z]/im.test(text.replace(/\r/g, '\n'))
}

/**
 * A fenced block that its content cannot close. `language` is one of our own words. Where a line would command a bot,
 * every line gets a margin; those of a diff begin with their sign anyway.
 */
export function codeBlock(text: string, language = ''): string {
  const shown = visibleText(text.replace(/\r/g, ''))
  const content = language !== 'diff' && commandsBots(text) ? shown.replace(/^/gm, '| ') : shown
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${content}\n${fence}`
}

/** Code in a cell of a table, where a pipe ends the cell in code too unless it is escaped, and a backslash before it undoes that. */
export function tableCode(text: string): string {
  return codeSpan(text.replace(/(?<=\\)\|/g, '⟦U+007C⟧')).replace(/\|/g, '\\|')
}

/** Text of our own in a cell of a table. */
export function tableProse(text: string): string {
  return prose(text, tableCode)
}
