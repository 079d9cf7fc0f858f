/** The tables that migrations make together, and where each of what is gone went. */
import { remembered } from '../../../base/remembered.ts'
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import type { ColumnForm, PlacedChange } from './changes.ts'

export type ColumnState = SharedPlace & { form: ColumnForm }

export type TableState = SharedPlace & {
  columns: Map<string, ColumnState>
  /** Whether `columns` are all: not where a table is made elsewhere, or from a query. */
  isWhole: boolean
  /** A migration makes it. */
  isMade: boolean
}

/** `wasKnown`: a migration had made it. */
export type Gone = SharedPlace & { to: string | null; wasKnown: boolean }

export type State = {
  tables: Map<string, TableState>
  /** By `table` and `table.column`. */
  gone: Map<string, Gone>
  aliases: Map<string, string>
}

/** `at` is where an offset of its text is. */
export type Step = PlacedChange & { at: (start: number) => SharedPlace }

export function stateAfter(steps: readonly Step[]): State {
  const state: State = { tables: new Map(), gone: new Map(), aliases: new Map() }
  for (const step of steps) apply(state, { ...step, table: state.aliases.get(step.table) ?? step.table })
  return state
}

function apply(state: State, step: Step): void {
  const place = step.at(step.start)
  if ('alias' in step && step.alias !== undefined)
    state.aliases.set(step.alias, step.does === 'rename table' ? step.to : step.table)
  switch (step.does) {
    case 'create table': {
      const columns = new Map(
        (step.columns ?? []).map(({ name, start = step.start, ...form }) => [
          name.toLowerCase(),
          { ...step.at(start), form },
        ]),
      )
      if (!state.tables.has(step.table))
        state.tables.set(step.table, { ...place, columns, isWhole: step.columns !== null, isMade: true })
      comeBack(state, step.table)
      return
    }
    case 'drop table':
      state.gone.set(step.table, {
        ...place,
        to: null,
        wasKnown: state.tables.get(step.table)?.isMade ?? false,
      })
      state.tables.delete(step.table)
      return
    case 'rename table': {
      const table = tableIn(state, step.table, place)
      state.tables.delete(step.table)
      state.tables.set(step.to, { ...table, ...place })
      comeBack(state, step.to)
      state.gone.set(step.table, { ...place, to: step.to, wasKnown: table.isMade })
      return
    }
    case 'add column':
      tableIn(state, step.table, place).columns.set(step.column, { ...place, form: step.form })
      state.gone.delete(`${step.table}.${step.column}`)
      return
    case 'drop column':
      goes(state, step, null)
      return
    case 'rename column':
      goes(state, step, step.to)
      return
    case 'alter column':
      alter(tableIn(state, step.table, place), step)
  }
}

/** A table of which nothing is known begins with what a migration says of it. */
function tableIn({ tables }: State, name: string, place: SharedPlace): TableState {
  return remembered(tables, name, () => ({ ...place, columns: new Map(), isWhole: false, isMade: false }))
}

function comeBack({ gone }: State, table: string): void {
  for (const name of [...gone.keys()]) if (name === table || name.startsWith(`${table}.`)) gone.delete(name)
}

function goes(state: State, step: Step & { column: string }, to: string | null): void {
  const { table: name, column } = step
  const place = step.at(step.start)
  const table = tableIn(state, name, place)
  const old = table.columns.get(column)
  // Django writes a foreign key by its field; the column may be either.
  if (!old && table.isWhole) return
  table.columns.delete(column)
  state.gone.set(`${name}.${column}`, { ...place, to, wasKnown: old !== undefined })
  if (to === null) return
  table.columns.set(to, { ...place, form: old?.form ?? { type: null, isRequired: null, hasDefault: null } })
  state.gone.delete(`${name}.${to}`)
}

function alter(table: TableState, step: Step & { does: 'alter column' }): void {
  const old = table.columns.get(step.column)
  const form: ColumnForm = {
    type: step.form.type ?? old?.form.type ?? null,
    isRequired: step.form.isRequired ?? old?.form.isRequired ?? null,
    hasDefault: step.form.hasDefault ?? old?.form.hasDefault ?? null,
  }
  table.columns.set(step.column, { ...step.at(step.start), form })
}

const synonyms: Readonly<Record<string, string>> = {
  int2: 'smallint',
  int: 'integer',
  int4: 'integer',
  int8: 'bigint',
  biginteger: 'bigint',
  bigintegerfield: 'bigint',
  integerfield: 'integer',
  bool: 'boolean',
  booleanfield: 'boolean',
  nvarchar: 'varchar',
  string: 'varchar',
  charfield: 'varchar',
  textfield: 'text',
  float8: 'double',
  'character varying': 'varchar',
  'double precision': 'double',
  float4: 'real',
  uuidfield: 'uuid',
  datefield: 'date',
}

/** From the narrowest to the widest. */
const families: readonly (readonly string[])[] = [
  ['tinyint', 'smallint', 'mediumint', 'integer', 'bigint'],
  ['varchar', 'text'],
  ['real', 'double'],
]

const others: ReadonlySet<string> = new Set([...families.flat(), 'boolean', 'date', 'json', 'jsonb', 'uuid'])

/** `narrower` does not take what the old type took; `other` is read in another way. Null where it takes all, or is not known. */
export function typeChange(old: string | null, now: string | null): 'narrower' | 'other' | null {
  if (old === null || now === null) return null
  const [before, after] = [sized(old), sized(now)]
  if (before.name === after.name) return isSmaller(before.size, after.size) ? 'narrower' : null
  const family = families.find((one) => one.includes(before.name))
  if (family?.includes(after.name))
    return family.indexOf(after.name) < family.indexOf(before.name) ? 'narrower' : null
  return others.has(before.name) && others.has(after.name) ? 'other' : null
}

function isSmaller(old: number | null, now: number | null): boolean {
  return now !== null && old !== null && now < old
}

function sized(type: string): { name: string; size: number | null } {
  const [, name = type, size] = /^([a-z_\d ]{1,60})\((\d{1,9})/.exec(type) ?? []
  return { name: synonyms[name.trim()] ?? name.trim(), size: size === undefined ? null : Number(size) }
}
