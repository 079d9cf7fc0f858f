/** `duplicate-of`: both ranges are read again and compared token by token. */
import { type ClaimCheck, confirmed, refuted, unverifiable } from '../contract.ts'

/** Fewer tokens than this are alike by accident. */
const fewestTokens = 12
/** Share of token triples that both ranges have; a copy with renamed variables stays well above it. */
const alike = 0.7
const unlike = 0.5
/** Code with its names blanked is alike sooner, so it must be more alike. */
const blankPenalty = 0.1

export const checkDuplicateOf: ClaimCheck<'duplicate-of'> = async (claim, { sources }) => {
  const { path, line, endLine, otherPath, otherLine, otherEndLine } = claim
  if (path === otherPath && line <= otherEndLine && otherLine <= endLine)
    return refuted('The two places overlap: it is the same code')
  const [here, there] = await Promise.all([sources.lines('new', path), sources.lines('new', otherPath)])
  if (!here || endLine < line || here.length < endLine)
    return refuted(`\`${path}\` has no lines ${line}-${endLine}`)
  if (!there || otherEndLine < otherLine || there.length < otherEndLine)
    return refuted(`\`${otherPath}\` has no lines ${otherLine}-${otherEndLine}`)
  const mine = tokens(here.slice(line - 1, endLine), path)
  const theirs = tokens(there.slice(otherLine - 1, otherEndLine), otherPath)
  if (Math.min(mine.length, theirs.length) < fewestTokens)
    return refuted('The two places are too short to tell')
  const share = Math.max(likeness(mine, theirs), likeness(mine.map(blank), theirs.map(blank)) - blankPenalty)
  const percent = `${Math.round(share * 100)} %`
  if (share >= alike) return confirmed(`comparing both places: ${percent} alike`)
  return share < unlike
    ? refuted(`The two places are only ${percent} alike`)
    : unverifiable(`The two places are ${percent} alike, names counted`)
}

/** Comments behind code are left out as those on lines of their own are: words would make a copy look different. */
function tokens(lines: readonly string[], path: string): string[] {
  const comment = /\.(?:pyi?|rb|sh|bash|pl|exs?)$/.test(path) ? /\s#/ : /\s\/[/*]/
  return lines.flatMap((line) => {
    const whole = line.trim()
    const [code = ''] = whole.split(comment, 1)
    if (/^(?:\/\/|\/?\*|#(?!\[)|--\s)/.test(code)) return []
    return code.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? []
  })
}

function blank(token: string): string {
  return /^[\p{L}_$]/u.test(token) ? 'name' : /^\p{N}/u.test(token) ? '0' : token
}

/** Dice's coefficient over triples of tokens, counted with repetition: 1 for equal sequences, 0 for nothing shared. */
function likeness(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>()
  const triples = (list: readonly string[]) => list.slice(2).map((_, at) => list.slice(at, at + 3).join(' '))
  const [left, right] = [triples(a), triples(b)]
  for (const triple of left) counts.set(triple, (counts.get(triple) ?? 0) + 1)
  let shared = 0
  for (const triple of right) {
    const rest = counts.get(triple) ?? 0
    if (rest > 0) {
      shared++
      counts.set(triple, rest - 1)
    }
  }
  return (2 * shared) / (left.length + right.length)
}
