/** The functions of a change that are new, or rewritten nearly from scratch, and long enough to be worth sharing. */
import type { FileFacts } from '../../../code-index/contract.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../../domain/code-symbol.ts'
import { changedLines } from '../changed-lines.ts'
import { type Shape, shapeOf } from './shape.ts'

export const fewestLines = 6
export const fewestBodyTokens = 40

/** Share of its lines that must be added for a changed function to count as rewritten. */
const rewritten = 0.8

export type Subject = {
  file: FileChange
  symbol: CodeSymbol
  facts: FileFacts
  shape: Shape
}

/** True for a function or method with enough lines to repeat; tests and constructors repeat for good reasons. */
export function isComparable({ kind, name, isTest, startLine, endLine }: CodeSymbol): boolean {
  return (
    (kind === 'function' || kind === 'method') &&
    !isTest &&
    !/^(?:constructor|__\w+__|init)$/.test(name) &&
    endLine - startLine + 1 >= fewestLines
  )
}

/** New symbols that may repeat something, before their text is known. */
export function newSymbols(
  symbols: readonly SymbolChange[],
  files: readonly FileChange[],
): { file: FileChange; symbol: CodeSymbol }[] {
  const byPath = new Map(files.filter(isWritten).map((file) => [file.path, file]))
  return symbols.flatMap(({ kind, after, bodyChanged }) => {
    const file = after ? byPath.get(after.path) : undefined
    if (!after || !file || !isComparable(after.symbol)) return []
    const isNew = kind === 'added' || (bodyChanged && kind !== 'moved' && isRewritten(file, after.symbol))
    return isNew ? [{ file, symbol: after.symbol }] : []
  })
}

/** False inside another function, where nobody else could call it, and inside a test. */
export function standsAlone({ symbols, parents }: FileFacts, index: number): boolean {
  for (let at = parents[index] ?? null; at !== null; at = parents[at] ?? null) {
    const around = symbols[at]
    if (around?.isTest || around?.kind === 'function' || around?.kind === 'method') return false
  }
  return true
}

/** Null when the function turns out too short, is part of another, or its text does not parse. */
export function subjectOf(
  { file, symbol }: { file: FileChange; symbol: CodeSymbol },
  facts: FileFacts,
  lines: readonly string[],
): Subject | null {
  const isBroken = facts.errorLines.some(
    (range) => range.startLine <= symbol.endLine && symbol.startLine <= range.endLine,
  )
  const index = facts.symbols.findIndex(
    ({ name, startLine, nameLine }) =>
      name === symbol.name && startLine === symbol.startLine && nameLine === symbol.nameLine,
  )
  if (isBroken || index < 0 || !standsAlone(facts, index)) return null
  const shape = shapeOf(symbol, facts, lines)
  return shape.bodyTokens >= fewestBodyTokens ? { file, symbol, facts, shape } : null
}

function isWritten({ role, kind, status }: FileChange): boolean {
  return role === 'source' && kind === 'text' && status !== 'copied'
}

function isRewritten(file: FileChange, { startLine, endLine }: CodeSymbol): boolean {
  return changedLines(file, 'new', startLine, endLine).length >= rewritten * (endLine - startLine + 1)
}
