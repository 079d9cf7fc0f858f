/** What is code, comment and string in a text, without parsing it. Linear in its length. */

/** Longer pieces are read by their beginning. */
const longestText = 200_000

const hash = '#[^\\n]*'
/** Not that of `${x#y}`, `${#x}` and `$#`. */
const shellHash = '(?<![^\\s;&|()`])#[^\\n]*'
/** Not that of an attribute. */
const phpHash = '#(?!\\[)[^\\n]*'
const slashes = '//[^\\n]*|/\\*(?:[\\s\\S]*?\\*/|[\\s\\S]*)'
const quoted = '"(?:[^"\\\\\\n]|\\\\[\\s\\S])*"?'
const singleQuoted = "'(?:[^'\\\\\\n]|\\\\[\\s\\S])*'?"
/** One character; anything else after a quote is a lifetime. */
const character = "'(?:[^'\\\\\\n]|\\\\[^\\n]{1,10}?)'"
const tripleQuoted = '"""(?:[\\s\\S]*?"""|[\\s\\S]*)|\'\'\'(?:[\\s\\S]*?\'\'\'|[\\s\\S]*)'
const backQuoted = '`(?:[^`\\\\]|\\\\[\\s\\S])*`?'
const rawQuoted = '`[^`]*`?'
const plain = '[\\p{L}_$][\\p{L}\\p{N}_$]*|\\p{N}[\\p{L}\\p{N}_.]*|=>|[=!<>+\\-*/%&|^]=+|&&|\\|\\||[^\\s]'

const script = reader(slashes, quoted, singleQuoted, backQuoted)
const shell = reader(shellHash, quoted, singleQuoted)
const braces = reader(slashes, quoted, character)
const readers: Readonly<Record<string, RegExp>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: reader(hash, tripleQuoted, quoted, singleQuoted),
  go: reader(slashes, quoted, character, rawQuoted),
  rust: reader(slashes, quoted, character),
  java: reader(slashes, `"""(?:[\\s\\S]*?"""|[\\s\\S]*)`, quoted, character),
  c: braces,
  cpp: braces,
  csharp: braces,
  kotlin: braces,
  scala: braces,
  swift: braces,
  bash: shell,
  ruby: reader(hash, quoted, singleQuoted),
  php: reader(`${phpHash}|${slashes}`, quoted, singleQuoted),
}

/** The tokens in order, without comments and white space; a string is one token. */
export function codeTokens(text: string, language: string): string[] {
  const found: string[] = []
  for (const match of text.slice(0, longestText).matchAll(readers[language] ?? script))
    if (match[1] === undefined) found.push(match[0])
  return found
}

export type Quiet = { kind: 'comment' | 'string'; start: number; end: number }

/** Comments and strings in order; one that never ends is left out, since it is probably neither. */
export function quietRanges(text: string, language: string): Quiet[] {
  const found: Quiet[] = []
  for (const match of text.matchAll(readers[language] ?? script)) {
    const [token, comment] = match
    const start = match.index
    const end = start + token.length
    if (comment !== undefined && !(comment.startsWith('/*') && !comment.endsWith('*/')))
      found.push({ kind: 'comment', start, end })
    else if (
      comment === undefined &&
      token.length > 1 &&
      /^["'`]/.test(token) &&
      token.endsWith(token.charAt(0))
    )
      found.push({ kind: 'string', start, end })
  }
  return found
}

/** Comments first, as group 1, to be skipped. */
function reader(comments: string, ...strings: string[]): RegExp {
  return new RegExp(`(${comments})|${[...strings, plain].join('|')}`, 'gu')
}
