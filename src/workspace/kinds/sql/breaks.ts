/** What a change of migrations breaks for who reads or writes the tables. */
import { placeOf, type SharedBreak, type SharedPlace } from '../../../domain/shared-contract.ts'
import type { Break, Provided } from '../../contract.ts'
import type { ColumnForm } from './changes.ts'
import { compareNames } from './order.ts'
import { typeChange } from './state.ts'

/** `group` names the migrations that belong together. */
export type SqlShape =
  | { sort: 'table'; group: string; table: string; isWhole: boolean }
  | { sort: 'column'; group: string; table: string; column: string; form: ColumnForm }
  /** What went, and what it is called now. */
  | {
      sort: 'gone'
      group: string
      table: string
      column: string | null
      to: string | null
      wasKnown: boolean
    }

export type SqlBreak = {
  table: string
  /** Null for the table itself. */
  column: string | null
  /** Only who adds rows notices: those without the column, or with a value for it. */
  writers: 'without' | 'with' | null
  /** Columns of the tables of the base; tables that are not known whole are left out. */
  columns: Readonly<Record<string, readonly string[]>>
}

type Entry = Provided<SqlShape>

export function breaksOf(before: readonly Entry[], after: readonly Entry[]): Break<SqlBreak>[] {
  const groups = Map.groupBy(before, ({ shape }) => shape.group)
  // Migrations that moved, or were deleted altogether, say nothing of what is in the database.
  return [...groups].flatMap(([group, entries]) => {
    const same = after.filter(({ shape }) => shape.group === group)
    return same.length > 0 || after.length === 0 ? new Comparison(entries, same).breaks() : []
  })
}

type Told = Pick<SharedBreak, 'how' | 'renamedTo' | 'what'> & { writers?: SqlBreak['writers'] }

class Comparison {
  private readonly before: ReadonlyMap<string, Entry>
  private readonly after: ReadonlyMap<string, Entry>
  private readonly columns: Record<string, string[]>
  private readonly paths: ReadonlySet<string>
  private readonly latest: string

  constructor(before: readonly Entry[], after: readonly Entry[]) {
    this.before = byName(before)
    this.after = byName(after)
    this.columns = columnsOf(before)
    this.latest =
      before
        .map(({ path }) => path)
        .sort(compareNames)
        .at(-1) ?? ''
    this.paths = new Set(after.map(({ path }) => path))
  }

  breaks(): Break<SqlBreak>[] {
    const old = [...this.before.values()].flatMap((entry) => this.broken(entry))
    return [...old, ...[...this.after.values()].flatMap((entry) => this.added(entry))]
  }

  private broken(entry: Entry): Break<SqlBreak>[] {
    const { name, shape } = entry
    if (shape.sort === 'gone') return []
    const now = this.after.get(name)
    if (now) return this.altered(entry, now)
    // Its columns went with the table.
    if (shape.sort === 'column' && !this.after.has(shape.table)) return []
    const word = shape.sort === 'table' ? 'table' : 'column'
    const gone = this.after.get(goneName(name))
    if (!gone && !this.isLeftOut(entry)) return []
    const to = gone?.shape.sort === 'gone' ? gone.shape.to : null
    return [
      this.breakOf(entry, gone ?? this.after.get(shape.table) ?? null, goneWords(word, to, shape.table)),
    ]
  }

  /** Old migrations may be deleted, which drops nothing: a definition that is still there no longer has it. */
  private isLeftOut({ shape, path }: Entry): boolean {
    if (shape.sort === 'table') return this.paths.has(path) || this.paths.size === 0
    const table = this.after.get(shape.table)?.shape
    return table?.sort === 'table' && table.isWhole
  }

  /** A table that is made elsewhere loses what was never seen. */
  private added(entry: Entry): Break<SqlBreak>[] {
    const { shape, name } = entry
    if (shape.sort === 'gone') {
      const full = name.slice(gonePrefix.length)
      const isNew =
        !shape.wasKnown && !this.before.has(name) && !this.before.has(full) && !this.after.has(full)
      if (
        !isNew ||
        this.isWhole(shape.table) ||
        !this.isLater(entry) ||
        (shape.column !== null && this.after.has(goneName(shape.table)))
      )
        return []
      const word = shape.column === null ? 'table' : 'column'
      return [this.breakOf({ ...entry, name: full }, entry, goneWords(word, shape.to, shape.table), null)]
    }
    if (shape.sort !== 'column' || this.before.has(name) || !this.before.has(shape.table)) return []
    if (!this.isWhole(shape.table) && !this.isLater(entry)) return []
    const renamed = [...this.after.values()].some(
      (one) => one.shape.sort === 'gone' && one.shape.table === shape.table && one.shape.to === shape.column,
    )
    if (renamed || shape.form.isRequired !== true || shape.form.hasDefault !== false) return []
    const what = 'the column is new, takes no null and has no default'
    return [this.breakOf(entry, entry, { how: 'required', what, writers: 'without' }, null)]
  }

  private isWhole(table: string): boolean {
    const shape = this.before.get(table)?.shape
    return shape?.sort === 'table' && shape.isWhole
  }

  /** Old migrations may come back, which changes nothing that is there. */
  private isLater({ path }: Entry): boolean {
    return compareNames(path, this.latest) >= 0
  }

  private altered(entry: Entry, now: Entry): Break<SqlBreak>[] {
    if (entry.shape.sort !== 'column' || now.shape.sort !== 'column') return []
    const [old, form] = [entry.shape.form, now.shape.form]
    const change = typeChange(old.type, form.type)
    const words = `the type changed from \`${old.type}\` to \`${form.type}\``
    if (change === 'other') return [this.breakOf(entry, now, { how: 'changed', what: words })]
    if (change === 'narrower')
      return [this.breakOf(entry, now, { how: 'narrowed', what: words, writers: 'with' })]
    if (form.isRequired !== true || old.isRequired === true || form.hasDefault === true) return []
    return [
      this.breakOf(entry, now, {
        how: 'required',
        what: 'the column takes no null any longer',
        writers: 'without',
      }),
    ]
  }

  private breakOf(
    { name, shape, ...place }: Entry,
    after: Entry | null,
    { writers = null, ...told }: Told,
    before: SharedPlace | null = placeOf(place),
  ): Break<SqlBreak> {
    const column = shape.sort === 'table' ? null : shape.column
    const { table } = shape
    return {
      kind: 'sql',
      name,
      ...told,
      before,
      after: after && placeOf(after),
      keys: [table],
      shape: { table, column, writers, columns: this.columns },
    }
  }
}

function byName(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.name, entry]))
}

const gonePrefix = 'gone: '

/** What went has a name of its own, so that it is not taken for what is there. */
export function goneName(name: string): string {
  return gonePrefix + name
}

function columnsOf(entries: readonly Entry[]): Record<string, string[]> {
  const columns: Record<string, string[]> = Object.create(null)
  for (const { shape } of entries) if (shape.sort === 'table' && shape.isWhole) columns[shape.table] = []
  for (const { shape } of entries) if (shape.sort === 'column') columns[shape.table]?.push(shape.column)
  return columns
}

function goneWords(word: string, to: string | null, table: string): Told {
  if (to === null) return { how: 'removed', what: `the ${word} was dropped` }
  const renamedTo = word === 'column' ? `${table}.${to}` : to
  return { how: 'renamed', renamedTo, what: `the ${word} is now named \`${to}\`` }
}
