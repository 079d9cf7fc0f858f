/** Secrets in base64 or hexadecimal: a long run that decodes to text is searched as that text, and hidden whole. */
import type { SecretMatch, TextRange } from './contract.ts'
import { withoutLineFeeds } from './decoded-views.ts'

/** `password=` and twelve characters. */
const leastRun = 28
const longestRun = 100_000
/** So many bytes of it tell whether it is text: of random ones hardly any are. */
const probeBytes = 15

/** A line of base64 that goes on in the next one, as `base64` and Kubernetes wrap it. */
const run =
  /[A-Za-z0-9+/_-]{28,}(?:["'`]?[ \t]{0,4}[+\\,]?[ \t]{0,4}\r?\n[ \t]{0,80}["'`]?[A-Za-z0-9+/_-]{4,}(?![\w:+/-])){0,2000}={0,2}/y

const isRunCharacter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

export function findEncoded(text: string, search: (decoded: string) => SecretMatch[]): SecretMatch[] {
  return longRuns(text).flatMap(({ start, end }) => {
    const decoded = decode(text.slice(start, Math.min(end, start + longestRun)))
    if (decoded === null) return []
    const secrets = search(decoded)
    const [first] = secrets
    if (!first) return []
    return [
      {
        kind: first.kind,
        value: text.slice(start, end),
        start,
        end,
        certain: secrets.some(({ certain }) => certain),
        local: secrets.every(({ local }) => local),
        hidden: withoutLineFeeds(text, { start, end }).map((part) => withoutFrame(text, part)),
      },
    ]
  })
}

/** Looks at every 28th character only, since each run has one of those. */
function longRuns(text: string): TextRange[] {
  const runs: TextRange[] = []
  const isPart = (at: number) => isRunCharacter[text.charCodeAt(at)] === 1
  let least = 0
  for (let at = leastRun - 1; at < text.length; at = least + leastRun - 1) {
    let start = at + 1
    while (start > least && isPart(start - 1)) start--
    least = at + 1
    if (start > at) continue
    while (least - start < leastRun && isPart(least)) least++
    if (least - start < leastRun) continue
    run.lastIndex = start
    least = start + (run.exec(text)?.[0].length ?? leastRun)
    runs.push({ start, end: least })
  }
  return runs
}

/** Indents and quotes of a wrapped line stay. */
function withoutFrame(text: string, { start, end }: TextRange): TextRange {
  const line = text.slice(start, end)
  const before = /^[\s"'`]*/.exec(line)?.[0].length ?? 0
  return { start: start + before, end: Math.max(start + before, end) }
}

/** Null for what decodes to no text. */
function decode(encoded: string): string | null {
  const digits = encoded.replace(/^[+/_-]+|[^0-9a-f]/gi, '')
  if (digits.length > encoded.length / 2 && isText(Buffer.from(digits.slice(0, 40), 'hex')))
    return printable(Buffer.from(digits, 'hex'))
  const probe = encoded.slice(0, 40)
  // What stands before it may be taken for a part of it: a path, a name.
  for (let skip = 0; skip < 4; skip++)
    if (isText(Buffer.from(probe.slice(skip, skip + 24), 'base64')))
      return printable(Buffer.from(encoded.slice(skip).replace(/[^A-Za-z0-9+/_-]/g, ''), 'base64'))
  return null
}

function isText(bytes: Buffer): boolean {
  if (bytes.length < probeBytes) return false
  return bytes.every((byte) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13)
}

function printable(bytes: Buffer): string {
  return bytes.toString('latin1')
}
