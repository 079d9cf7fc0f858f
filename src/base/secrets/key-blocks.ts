/**
 * Private keys that fill several lines: PEM, OpenSSH, PGP and PuTTY, also in base64. They are found by their first or last line, and what
 * stands between is taken line by line, so that indents, quotes, comment signs and line breaks written as `\n` stay.
 */
import type { SecretMatch, TextRange } from './contract.ts'

/** What a passphrase protects, as its first line says. */
export const encryptedKey = 'encrypted private key'

/** Longer than a key of 16,384 bits. */
const longestBlock = 32_768
const leastBody = 40
/** Stands between texts that are searched together: no key spans it, wherever a text was cut. */
const boundary = '\u0000'

const begin = /-{4,5}[ +]?BEGIN[ +](?:[A-Z0-9]{1,12}[ +]){0,4}PRIVATE[ +]KEY(?:[ +]BLOCK)?[ +]?-{4,5}/gi
const end = /-{4,5}[ +]?END[ +](?:[A-Z0-9]{1,12}[ +]){0,4}PRIVATE[ +]KEY(?:[ +]BLOCK)?[ +]?-{4,5}/gi
const frame = /PRIVATE[ +]KEY/i

export function holdsKeyFrame(text: string): boolean {
  return frame.test(text)
}

/** The first line of a key once more in base64, as Kubernetes writes it. */
const encodedBegin = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,20000}={0,2}/g
const putty = /^[^\S\n]{0,40}Private-Lines: \d{1,4}\r?$/gm

export function findKeyBlocks(text: string): SecretMatch[] {
  const matches: SecretMatch[] = []
  let covered = 0
  if (holdsKeyFrame(text)) {
    const ends = [...text.matchAll(end)].map(({ index, 0: line }) => ({
      start: index,
      end: index + line.length,
    }))
    const begins = [...text.matchAll(begin)]
    let next = 0
    const orphan = (closing: TextRange | undefined): void => {
      if (!closing) return
      matches.push(...blockOf(text, bodyBefore(text, covered, closing.start), closing.end))
      covered = closing.end
    }
    for (const [at, { index, 0: line }] of begins.entries()) {
      const from = index + line.length
      const limit = beforeBoundary(
        text,
        from,
        Math.min(from + longestBlock, begins[at + 1]?.index ?? text.length),
      )
      for (; (ends[next]?.start ?? limit) < from; next++) orphan(ends[next])
      const closing = ends[next]
      const isClosed =
        closing !== undefined && closing.start < limit && isKeyBody(text.slice(from, closing.start))
      const body = isClosed ? { start: from, end: closing.start } : bodyAfter(text, from, limit)
      matches.push(...blockOf(text, body, isClosed ? closing.end : body.end, index))
      covered = isClosed ? closing.end : body.end
      if (isClosed) next++
    }
    for (const closing of ends.slice(next)) orphan(closing)
  }
  if (text.includes('Private-Lines:'))
    for (const { index, 0: line } of text.matchAll(putty)) {
      const from = index + line.length
      const body = bodyAfter(text, from, beforeBoundary(text, from, index + longestBlock))
      matches.push(...blockOf(text, body, body.end, index))
    }
  if (text.includes('LS0tLS1CRUdJTi'))
    for (const { index, 0: line } of text.matchAll(encodedBegin)) {
      const from = index + line.length
      const body = bodyAfter(text, from, beforeBoundary(text, from, index + longestBlock))
      const decoded = Buffer.from((line + text.slice(from, body.end)).slice(0, 120), 'base64').toString(
        'latin1',
      )
      if (decoded.includes('PRIVATE KEY')) matches.push(...blockOf(text, body, body.end, index))
    }
  return matches
}

function blockOf(text: string, body: TextRange, last: number, first = body.start): SecretMatch[] {
  const hidden = hiddenLines(text, body)
  const value = hidden.map((range) => text.slice(range.start, range.end)).join('\n')
  // Three dots or a few letters stand for a key in a manual.
  if (value.replace(/[^A-Za-z0-9+/]/g, '').length < leastBody) return []
  const kind = /^[^\n]{0,40}ENCRYPTED/.test(text.slice(first, body.start)) ? encryptedKey : 'private key'
  return [{ kind, start: first, end: last, value, certain: true, local: false, hidden }]
}

const keyCharacter = /[A-Za-z0-9+/=]/

/** Of every line what is not indent, quote or comment sign. */
function hiddenLines(text: string, { start, end }: TextRange): TextRange[] {
  const hidden: TextRange[] = []
  for (let at = start; at < end; ) {
    const lineEnd = Math.min(endOfLine(text, at), end)
    const line = text.slice(at, lineEnd)
    const before = /^(?:\\[nr]|[\s"'`#>|*,]|\/\/(?=\s)|-(?=\s)|\+(?=\s*["'`]))*/.exec(line)?.[0].length ?? 0
    let after = line.length
    const quoted = /["'`][\s+,;.)\\\]}]{0,20}$/.exec(line)
    if (quoted) after = quoted.index
    while (after > before && !keyCharacter.test(line[after - 1] ?? '')) after--
    while (line.slice(before, after).endsWith('\\n') || line.slice(before, after).endsWith('\\r')) after -= 2
    if (after > before) hidden.push({ start: at + before, end: at + after })
    at = lineEnd + 1
  }
  return hidden
}

/** A line of a key, whatever stands around it: at least so much of it is base64, or it is a header such as `DEK-Info`. */
const keyLine =
  /^(?:[^A-Za-z0-9+/=\n]{0,40}|\+|\/\/|\d{1,6}(?=[^A-Za-z0-9+/=\n])){0,4}(?:[A-Za-z0-9+/]{16,}={0,2}(?: [A-Za-z0-9+/]{1,}={0,2}){0,1000}|[A-Za-z0-9+/]{1,76}={1,2}|=[A-Za-z0-9+/]{4}|(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?.{0,100})?[^A-Za-z0-9+/=\n]{0,40}$/

/** The last line of an unpadded key may be short; only behind a full one is it taken for one. */
const shortLine =
  /^(?:[^A-Za-z0-9+/=\n]{0,40}|\+|\/\/|\d{1,6}(?=[^A-Za-z0-9+/=\n])){0,4}[A-Za-z0-9+/]{1,15}[^A-Za-z0-9+/=\n]{0,40}$/

const header = /(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?[^\n]{0,100}/g
const piece = /[A-Za-z0-9+/=]{6,}/g

/** Code that looks for keys has both lines too, with something else in between. */
function isKeyBody(body: string): boolean {
  const rest = body.replace(header, '')
  const drawn = (rest.match(piece) ?? []).filter((run) => /[a-z][A-Z]|[A-Z][a-z]?[A-Z]|\d|[+/]/.test(run))
  const length = rest.replace(/\s/g, '').length
  return length > 0 && drawn.reduce((sum, run) => sum + run.length, 0) >= length * 0.5
}

/** Line breaks that are written out keep the whole key on one line. */
function isWrittenOut(line: string): boolean {
  return line.includes('\\n') && /[A-Za-z0-9+/]{32}/.test(line)
}

/** A key whose last line is missing ends where lines stop to look like one. */
function bodyAfter(text: string, start: number, limit: number): TextRange {
  let at = start
  while (at < limit) {
    const lineEnd = Math.min(endOfLine(text, at), limit)
    const line = text.slice(at, lineEnd)
    if (!isWrittenOut(line) && !keyLine.test(line)) {
      if (shortLine.test(line) && at > start) at = lineEnd
      break
    }
    at = lineEnd + 1
  }
  return { start, end: Math.min(at, limit, text.length) }
}

/** The same from the last line upwards, for a text that begins in the middle of a key. */
function bodyBefore(text: string, earliest: number, end: number): TextRange {
  const farthest = Math.max(earliest, end - longestBlock)
  const least = farthest + text.slice(farthest, end).lastIndexOf(boundary) + 1
  let start = end
  // What stands before the last line's first character on its own line belongs to it: an indent, a comment sign.
  for (let lineEnd = end, behind = 0; lineEnd > least; behind++) {
    const lineStart = Math.max(text.lastIndexOf('\n', lineEnd - 1) + 1, least)
    const line = text.slice(lineStart, lineEnd)
    if (!keyLine.test(line) && !isWrittenOut(line) && !(behind === 1 && shortLine.test(line))) break
    start = lineStart
    lineEnd = lineStart - 1
  }
  return { start, end }
}

/** Never beyond the text. */
function beforeBoundary(text: string, from: number, limit: number): number {
  const found = text.slice(from, limit).indexOf(boundary)
  return found < 0 ? Math.min(limit, text.length) : from + found
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found < 0 ? text.length : found
}
