/** What a name was given before it is used, as far as one file shows. */
import type { Reference } from '../../../code-index/contract.ts'
import { type CodeText, endOfBracket } from './code-text.ts'

/** How far back a name is looked up where no function is around it. */
const linesBack = 60

export type Assigned = { text: string; offset: number }

/** Last before the reference, in the same function. Null where it is not found, or where a literal is extended later. */
export function assignedBefore(name: string, reference: Reference, code: CodeText): Assigned | null {
  const around = reference.enclosing === null ? null : code.file.facts?.symbols[reference.enclosing]
  const first = around?.startLine ?? Math.max(1, reference.line - linesBack)
  const start = code.offsetOf({ line: Math.max(first, reference.line - 200), column: 0 })
  const text = code.text.slice(start, code.offsetOf(reference))
  const word = `(?<![\\w$.])${name.replaceAll('$', '\\$')}`
  const mark = new RegExp(`${word}(?:[ ]{0,2}:[ ]{0,2}[\\w.<>]{1,60})?[ ]{0,3}:?=(?![=>])[ \\t]{0,4}`, 'g')
  const found = [...text.matchAll(mark)].at(-1)
  if (!found) return null
  const offset = start + found.index + found[0].length
  const value = statementAt(code.text, offset)
  const extended = new RegExp(`${word}(?:\\.\\w{1,60}|\\[[^\\]]{1,60}\\])[ ]{0,2}=(?!=)`)
  return value.startsWith('{') && extended.test(text) ? null : { text: value, offset }
}

/** The expression that begins here: to the end of its line, or with the bracket that it opens. */
function statementAt(text: string, from: number): string {
  const [line = ''] = text.slice(from, from + 400).split('\n', 1)
  const open = /^(?:new \w{1,40})?(?=[({[])/.exec(line)
  if (!open || line.trimEnd().endsWith(';')) return line.replace(/;[ \t]{0,9}$/, '').trim()
  return text.slice(from, endOfBracket(text, from + open[0].length))
}
