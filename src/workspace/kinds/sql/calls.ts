/** Calls in the text of a file with their arguments as written, for libraries whose migrations are calls. */

export type CallText = {
  name: string
  /** What is before the last dot: `op`, `table`, `migrations`; empty for none. */
  receiver: string
  args: readonly string[]
  start: number
  /** Behind its last argument. */
  end: number
}

/** Of one call, and of one file. */
export const longestCall = 20_000
const mostCalls = 3_000

/** Calls with brackets. `called` is a global pattern with two groups: receiver and name. */
export function callsIn(text: string, called: RegExp): CallText[] {
  return readCalls(text, called, ')')
}

/** Ruby's calls without brackets: to the end of the line, or further where it ends in a comma. */
export function commandsIn(text: string, called: RegExp): CallText[] {
  return readCalls(text, called, '\n')
}

function readCalls(text: string, called: RegExp, close: ')' | '\n'): CallText[] {
  const found: CallText[] = []
  let last = 0
  for (const match of text.matchAll(called)) {
    // Text in the arguments of a call belongs to that call.
    if (match.index < last) continue
    const from = match.index + match[0].length
    const { args, end } = splitArguments(text.slice(from, from + longestCall), close)
    found.push({ receiver: match[1] ?? '', name: match[2] ?? '', args, start: match.index, end: from + end })
    last = from + end
    if (found.length >= mostCalls) break
  }
  return found
}

/** `{`, `[` and `(` may hold commas, and quotes may hold everything. */
function splitArguments(text: string, close: ')' | '\n'): { args: string[]; end: number } {
  const args: string[] = []
  let depth = 0
  let from = 0
  let at = 0
  for (; at < text.length; at++) {
    const char = text[at] ?? ''
    if (
      depth === 0 &&
      char === close &&
      !(close === '\n' && /,\s*$/.test(text.slice(Math.max(0, at - 20), at)))
    )
      break
    if (close === '\n' && depth === 0 && text.startsWith(' do ', at)) break
    if ('"\'`'.includes(char)) at = endOfQuote(text, at, char)
    else if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    else if (char === ',' && depth === 0) {
      args.push(text.slice(from, at).trim())
      from = at + 1
    }
    if (depth < 0) break
  }
  const last = text.slice(from, at).trim()
  return { args: last === '' ? args : [...args, last], end: at }
}

function endOfQuote(text: string, at: number, quote: string): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === quote) return i
  }
  return text.length
}

/** `'a'`, `"a"` or `:a`; null for anything that is not written out. */
export function literal(argument: string | undefined): string | null {
  const [, , quoted, symbol] = /^(?:[ub]?(['"`])([^'"`\\]*)\1|:(\w+))$/.exec(argument ?? '') ?? []
  return quoted ?? symbol ?? null
}

/** The value of `name=`, `name:` or `:name =>`. */
export function option(args: readonly string[], name: string): string | null {
  for (const one of args) {
    const [, key, value] = /^(?::?(\w+)['"]?\s{0,5}(?:=>|[=:])\s{0,5})([\s\S]*)$/.exec(one) ?? []
    if (key === name && value !== undefined) return value.trim()
  }
  return null
}
