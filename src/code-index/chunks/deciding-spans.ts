/**
 * Which lines of a definition are shown: all of one that is short; of a longer one its signature, the lines that a reader
 * asks about, and those that decide what comes out of it. The first lines alone are often only parameters.
 */

/** Lines of one file, 1-based, both included. */
export type Span = { startLine: number; endLine: number }

const wholeLines = 60
/** Of a longer one at most so many. */
const mostLines = 80

const longestSignature = 12
const aroundOutcome = 1
/** Many lines to show leave each less room. */
const mostAroundFocus = 8

/** What a call comes to: the value it gives, or the error it ends with. */
const outcome = /(?:^|[^\w.$])(?:return|throw|raise|yield|panic!?|reject)\b/
/** Markup begins on the next line: what a component draws is not told by its outermost element. */
const opensMarkup = /\breturn\s{0,8}\($/
/** Not the brace of a parameter that is taken apart: `function open({`. */
const signatureEnd = /(?:[^(]\{|:|=>|=> ?[([])$/

/** `lines`: those of the whole file. `focus`: lines to show in any case. In order, apart from each other. */
export function decidingSpans(
  lines: readonly string[],
  { startLine, endLine }: Span,
  focus: readonly number[] = [],
): Span[] {
  if (endLine - startLine < wholeLines) return [{ startLine, endLine }]
  const chosen = new Set<number>()
  const choose = (from: number, to: number): void => {
    for (let line = Math.max(startLine, from); line <= Math.min(endLine, to); line++)
      if (chosen.size < mostLines) chosen.add(line)
  }
  choose(startLine, endOfSignature(lines, { startLine, endLine }))
  const asked = [...new Set(focus)].filter((line) => startLine <= line && line <= endLine)
  const beside = Math.min(mostAroundFocus, Math.floor((mostLines - chosen.size) / (2 * asked.length + 1)))
  for (const line of asked) choose(line - beside, line + beside)
  // From the end: what comes out of a function is decided there more often than in its first checks.
  for (let line = endLine; line > startLine && chosen.size < mostLines; line--)
    if (isOutcome(lines[line - 1] ?? '', lines[line] ?? ''))
      choose(line - aroundOutcome, line + aroundOutcome)
  return spansOf([...chosen])
}

function isOutcome(line: string, next: string): boolean {
  return outcome.test(line) && !(opensMarkup.test(line.trimEnd()) && next.trimStart().startsWith('<'))
}

/** Neighboring lines become one span; a single line between two of them is shown rather than left out. */
function spansOf(numbers: readonly number[]): Span[] {
  const spans: Span[] = []
  for (const line of [...numbers].sort((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last && line <= last.endLine + 2) last.endLine = line
    else spans.push({ startLine: line, endLine: line })
  }
  return spans
}

function endOfSignature(lines: readonly string[], { startLine, endLine }: Span): number {
  const last = Math.min(endLine, startLine + longestSignature - 1)
  for (let line = startLine; line <= last; line++)
    if (signatureEnd.test((lines[line - 1] ?? '').trim())) return line
  return Math.min(last, startLine + 2)
}
