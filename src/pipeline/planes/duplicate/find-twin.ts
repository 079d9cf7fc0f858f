/** Compares a new function with those of other files and finds the one it repeats. */
import type { FileFacts } from '../../../code-index/contract.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { FileText } from '../../../domain/snapshot.ts'
import { likeness, type Shape, sameWords, shapeOf } from './shape.ts'
import { isComparable, type Subject, standsAlone } from './subjects.ts'

export type HeadFile = FileText & { path: string; facts: FileFacts; lines: readonly string[] }

export type Twin = { file: HeadFile; symbol: CodeSymbol; likeness: number }

const alike = 0.9
/** Copies differ in a word or two; functions that do one thing to several kinds of things differ in more. */
const sameSpeech = 0.97
/** Methods of one name in several classes are alike by design; longer ones could share a helper. */
const designedTokens = 100

/** The most alike function of `files`, or null. `isNew` tells functions that this change brings itself. */
export function findTwin(
  subject: Subject,
  files: readonly HeadFile[],
  isNew: (path: string, symbol: CodeSymbol) => boolean,
): Twin | null {
  let best: Twin | null = null
  for (const file of files)
    for (const [index, symbol] of file.facts.symbols.entries()) {
      if (
        !isComparable(symbol) ||
        !standsAlone(file.facts, index) ||
        isNew(file.path, symbol) ||
        isRelated(subject, file.path, symbol)
      )
        continue
      const score = compare(subject, file, symbol)
      if (score >= alike && score > (best?.likeness ?? 0)) best = { file, symbol, likeness: score }
    }
  return best
}

function compare({ symbol, shape, facts }: Subject, file: HeadFile, other: CodeSymbol): number {
  if (symbol.bodyHash === other.bodyHash && facts.language === file.facts.language) return 1
  const lines = (one: CodeSymbol) => one.endLine - one.nameLine + 1
  if (lines(other) > 2 * lines(symbol) || lines(symbol) > 2 * lines(other)) return 0
  const theirs: Shape = shapeOf(other, file.facts, file.lines)
  const [small, large] = [shape.tokens.length, theirs.tokens.length].sort((a, b) => a - b)
  if ((small ?? 0) < 0.8 * (large ?? 0) || sameWords(shape, theirs) < sameSpeech) return 0
  return likeness(shape, theirs)
}

/** One around the other, overloads and variants in one file, or short methods that several classes implement. */
function isRelated({ file, symbol, shape }: Subject, path: string, other: CodeSymbol): boolean {
  const isSameName = symbol.name === other.name
  if (file.path === path) {
    if (symbol.startLine <= other.endLine && other.startLine <= symbol.endLine) return true
    if (isSameName) return true
  }
  return isSameName && symbol.kind === 'method' && shape.bodyTokens < designedTokens
}
