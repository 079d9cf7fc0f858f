/**
 * Is a use that only the index ties to a definition right? A server may not know of the file (its project leaves it out),
 * so its silence in a list says little; what it says of that very place does.
 */
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { FileFacts } from '../../contract.ts'
import type { CodeTree, ReferenceEdge } from '../../query/contract.ts'
import { usedAs } from '../../query/target-names.ts'
import type { Definition } from '../../resolve/contract.ts'
import { linesOf } from '../../resolve/lines.ts'
import { symbolOf } from '../../resolve/symbols.ts'
import type { LanguageServers, Location, Position } from '../contract.ts'

export type Judgement =
  | { kind: 'same' }
  /** Where the server takes it to lead. */
  | { kind: 'other'; path: string; line: number }
  | { kind: 'unknown' }

/** Lines that count as the definition itself: its name, its overloads and declarations, the type that it constructs. */
export async function ownLines(
  servers: LanguageServers,
  target: Definition,
  place: Position,
): Promise<ReadonlySet<string>> {
  const { path, facts } = target
  const { name, scope, nameLine } = symbolOf(target)
  const own = new Set([key(path, nameLine)])
  for (const symbol of facts.symbols)
    if (symbol.name === name && symbol.scope === scope) own.add(key(path, symbol.nameLine))
  const type = facts.symbols[facts.parents[target.index] ?? -1]
  if (type && usedAs(target) !== name) own.add(key(path, type.nameLine))
  // A declaration leads to the definition, and in C a definition back to its declaration.
  const { found } = await servers.definition(place)
  for (const location of found) own.add(key(location.path, location.line))
  return own
}

export async function judgeEdge(
  servers: LanguageServers,
  tree: CodeTree,
  edge: Pick<ReferenceEdge, 'path' | 'line' | 'column'>,
  names: readonly string[],
  own: ReadonlySet<string>,
): Promise<Judgement> {
  const place = await placeOf(tree, edge, names)
  if (place === null) return { kind: 'unknown' }
  const { found } = await servers.definition(place)
  // What leads to itself, or to an import of its own file, was not resolved.
  const facts = await tree.world.facts(place.path)
  const imports = new Set(facts?.imports.map((fact) => fact.line))
  const elsewhere = found.filter(
    (one) => one.path !== place.path || (one.line !== place.line && !imports.has(one.line)),
  )
  if (elsewhere.some((one) => own.has(key(one.path, one.line)))) return { kind: 'same' }
  const [first] = elsewhere
  return first ? { kind: 'other', path: first.path, line: first.line } : { kind: 'unknown' }
}

/** Of an import only the line is known: the name is looked for on it. */
async function placeOf(
  tree: CodeTree,
  { path, line, column }: Pick<ReferenceEdge, 'path' | 'line' | 'column'>,
  names: readonly string[],
): Promise<Position | null> {
  if (column !== null) return { path, line, column }
  const [facts, text] = [await tree.world.facts(path), await tree.world.text(path)]
  return facts && text !== null ? wordPlace(path, facts, text, line, names) : null
}

export function key(path: string, line: number): string {
  return `${path}:${line}`
}

/** Whether a use of the index and a place of the server are one. */
export function isSamePlace(
  edge: Pick<ReferenceEdge, 'path' | 'line' | 'column'>,
  location: Location,
): boolean {
  if (edge.path !== location.path || edge.line !== location.line) return false
  return edge.column === null || (location.column <= edge.column && edge.column < endOf(location))
}

function endOf({ line, endLine, endColumn }: Location): number {
  return endLine > line ? Number.POSITIVE_INFINITY : endColumn
}

// Where on its line the name of a definition is, or the name that is imported.

const callable: ReadonlySet<CodeSymbol['kind']> = new Set(['function', 'method', 'macro'])

/** Null when the line does not hold the name: it is made up, or is on another line. */
export function namePlace({ path, facts, index }: Definition, text: string): Position | null {
  const { name, kind, nameLine } = symbolOf({ path, facts, index })
  const line = linesOf(facts, text).at(nameLine)
  const columns = columnsOf(line, name)
  // `func (c *Context) Context()`: the name is the one that is called or given a value.
  const isHead = (column: number) => /^\s*[(<=:?!]/.test(line.slice(column + name.length))
  const column = (callable.has(kind) ? columns.find(isHead) : undefined) ?? columns[0]
  return column === undefined ? null : { path, line: nameLine, column }
}

/** The first place of one of the names on a line; null when none is there. */
function wordPlace(
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

/** Columns at which the name occurs as a whole word. */
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
