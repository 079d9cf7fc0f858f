/** Turns a table's words into arrays indexed by the grammar's numbers, once per language. */
import type { ReferenceRole } from '../contract.ts'
import type { Grammar } from './flat-tree.ts'
import type { Words } from './syntax.ts'
import type { LanguageTable, Place, PlaceRule, ScopeKind, ScopeRule } from './table.ts'

export type CompiledTable = {
  /** By kind: the role of a name of this kind, or undefined when it is no name. */
  roles: readonly (ReferenceRole | undefined)[]
  /** What a child in this field, or at this position, of a node of this kind is. */
  placeOf(kind: number, field: number, first: boolean): Place | PlaceRule | undefined
  scopeOf(kind: number, parentKind: number, field: number): ScopeKind | ScopeRule | undefined
  /** By kind: 1 when the table has something to say of nodes of this kind besides their place. */
  noted: Uint8Array
  /** By kind: the field of what comes before the dot, as in the table. */
  receivers: readonly (string | undefined)[]
  /** By kind: 1 for decorators and annotations. */
  decorates: Uint8Array
  words: Words
}

/** Throws when a key of the table names a kind or field the grammar does not have: a typing error in the table. */
export function compileTable(table: LanguageTable, grammar: Grammar): CompiledTable {
  const kindIds = Map.groupBy(grammar.kinds.keys(), (id) => grammar.kinds[id] ?? '')
  const columns = grammar.fields.length + 2
  const [firstColumn, laterColumn] = [0, grammar.fields.length]
  const idsOf = (kind: string): number[] => {
    const ids = kindIds.get(kind)
    if (!ids) throw new Error(`${table.id}: the grammar has no node kind ${kind}`)
    return ids
  }
  const cells: (Place | PlaceRule | undefined)[] = new Array(grammar.kinds.length * columns)
  const scopeCells: (ScopeKind | ScopeRule | undefined)[] = new Array(grammar.kinds.length * columns)
  const scopes: (ScopeKind | ScopeRule | undefined)[] = new Array(grammar.kinds.length)

  const columnsOf = (column: string): number[] => {
    if (column === '#0') return [firstColumn]
    if (column === '#+') return [laterColumn]
    const field = grammar.fields.indexOf(column)
    if (field <= 0) throw new Error(`${table.id}: the grammar has no field ${column}`)
    return [field]
  }
  // Exact keys first, so that a wildcard only fills what is left.
  const entries = Object.entries(table.places).map(([key, place]) => ({ ...split(key), place }))
  for (const { kind, column, place } of entries.toSorted((a, b) => rank(a.column) - rank(b.column)))
    for (const id of idsOf(kind)) {
      const wanted = column === '*' ? Array.from({ length: columns }, (_, at) => at) : columnsOf(column)
      for (const at of wanted) cells[id * columns + at] ??= place
    }
  for (const [key, scope] of Object.entries(table.scopes)) {
    const { kind, column } = split(key)
    for (const id of idsOf(kind)) {
      if (column === '') scopes[id] = scope
      else for (const at of columnsOf(column)) scopeCells[id * columns + at] = scope
    }
  }
  const roles: (ReferenceRole | undefined)[] = new Array(grammar.kinds.length)
  for (const [kind, role] of Object.entries(table.names)) for (const id of idsOf(kind)) roles[id] = role
  const receivers: (string | undefined)[] = new Array(grammar.kinds.length)
  for (const [kind, field] of Object.entries(table.receivers))
    for (const id of kindIds.get(kind) ?? []) receivers[id] = field
  const marked = (kinds: readonly string[]): Uint8Array => {
    const marks = new Uint8Array(grammar.kinds.length)
    for (const kind of kinds) for (const id of idsOf(kind)) marks[id] = 1
    return marks
  }
  const noted = marked(
    [table.definitions, table.typed, table.imports, table.exports].flatMap((part) => Object.keys(part)),
  )

  return {
    roles,
    noted,
    receivers,
    decorates: marked(table.decorators ?? []),
    words: {
      grammar,
      fieldIds: new Map(grammar.fields.map((name, id) => [name, id])),
      comments: marked(table.comments),
      borders: marked(table.borders ?? []),
      silent: marked(Object.keys(table.silent ?? {})),
    },
    placeOf: (kind, field, first) => cells[kind * columns + (field || (first ? firstColumn : laterColumn))],
    scopeOf: (kind, parentKind, field) =>
      (field > 0 ? scopeCells[parentKind * columns + field] : undefined) ?? scopes[kind],
  }
}

function split(key: string): { kind: string; column: string } {
  const match = /^(\w+)(?:\.(\w+|\*)|(#[0+]))?$/.exec(key)
  return { kind: match?.[1] ?? key, column: match?.[2] ?? match?.[3] ?? '' }
}

function rank(column: string): number {
  return column === '*' ? 1 : 0
}
