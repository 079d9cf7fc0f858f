/** Facts as bytes: what children send, what memory keeps, what the pack on disk holds. Columns of JSON, deflated. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { CallShape, FileFacts, Reference, ReferenceRole } from '../contract.ts'

/** Part of every cache key: raise it whenever extraction or this format changes what a file yields. */
export const recordVersion = 5

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

/** References by column: words are numbers into `words`, −1 is null. */
type Columns = {
  words: string[]
  name: number[]
  role: number[]
  line: number[]
  column: number[]
  lines: number[]
  enclosing: number[]
  receiver: number[]
  /** 0 or 1. */
  shadowed: number[]
  /** One per reference that has a call: positional count, doubled, plus 1 for a spread; keywords follow as words. */
  calls: (number | [number, ...number[]] | null)[]
}

type Packed = Omit<FileFacts, 'references'> & { references: Columns }

export function encodeFacts(facts: FileFacts): Uint8Array {
  const packed: Packed = { ...facts, references: toColumns(facts.references) }
  return deflateRawSync(JSON.stringify(packed), { level: 1 })
}

/** Throws when the bytes are not what `encodeFacts` made. */
export function decodeFacts(record: Uint8Array): FileFacts {
  const packed: Packed = JSON.parse(inflateRawSync(record).toString('utf8'))
  return { ...packed, references: fromColumns(packed.references) }
}

function toColumns(references: readonly Reference[]): Columns {
  const numbers = new Map<string, number>()
  const wordOf = (word: string): number => {
    const known = numbers.get(word)
    if (known !== undefined) return known
    numbers.set(word, numbers.size)
    return numbers.size - 1
  }
  let line = 0
  const columns = {
    name: references.map((reference) => wordOf(reference.name)),
    role: references.map((reference) => roles.indexOf(reference.role)),
    line: references.map((reference) => {
      const step = reference.line - line
      line = reference.line
      return step
    }),
    column: references.map((reference) => reference.column),
    lines: references.map((reference) => reference.endLine - reference.line),
    enclosing: references.map((reference) => reference.enclosing ?? -1),
    receiver: references.map(({ receiver }) => (receiver === null ? -1 : wordOf(receiver))),
    shadowed: references.map((reference) => (reference.shadowed ? 1 : 0)),
    calls: references.flatMap(({ role, call }) => {
      if (call === null) return role === 'call' ? [null] : []
      const shape = call.positional * 2 + (call.spread ? 1 : 0)
      const first: number | [number, ...number[]] =
        call.keywords.length === 0 ? shape : [shape, ...call.keywords.map(wordOf)]
      return [first]
    }),
  }
  return { words: [...numbers.keys()], ...columns }
}

function fromColumns(columns: Columns): Reference[] {
  const { words } = columns
  let line = 0
  let calls = 0
  return columns.name.map((name, index) => {
    line += columns.line[index] ?? 0
    const role = roles[columns.role[index] ?? 0] ?? 'read'
    const receiver = columns.receiver[index] ?? -1
    const enclosing = columns.enclosing[index] ?? -1
    return {
      name: words[name] ?? '',
      role,
      line,
      column: columns.column[index] ?? 0,
      endLine: line + (columns.lines[index] ?? 0),
      enclosing: enclosing < 0 ? null : enclosing,
      receiver: receiver < 0 ? null : (words[receiver] ?? ''),
      call: role === 'call' ? toCall(columns.calls[calls++] ?? null, words) : null,
      shadowed: columns.shadowed[index] === 1,
    }
  })
}

function toCall(packed: Columns['calls'][number], words: readonly string[]): CallShape | null {
  if (packed === null) return null
  const [shape, ...keywords] = typeof packed === 'number' ? [packed] : packed
  return {
    positional: shape >> 1,
    keywords: keywords.map((word) => words[word] ?? ''),
    spread: (shape & 1) === 1,
  }
}
