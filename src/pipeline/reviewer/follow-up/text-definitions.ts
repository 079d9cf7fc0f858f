/**
 * Definitions in languages that are read as text only, by how they look: a word that defines, the name, and what is indented below.
 * A request for one is answered with lines to read, and nothing rests on them.
 */

/** 1-based, both included. */
type Span = { startLine: number; endLine: number }

const defining =
  'class|mixin|enum|extension|typedef|struct|union|interface|trait|protocol|module|defmodule|defprotocol|def|defp|defn|fn|func|fun|function|sub|proc|method|let|val|const|type|data|newtype|record|object|macro|defmacro'

/** Of one definition. */
const mostLines = 200

export function definitionsInText(lines: readonly string[], name: string): Span[] {
  if (!/^[\p{L}_][\p{L}\p{N}_!?']*$/u.test(name)) return []
  const opens = new RegExp(
    `^\\s{0,40}(?:[\\w@]{1,20}\\s{1,4}){0,4}(?:${defining})\\s{1,4}(?:\\w{1,40}[.:])?${name}(?![\\w!?'])`,
  )
  return lines.flatMap((line, at) =>
    opens.test(line) ? [{ startLine: at + 1, endLine: endOf(lines, at) + 1 }] : [],
  )
}

/** The last line that is indented further, and the one that closes it. */
function endOf(lines: readonly string[], start: number): number {
  const depth = indentOf(lines[start] ?? '')
  let last = start
  for (let at = start + 1; at < Math.min(lines.length, start + mostLines); at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    if (indentOf(line) <= depth) return /^\s*(?:[\])}]|end\b)/.test(line) ? at : last
    last = at
  }
  return last
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
