/** Tests that ran before this change and are skipped now. */
import type { DiffLine } from '../../../domain/change-set.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import { changedLines } from '../changed-lines.ts'
import { isComment, type TestFile } from './test-files.ts'

const javascript =
  /(?:^|[^\w.$])(?:(?:it|test|describe|context|suite)\.skip(?:\.each)?\s*[.(`]|x(?:it|test|describe|context)\s*\()/

/** Unconditional skips only: `skipif`, `skipIf` and `DisabledOnOs` depend on where the test runs. */
const patterns: Readonly<Record<string, RegExp>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  python: /^\s*@(?:pytest\.mark\.skip|unittest\.skip|skip)(?:\(|\s*$)|^\s*(?:pytest\.skip|self\.skipTest)\(/,
  go: /^\s*\w+\.Skip(?:f|Now)?\(/,
  rust: /^\s*#\[ignore\b/,
  java: /^\s*@(?:Disabled|Ignore)\b/,
}

/** Calls inside the body, which skip only what comes after them, so they must come first. */
const inBody = /^\s*(?:pytest\.skip|self\.skipTest|\w+\.Skip(?:f|Now)?)\(/

export type SkippedTest = {
  test: TestFile
  /** As it ran. */
  before: CodeSymbol
  /** The added line that skips it. */
  line: DiffLine
  /** Its lines at the head, 1-based and inclusive. */
  range: { from: number; to: number }
}

/** Those that the change skips without a word: what it explains, people decide about. */
export function findSkippedTests(test: TestFile): SkippedTest[] {
  const { file, language } = test
  const pattern = patterns[language]
  if (!pattern || !test.before || !test.after) return []
  const isSkip = ({ text }: DiffLine) => !isComment(text, language) && pattern.test(text)
  const removed = changedLines(file, 'old', 1, Number.POSITIVE_INFINITY).filter(isSkip)
  const added = changedLines(file, 'new', 1, Number.POSITIVE_INFINITY).filter(isSkip)
  const found = added.flatMap((line) => {
    const met = testAt(line, test)
    const wasSkipped = removed.some(({ old }) => met && isOf(met.before, old ?? 0))
    return met && !wasSkipped && !isExplained(line, test) ? [{ test, line, ...met }] : []
  })
  // A skip that only moved or was rewritten skips no more than before.
  return found.length > removed.length ? found : []
}

/** A reason in the mark or the call; what a comment says does not count. JavaScript has no place for one: the string is the title. */
const reason = /(?:\breason\s*=|[(=]\s*["'`])/

function isExplained({ text }: DiffLine, { language }: TestFile): boolean {
  return patterns[language] !== javascript && reason.test(text)
}

/** The test that the line skips, or null when it is new. */
function testAt(line: DiffLine, test: TestFile): Pick<SkippedTest, 'before' | 'range'> | null {
  const number = line.new ?? 0
  const pair = test.pairs.findLast(({ after }) => isOf(after, number))
  if (pair && comesFirst(line, pair.after, test))
    return { before: pair.before, range: { from: pair.after.startLine, to: pair.after.endLine } }
  // The index does not see `xit` as a test, but the line still has its title.
  const before = test.gone.find(({ name }) => name.length > 2 && line.text.includes(name))
  return before ? { before, range: { from: number, to: number } } : null
}

function isOf({ startLine, endLine }: CodeSymbol, line: number): boolean {
  return startLine <= line && line <= endLine
}

/** True for marks on the test itself, and for calls before any other statement of its body. */
function comesFirst(
  { new: number, text }: DiffLine,
  symbol: CodeSymbol,
  { after, language }: TestFile,
): boolean {
  if (number === null || !after) return false
  if (!inBody.test(text)) return number <= symbol.nameLine
  const before = after.lines.slice(symbol.nameLine, number - 1)
  return before.every(
    (line) =>
      isComment(line, language) || /^(?:[{)].*|"""[^"]*"""|t\.(?:Helper|Parallel)\(\))$/s.test(line.trim()),
  )
}
