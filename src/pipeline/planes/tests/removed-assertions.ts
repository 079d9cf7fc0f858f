/**
 * Assertions that a change removes from a test that stays. Only where the test gains no code: otherwise the same check may
 * just be written differently.
 */

import { codeTokens } from '../../../code-index/lexical/code-tokens.ts'
import type { ChangeSet, DiffLine } from '../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { changedLines } from '../changed-lines.ts'
import { isAssertion, isComment, isSilencedAssertion, type TestFile, type TestPair } from './test-files.ts'

export type RemovedAssertions = {
  test: TestFile
  pair: TestPair
  /** The removed lines, in order. */
  lines: readonly DiffLine[]
  /** They were commented out. */
  isSilenced: boolean
  /** Assertions left in the test. */
  left: number
}

/** Innermost tests only: a suite loses what one of its tests loses. */
export function findRemovedAssertions(test: TestFile): RemovedAssertions[] {
  const { file, language, after, pairs } = test
  if (!after) return []
  const present = new Set(after.lines.map((line) => line.trim()))
  return pairs.flatMap((pair) => {
    const { before: was, after: is } = pair
    if (pairs.some((other) => other !== pair && isWithin(other, pair))) return []
    const removed = changedLines(file, 'old', was.startLine, was.endLine)
    const added = changedLines(file, 'new', is.startLine, is.endLine)
    const lines = removed.filter(({ text }) => !isComment(text, language))
    if (lines.length === 0 || !added.every(({ text }) => isComment(text, language))) return []
    if (!areAssertions(lines, language)) return []
    const body = after.lines.slice(is.startLine - 1, is.endLine)
    // Still present: there were two before, or they moved to another test.
    if (lines.every(({ text }) => present.has(text.trim()))) return []
    const left = body.filter((line) => isAssertion(line, language)).length
    const isSilenced = added.some(({ text }) => isSilencedAssertion(text, language))
    return [{ test, pair, lines, isSilenced, left }]
  })
}

function isWithin({ after: inner }: TestPair, { after: outer }: TestPair): boolean {
  return outer.startLine <= inner.startLine && inner.endLine <= outer.endLine
}

/** Every line begins an assertion or continues the one before it. */
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

/** Words searched for at once. */
const mostWords = 200

type SubjectCheck = (lines: readonly DiffLine[], language: string) => boolean

/** Whether the code that assertions are about still exists, so that they did not just go with it. One search for all. */
export async function openSubjectCheck(
  change: ChangeSet,
  head: RepoSnapshot,
  removed: readonly { lines: readonly DiffLine[]; language: string }[],
): Promise<SubjectCheck> {
  const words = [...new Set(removed.flatMap(({ lines, language }) => namesIn(lines, language)))]
  const files = words.length > 0 ? await head.filesWithWords(words.slice(0, mostWords)) : new Map()
  const removedWords = wordsRemovedFromCode(change, new Set(removed.flatMap(({ lines }) => lines)))
  return (lines, language) => {
    const names = namesIn(lines, language)
    const isKnown = names.every((name) => (files.get(name)?.length ?? 0) > 0)
    return isKnown && ![...names, ...wordsInStrings(lines, language)].some((word) => removedWords.has(word))
  }
}

function namesIn(lines: readonly DiffLine[], language: string): string[] {
  return tokensOf(lines, language).filter((word) => /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u.test(word))
}

function wordsInStrings(lines: readonly DiffLine[], language: string): string[] {
  return tokensOf(lines, language)
    .filter((word) => /^["'`]/.test(word))
    .flatMap((word) => word.match(/[\p{L}\p{N}_$-]{3,}/gu) ?? [])
}

function tokensOf(lines: readonly DiffLine[], language: string): string[] {
  return codeTokens(lines.map(({ text }) => text).join('\n'), language)
}

/** Words of removed lines of code other than the assertions that no added line has. */
function wordsRemovedFromCode({ files }: ChangeSet, assertions: ReadonlySet<DiffLine>): ReadonlySet<string> {
  const of = (kind: DiffLine['kind']) =>
    files
      .filter(({ role }) => role !== 'test' && role !== 'docs')
      .flatMap(({ hunks }) =>
        hunks.flatMap(({ lines }) => lines.filter((line) => line.kind === kind && !assertions.has(line))),
      )
      .flatMap(({ text }) => text.match(/[\p{L}\p{N}_$-]{3,}/gu) ?? [])
  const added = new Set(of('added'))
  return new Set(of('removed').filter((word) => !added.has(word)))
}
