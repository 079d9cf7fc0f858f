/** The tokens of a piece of code in order, without comments and white space; a string is one token. Linear in its length. */

/** Longer pieces are read by their beginning. */
const longestText = 200_000

const hash = '#[^\\n]*'
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
const readers: Readonly<Record<string, RegExp>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: reader(hash, tripleQuoted, quoted, singleQuoted),
  go: reader(slashes, quoted, character, rawQuoted),
  rust: reader(slashes, quoted, character),
  java: reader(slashes, `"""(?:[\\s\\S]*?"""|[\\s\\S]*)`, quoted, character),
}

export function codeTokens(text: string, language: string): string[] {
  const found: string[] = []
  for (const match of text.slice(0, longestText).matchAll(readers[language] ?? script))
    if (match[1] === undefined) found.push(match[0])
  return found
}

/** Comments first, as group 1, to be skipped. */
function reader(comments: string, ...strings: string[]): RegExp {
  return new RegExp(`(${comments})|${[...strings, plain].join('|')}`, 'gu')
}
