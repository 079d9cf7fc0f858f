/** Calls in the text of a file with their arguments as written, for libraries whose migrations are calls. */
import { piecesAt } from '../reading/code-text.ts'

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
export function callsIn(text: string, called: RegExp, toLineEnd = false): CallText[] {
  const found: CallText[] = []
  let last = 0
  for (const match of text.matchAll(called)) {
    // Text in the arguments of a call belongs to that call.
    if (match.index < last) continue
    const { pieces, end } = piecesAt(text, match.index + match[0].length, toLineEnd, longestCall)
    const args = pieces.map((piece) => piece.text.trim()).filter((one) => one !== '')
    found.push({ receiver: match[1] ?? '', name: match[2] ?? '', args, start: match.index, end })
    last = end
    if (found.length >= mostCalls) break
  }
  return found
}

/** Ruby's calls without brackets: to the end of the line, or further where it ends in a comma. */
export function commandsIn(text: string, called: RegExp): CallText[] {
  return callsIn(text, called, true)
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
