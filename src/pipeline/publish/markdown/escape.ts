/**
 * Foreign text into Markdown that shows it and does nothing else: no HTML, no image, no link, no mention, no
 * closing of our own fences. Source of the list: trust-and-ux A4.2 and what GitHub's renderer acts on.
 */
import { visibleLine, visibleText } from '../../../base/visible-text.ts'
import { splitCode } from '../prose.ts'

/** What GitHub or GitLab would bring to life: mentions, issue references, addresses. Shown as code instead. */
const lively = /((?:https?:\/\/|www\.)\S+|[\w.+-]{0,80}@[\w/.-]+|\bGH-\d+|[\w./-]{0,80}[#!]\d+)/i

/** Plain text on one line: lively words become code spans, the characters of Markdown are escaped. */
export function escapeText(text: string): string {
  return visibleLine(text)
    .split(lively)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part) : escapePunctuation(part)))
    .join('')
}

function escapePunctuation(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]<>|~$]/g, '\\$&')
      .replace(/&/g, '&amp;')
      // A heading, a list or a quote can only begin a line, and so can a command of a bot, such as /approve.
      .replace(/^(\s*)([#+/-]|\d+[.)])/, '$1\\$2')
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
  return splitCode(text)
    .map((span) => (span.code ? codeSpan(span.text) : escapeText(span.text)))
    .join('')
}

/** A fenced block that its content cannot close. `language` is one of our own words. */
export function codeBlock(text: string, language = ''): string {
  const content = visibleText(text.replace(/\r/g, ''))
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${content}\n${fence}`
}

/** One cell of a table: pipes are escaped by `escapeText`; a code span needs its pipes escaped as well. */
export function tableCode(text: string): string {
  return codeSpan(text).replace(/\|/g, '\\|')
}
