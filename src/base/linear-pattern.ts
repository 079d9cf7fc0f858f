/**
 * Compiles patterns that strangers wrote for an engine whose time grows with the text only. What such an engine cannot
 * do (look-around, back-references) is an error, never a slow match.
 */
import { RE2JS } from 're2js'
import { UserError } from './errors.ts'

export type LinearPattern = {
  readonly source: string
  /** True when the pattern matches anywhere in the text. */
  test(text: string): boolean
  /** UTF-16 offsets of every match, from left to right, without overlaps; at most `limit` of them. */
  findAll(text: string, limit: number): { start: number; end: number }[]
}

const longestPattern = 1_000

/** `where` names the file and line for the message. Throws `rule-invalid` for syntax that is wrong or not supported. */
export function compileLinear(
  source: string,
  where: string,
  options: { ignoreCase?: boolean } = {},
): LinearPattern {
  const refuse = (why: string, cause?: unknown): UserError =>
    new UserError('rule-invalid', `${where} the pattern \`${source.slice(0, 80)}\` ${why}`, { cause })
  if (source.length > longestPattern) throw refuse(`has more than ${longestPattern} characters`)
  const unsupported = unsupportedSyntax(source)
  if (unsupported) throw refuse(`uses ${unsupported}, which takes more than linear time and is not supported`)
  try {
    const compiled = RE2JS.compile(source, options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    return {
      source,
      test: (text) => compiled.matcher(text).find(),
      findAll: (text, limit) => findAll(compiled, text, limit),
    }
  } catch (error) {
    throw refuse(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}

function findAll(compiled: RE2JS, text: string, limit: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  const matcher = compiled.matcher(text)
  while (found.length < limit && matcher.find()) found.push({ start: matcher.start(), end: matcher.end() })
  return found
}

/** Named for people; the engine itself would only speak of an invalid group. */
function unsupportedSyntax(source: string): string | null {
  const plain = source.replace(/\\[^1-9k]/g, '').replace(/\[[^\]]*\]?/g, '')
  if (/\(\?<?[=!]/.test(plain)) return 'look-around'
  if (/\\(?:[1-9]|k<)/.test(plain)) return 'a back-reference'
  if (/\(\?>|[*+?}]\+/.test(plain)) return 'a possessive or atomic group'
  return null
}
