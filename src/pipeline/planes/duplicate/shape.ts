/** What of a function is compared: its words, with the names that only it knows numbered in order of appearance. */
import type { FileFacts } from '../../../code-index/contract.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import { codeTokens } from '../code-tokens.ts'

export type Shape = {
  /** Words behind the signature. */
  bodyTokens: number
  /** Words in order; the function's own name, its parameters and locals are numbers. */
  tokens: readonly string[]
}

/** Functions longer than this are compared by their beginning. */
const mostTokens = 5000

export function shapeOf(symbol: CodeSymbol, facts: FileFacts, lines: readonly string[]): Shape {
  const text = lines.slice(symbol.nameLine - 1, symbol.endLine).join('\n')
  const words = codeTokens(text, facts.language).slice(0, mostTokens)
  const own = ownNames(symbol, facts)
  const numbers = new Map<string, string>()
  const tokens = words.map((word, at) => {
    // Behind a dot it is a member of something, whatever it is called.
    if (!own.has(word) || words[at - 1] === '.') return word
    const number = numbers.get(word) ?? `#${numbers.size}`
    numbers.set(word, number)
    return number
  })
  const signature = codeTokens(symbol.signature.text, facts.language).length
  return { tokens, bodyTokens: Math.max(0, words.length - signature) }
}

/** Its name, its parameters, and the names that are bound inside it. */
function ownNames(symbol: CodeSymbol, { references, typedNames }: FileFacts): ReadonlySet<string> {
  const isInside = ({ line }: { line: number }) => symbol.startLine <= line && line <= symbol.endLine
  return new Set([
    symbol.name,
    ...(symbol.signature.parameters ?? []).map(({ name }) => name),
    ...references.filter((one) => one.shadowed && isInside(one)).map(({ name }) => name),
    ...typedNames.filter(isInside).map(({ name }) => name),
  ])
}

/** Dice's coefficient over triples of words: 1 for the same sequence, 0 for nothing in common. */
export function likeness(a: Shape, b: Shape): number {
  return commonShare(triples(a.tokens), triples(b.tokens))
}

/** The same over single words: low when two functions are built alike but speak of different things. */
export function sameWords(a: Shape, b: Shape): number {
  return commonShare(a.tokens, b.tokens)
}

function commonShare(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return 0
  const counts = new Map<string, number>()
  for (const item of left) counts.set(item, (counts.get(item) ?? 0) + 1)
  let common = 0
  for (const item of right) {
    const rest = counts.get(item) ?? 0
    if (rest === 0) continue
    common++
    counts.set(item, rest - 1)
  }
  return (2 * common) / (left.length + right.length)
}

function triples(tokens: readonly string[]): string[] {
  return tokens.slice(2).map((_, at) => `${tokens[at]} ${tokens[at + 1]} ${tokens[at + 2]}`)
}
