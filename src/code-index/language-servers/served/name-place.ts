/** Where on its line the name of a definition stands, or the name that an import brings in. */
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { FileFacts } from '../../contract.ts'
import type { Definition } from '../../resolve/contract.ts'
import { linesOf } from '../../resolve/lines.ts'
import { symbolOf } from '../../resolve/symbols.ts'
import type { Position } from '../contract.ts'

const callable: ReadonlySet<CodeSymbol['kind']> = new Set(['function', 'method', 'macro'])

/** Null when the line does not hold the name: it is made up, or stands on another line. */
export function namePlace({ path, facts, index }: Definition, text: string): Position | null {
  const { name, kind, nameLine } = symbolOf({ path, facts, index })
  const line = linesOf(facts, text).at(nameLine)
  const columns = columnsOf(line, name)
  // `func (c *Context) Context()`: the name is the one that is called or given a value.
  const isHead = (column: number) => /^\s*[(<=:?!]/.test(line.slice(column + name.length))
  const column = (callable.has(kind) ? columns.find(isHead) : undefined) ?? columns[0]
  return column === undefined ? null : { path, line: nameLine, column }
}

/** The first place of one of the names on a line; null when none stands there. */
export function wordPlace(
  path: string,
  facts: FileFacts,
  text: string,
  line: number,
  names: readonly string[],
): Position | null {
  const at = linesOf(facts, text).at(line)
  const column = names.flatMap((name) => columnsOf(at, name))[0]
  return column === undefined ? null : { path, line, column }
}

/** Columns at which the name stands as a whole word. */
export function columnsOf(line: string, name: string): number[] {
  const found: number[] = []
  if (name === '') return found
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1))
    if (!isWordPart(line[at - 1]) && !isWordPart(line[at + name.length])) found.push(at)
  return found
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character)
}
