/** References as columns of small numbers: what one has, the next often has too, and so they pack well. */
import type { CallShape, Reference, ReferenceRole } from '../contract.ts'
import { type ByteReader, ByteWriter, type StringTable } from '../index-files/bytes.ts'

const roles: readonly ReferenceRole[] = [
  'call',
  'type',
  'extends',
  'decorator',
  'import',
  'export',
  'property',
  'write',
  'read',
]
const roleNumbers: ReadonlyMap<string, number> = new Map(roles.map((role, at) => [role, at]))

/** The first column: a role and what else there is to read. */
const bits = { role: 15, shadowed: 16, receiver: 32, call: 64, lines: 128 } as const

/** `marks`: the first column. `lines`: from the one before, and lines more. The others as their names say. */
export const referenceColumns = 7
const writers = Array.from({ length: referenceColumns }, () => new ByteWriter())
const [marks, names, lines, columns, enclosing, receivers, calls] = writers as Columns<ByteWriter>
type Columns<Column> = [Column, Column, Column, Column, Column, Column, Column]

/** One part for each column, valid until the next call. */
export function writeReferences(references: readonly Reference[], words: StringTable): Buffer[] {
  let line = 0
  let around = -1
  for (const reference of references) {
    const { receiver, call } = reference
    const more = reference.endLine - reference.line
    marks.number(
      (roleNumbers.get(reference.role) ?? 0) +
        (reference.shadowed ? bits.shadowed : 0) +
        (receiver === null ? 0 : bits.receiver) +
        (call === null ? 0 : bits.call) +
        (more === 0 ? 0 : bits.lines),
    )
    names.number(words.of(reference.name))
    lines.signed(reference.line - line)
    if (more !== 0) lines.number(more)
    columns.number(reference.column)
    const symbol = reference.enclosing ?? -1
    enclosing.signed(symbol - around)
    if (receiver !== null) receivers.number(words.of(receiver))
    if (call !== null) writeCall(call, words)
    line = reference.line
    around = symbol
  }
  return writers.map((writer) => writer.take())
}

/** `parts`: as written, in order. */
export function readReferences(
  count: number,
  parts: readonly ByteReader[],
  words: readonly string[],
): Reference[] {
  const [marks, names, lines, columns, enclosing, receivers, calls] = parts as Columns<ByteReader>
  const references: Reference[] = new Array(count)
  let line = 0
  let around = -1
  for (let at = 0; at < count; at++) {
    const mark = marks.number()
    line += lines.signed()
    const endLine = (mark & bits.lines) === 0 ? line : line + lines.number()
    around += enclosing.signed()
    references[at] = {
      name: words[names.number()] ?? '',
      role: roles[mark & bits.role] ?? 'read',
      line,
      column: columns.number(),
      endLine,
      enclosing: around < 0 ? null : around,
      receiver: (mark & bits.receiver) === 0 ? null : (words[receivers.number()] ?? ''),
      call: (mark & bits.call) === 0 ? null : readCall(calls, words),
      shadowed: (mark & bits.shadowed) !== 0,
    }
  }
  return references
}

/** Positional count and whether words follow, then whether it spreads: 0, 1, 2 arguments fit in few values. */
function writeCall({ positional, keywords, spread }: CallShape, words: StringTable): void {
  calls.number(positional * 4 + (spread ? 2 : 0) + (keywords.length > 0 ? 1 : 0))
  if (keywords.length === 0) return
  calls.number(keywords.length)
  for (const keyword of keywords) calls.number(words.of(keyword))
}

function readCall(reader: ByteReader, words: readonly string[]): CallShape {
  const shape = reader.number()
  const keywords: string[] = []
  if ((shape & 1) !== 0)
    for (let left = reader.number(); left > 0; left--) keywords.push(words[reader.number()] ?? '')
  return { positional: Math.floor(shape / 4), keywords, spread: (shape & 2) !== 0 }
}
