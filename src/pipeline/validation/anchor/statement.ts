/** Whether two neighbouring lines belong to one statement, judged by brackets, operators and indentation. */

/** Open brackets further up than this are not looked for. */
const reach = 40

/** True when `lines[upper + 1]` goes on with the statement that `lines[upper]` is part of. */
export function continuesStatement(lines: readonly string[], upper: number): boolean {
  const above = lines[upper]?.trim() ?? ''
  const below = lines[upper + 1]?.trim() ?? ''
  if (above === '' || below === '') return false
  if (openBrackets(lines, upper) > 0) return true
  if (endsOpen(above) || startsAsContinuation(below)) return true
  return indentation(lines[upper + 1]) > indentation(lines[upper]) && !opensBlock(above) && !endsClosed(above)
}

/** Round and square brackets still open after `lines[last]`; curly ones are blocks more often than not. */
function openBrackets(lines: readonly string[], last: number): number {
  let open = 0
  for (let at = Math.max(0, last - reach); at <= last; at++) {
    for (const character of withoutStrings(lines[at] ?? '')) {
      if (character === '(' || character === '[') open++
      else if (character === ')' || character === ']') open = Math.max(0, open - 1)
    }
  }
  return open
}

/** An unclosed one is matched to its end too and kept: to start again at every quotation mark would be quadratic. */
const strings = /"(?:[^"\\]|\\.)*("?)|'(?:[^'\\]|\\.)*('?)|`(?:[^`\\]|\\.)*(`?)/gs

function withoutStrings(line: string): string {
  return line
    .replace(strings, (text, ...ends: string[]) => (ends.slice(0, 3).some((end) => end) ? '' : text))
    .replace(/(?:\/\/|#\s).*/s, '')
}

function endsOpen(line: string): boolean {
  return /(?:[,=+*/%&|^<>?\\.]|=>|\b(?:and|or|not|in|is|return|extends|implements|from|import|export))$/.test(
    line,
  )
}

function startsAsContinuation(line: string): boolean {
  return /^(?:[.?:)\]=+*/%&|^<>]|-[^-]|&&|\|\||(?:and|or|extends|implements|where|from)\b)/.test(line)
}

function opensBlock(line: string): boolean {
  return /[{:]$/.test(line)
}

function endsClosed(line: string): boolean {
  return /[;}]$/.test(line)
}

function indentation(line: string | undefined): number {
  return /^[ \t]*/.exec(line ?? '')?.[0].length ?? 0
}
