/**
 * Assertions that a change takes out of a test that stays. Only where the test loses assertions and gains no code:
 * anything else may be the same check said in another way.
 */
import type { DiffLine } from '../../../domain/change-set.ts'
import { changedLines } from '../changed-lines.ts'
import { codeTokens } from '../code-tokens.ts'
import { isAssertion, isComment, isSilencedAssertion } from './assertion-words.ts'
import type { TestFile, TestPair } from './test-files.ts'

export type RemovedAssertions = {
  test: TestFile
  pair: TestPair
  /** The lines of the base that are gone, in order. */
  lines: readonly DiffLine[]
  /** The same words stand there as a comment now. */
  isSilenced: boolean
  /** Assertions left in the test. */
  left: number
}

/** Innermost tests only: what a suite loses is told by the test that loses it. */
export function findRemovedAssertions(test: TestFile): RemovedAssertions[] {
  const { file, language, after, pairs } = test
  if (!after) return []
  const standing = new Set(after.lines.map((line) => line.trim()))
  return pairs.flatMap((pair) => {
    const { before: was, after: is } = pair
    if (pairs.some((other) => other !== pair && isWithin(other, pair))) return []
    const removed = changedLines(file, 'old', was.startLine, was.endLine)
    const added = changedLines(file, 'new', is.startLine, is.endLine)
    const lines = removed.filter(({ text }) => !isComment(text, language))
    if (lines.length === 0 || !added.every(({ text }) => isComment(text, language))) return []
    if (!areAssertions(lines, language)) return []
    const body = after.lines.slice(is.startLine - 1, is.endLine)
    // Said twice before and once now, or in another test now.
    if (lines.every(({ text }) => standing.has(text.trim()))) return []
    const left = body.filter((line) => isAssertion(line, language)).length
    const isSilenced = added.some(({ text }) => isSilencedAssertion(text, language))
    return [{ test, pair, lines, isSilenced, left }]
  })
}

function isWithin({ after: inner }: TestPair, { after: outer }: TestPair): boolean {
  return outer.startLine <= inner.startLine && inner.endLine <= outer.endLine
}

/** Every line begins an assertion or stands inside the brackets of the one before it. */
function areAssertions(lines: readonly DiffLine[], language: string): boolean {
  let depth = 0
  let last = Number.NEGATIVE_INFINITY
  for (const { text, old } of lines) {
    const continues = (depth > 0 || /^\s*\./.test(text)) && old === last + 1
    if (!continues && !isAssertion(text, language)) return false
    const words = codeTokens(text, language)
    if (!continues) depth = 0
    depth += count(words, '([{') - count(words, ')]}')
    last = old ?? last
  }
  return depth <= 0
}

function count(words: readonly string[], signs: string): number {
  return words.filter((word) => word.length === 1 && signs.includes(word)).length
}
