/** The arguments of a call as written. */
import type { Reference } from '../contract.ts'

/** Longer argument lists are not read. */
const longest = 4_000

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** One text for each argument, trimmed; null when the list is too long or is not written behind the name. */
export function argumentsOf(text: string, { line, column, name }: Reference): string[] | null {
  const from = offsetOf(text, line) + column + name.length
  const open = openingParenthesis(text, from)
  if (open < 0) return null
  const found: string[] = []
  const brackets: string[] = []
  let part = ''
  for (let at = open + 1; at < text.length && at - open < longest; at++) {
    const character = text.charAt(at)
    if (character === '"' || character === "'" || character === '`') {
      const end = endOfString(text, at)
      part += text.slice(at, end)
      at = end - 1
      continue
    }
    const close = closing[character]
    if (close !== undefined) brackets.push(close)
    if (brackets.length === 0 && character === ')') {
      if (part.trim() !== '') found.push(part.trim())
      return found
    }
    if (character === brackets.at(-1)) brackets.pop()
    if (brackets.length === 0 && character === ',') {
      found.push(part.trim())
      part = ''
    } else part += character
  }
  return null
}

function offsetOf(text: string, line: number): number {
  let at = 0
  for (let number = 1; number < line; number++) {
    const next = text.indexOf('\n', at)
    if (next < 0) return text.length
    at = next + 1
  }
  return at
}

/** Behind type arguments, if there are any; -1 when something else follows the name. */
function openingParenthesis(text: string, from: number): number {
  let at = skipSpace(text, from)
  if (text.startsWith('::', at)) at += 2
  if (text[at] === '<') {
    const end = text.slice(at, at + longestTypes).search(/[()\n]/)
    const close = text.slice(at, at + (end < 0 ? longestTypes : end)).lastIndexOf('>')
    if (close < 0) return -1
    at += close + 1
  }
  at = skipSpace(text, at)
  return text[at] === '(' ? at : -1
}

const longestTypes = 200

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at++
  return at
}

function endOfString(text: string, from: number): number {
  const quote = text.charAt(from)
  const triple = quote.repeat(3)
  if (quote !== '`' && text.startsWith(triple, from)) {
    const end = text.indexOf(triple, from + 3)
    return end < 0 ? text.length : end + 3
  }
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote || (quote !== '`' && text[at] === '\n')) return at + 1
  }
  return text.length
}
