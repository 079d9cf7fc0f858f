/**
 * Globs over paths, matched in time linear in the path: `*`, `**`, `?`, `[a-z]`, `{a,b}`, `@(a|b)` `?(…)` `*(…)`
 * `+(…)`, and a leading `!` for everything else. Files that begin with a dot are like all others. Globs come from
 * repositories, and paths from strangers, so no pattern may backtrack.
 */
import { RE2JS } from 're2js'

export type PathMatcher = (path: string) => boolean

const longestGlob = 1_000
const deepestNesting = 8

/** True for a path that at least one of the globs matches; never for none. A glob that cannot be read matches nothing. */
export function matchGlobs(globs: readonly string[]): PathMatcher {
  const plain = globs.filter((glob) => !isNegated(glob)).flatMap((glob) => translate(glob) ?? [])
  const negated = globs.filter(isNegated).flatMap((glob) => translate(glob.slice(1)) ?? [])
  const matchers = [
    ...(plain.length > 0 ? [compile(plain)] : []),
    ...negated.map((pattern): PathMatcher => {
      const matches = compile([pattern])
      return (path) => !matches(path)
    }),
  ]
  return (path) => matchers.some((matches) => matches(path))
}

/** The same for a changed file: it matches if both of its paths do, so that moving code to such a place hides nothing. */
export function matchChanged(
  globs: readonly string[],
): (file: { path: string; oldPath: string | null }) => boolean {
  const matches = matchGlobs(globs)
  return ({ path, oldPath }) => matches(path) && matches(oldPath ?? path)
}

function isNegated(glob: string): boolean {
  return glob.startsWith('!') && !glob.startsWith('!(')
}

function compile(patterns: readonly string[]): PathMatcher {
  const compiled = RE2JS.compile(`\\A(?:${patterns.join('|')})\\z`, RE2JS.DOTALL)
  return (path) => compiled.test(path)
}

/** The glob as a pattern for the engine, or null. */
function translate(glob: string): string | null {
  if (glob.length > longestGlob) return null
  const pattern = translatePart(glob.replace(/^\.\//, ''), 0)
  try {
    RE2JS.compile(pattern)
    return pattern
  } catch {
    return null
  }
}

function translatePart(glob: string, depth: number): string {
  let pattern = ''
  for (let at = 0; at < glob.length; ) {
    const piece = stars(glob, at) ?? list(glob, at) ?? group(glob, at, depth) ?? single(glob, at)
    pattern += piece.pattern
    at += piece.length
  }
  return pattern
}

type Piece = { pattern: string; length: number }

/** `**` crosses folders where it stands alone between slashes; elsewhere it is a `*`. `a/**` is `a` too. */
function stars(glob: string, at: number): Piece | null {
  if (glob.endsWith('/**') && at === glob.length - 3) return { pattern: '(?:/.*)?', length: 3 }
  if (glob[at] !== '*' || glob[at + 1] === '(') return null
  let end = at
  while (glob[end] === '*') end++
  const alone = end - at > 1 && (at === 0 || glob[at - 1] === '/')
  if (alone && glob[end] === '/') return { pattern: '(?:.*/)?', length: end + 1 - at }
  if (alone && end === glob.length) return { pattern: '.*', length: end - at }
  return { pattern: '[^/]*', length: end - at }
}

/** `[a-z]`, `[!a-z]`. */
function list(glob: string, at: number): Piece | null {
  const match = /^\[([!^]?)(\]?[^\]/]+)\]/.exec(glob.slice(at))
  if (!match) return null
  const [whole, not = '', inner = ''] = match
  const members = inner.replace(/[\\[\]^&~]/g, '\\$&')
  return { pattern: not ? `[^/${members}]` : `[${members}]`, length: whole.length }
}

/** `{a,b}` and `@(a|b)` with their relatives. */
function group(glob: string, at: number, depth: number): Piece | null {
  const isBrace = glob[at] === '{'
  const quantifier = { '@': '', '?': '?', '*': '*', '+': '+' }[glob[at] ?? '']
  if (!isBrace && (quantifier === undefined || glob[at + 1] !== '(')) return null
  if (depth >= deepestNesting) return null
  const start = isBrace ? at + 1 : at + 2
  const inner = split(glob, start, isBrace ? ',' : '|', isBrace ? '}' : ')')
  // `{a}` is a name with braces in it.
  if (!inner || (isBrace && inner.parts.length < 2)) return null
  const choices = inner.parts.map((part) => translatePart(part, depth + 1)).join('|')
  return { pattern: `(?:${choices})${quantifier ?? ''}`, length: inner.end + 1 - at }
}

/** The parts up to the closing bracket; null when there is none. Brackets inside belong to the parts. */
function split(
  glob: string,
  from: number,
  comma: string,
  close: string,
): { parts: string[]; end: number } | null {
  const parts: string[] = []
  let [depth, start] = [0, from]
  for (let at = from; at < glob.length; at++) {
    const sign = glob[at]
    if (sign === '\\') at++
    else if (depth === 0 && sign === close) return { parts: [...parts, glob.slice(start, at)], end: at }
    else if (sign === '{' || sign === '(') depth++
    else if (sign === '}' || sign === ')') depth--
    else if (depth === 0 && sign === comma) {
      parts.push(glob.slice(start, at))
      start = at + 1
    }
  }
  return null
}

function single(glob: string, at: number): Piece {
  if (glob[at] === '?') return { pattern: '[^/]', length: 1 }
  const escaped = glob[at] === '\\' && at + 1 < glob.length
  const point = glob.codePointAt(escaped ? at + 1 : at) ?? 0
  const sign = String.fromCodePoint(point)
  return { pattern: RE2JS.quote(sign), length: sign.length + (escaped ? 1 : 0) }
}
