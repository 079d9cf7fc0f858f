/** SQL: tables and columns that migrations make, and the queries and object mappings of other repositories. */
import { posix } from 'node:path'
import { isTestPath, isVendoredPath } from '../../../base/file-paths.ts'
import { splitLines } from '../../../code-index/resolve/lines.ts'
import type { Confidence } from '../../../domain/severity.ts'
import { placeOf, type SharedPlace } from '../../../domain/shared-contract.ts'
import { codeStrings, mayHaveStrings } from '../../code-strings.ts'
import type { ContractKind, Provided, SourceFile, SourceTree, Use } from '../../contract.ts'
import { breaksOf, goneName, type SqlBreak, type SqlShape } from './breaks.ts'
import { changesOf } from './migrations.ts'
import { modelsOf } from './models.ts'
import { inOrder } from './order.ts'
import { isQuery, type QueryUse, queryUses } from './queries.ts'
import { type State, type Step, stateAfter } from './state.ts'

export type SqlUse = {
  table: string
  column: string | null
  rivals: readonly string[]
  inserted: readonly string[] | null
  /** Columns that the same query or model takes to be of the table. */
  beside: readonly string[]
}

const inMigrations =
  /(?:^|\/)(?:[\w-]{0,40}migrations?|migrate|alembic|versions|changelogs?|flyway|sqitch)\//i
const named = /(?:^|\/)(?:[VR]\d*(?:[._]\d+)*__[^/]*\.sql|schema\.prisma)$/

function isMigration(path: string): boolean {
  return inMigrations.test(path) || named.test(path)
}

function mayProvide(path: string): boolean {
  if (
    isTestPath(path) ||
    isVendoredPath(path) ||
    /\.down\.sql$|(?:^|\/)(?:structure\.sql|down\.sql|schema\.rb)$/.test(path)
  )
    return false
  return /\.(?:sql|prisma)$/.test(path) || (isMigration(path) && /\.(?:rb|py|[cm]?[jt]s)$/.test(path))
}

export const sqlContracts: ContractKind<SqlShape, SqlUse, SqlBreak> = {
  kind: 'sql',
  mayProvide,
  mayUse: (path) =>
    /\.(?:sql|prisma)$/.test(path) ? !inMigrations.test(path) : mayHaveStrings(path) && !isMigration(path),
  cue: /\bselect\s|\binsert\s{1,9}into\b|\bdelete\s{1,9}from\b|\bupdate\s{1,9}["'\w.`[]{1,80}\s{1,9}(?:as\s{1,9}\w{1,40}\s{1,9})?set\b|__tablename__|\btable_name\b|\bdb_table\b|^model \w|@Table\b|@Entity\b/im,
  provided,
  uses: async (file) => usesOf(file),
  breaks: breaksOf,
  judge: (broken, use) => judge(broken.shape, use.shape),
}

// Provided: the state after all migrations of the folders in which any changes.

/** Of one folder. */
const mostMigrations = 3_000

async function provided(paths: readonly string[], tree: SourceTree): Promise<Provided<SqlShape>[]> {
  const groups = new Set(paths.map(groupOf))
  if (groups.size === 0) return []
  const all = (await tree.paths()).filter((path) => mayProvide(path) && groups.has(groupOf(path)))
  const found: Provided<SqlShape>[] = []
  for (const [group, members] of Map.groupBy(all, groupOf)) {
    if (posix.basename(members[0] ?? '') === 'schema.prisma' && (await hasMigrations(group, tree))) continue
    const files = inOrder(await tree.read(members.slice(0, mostMigrations)))
    found.push(...entriesOf(group, stateAfter(files.flatMap(stepsOf))))
  }
  return found
}

/** Prisma and Diesel keep each migration in a folder of its own; a schema of Prisma is of itself. */
function groupOf(path: string): string {
  const folder = posix.dirname(path)
  if (path.endsWith('.prisma')) return path
  const isAlone = /(?:^|\/)(?:migration|up)\.sql$/.test(path)
  return isAlone ? posix.dirname(folder) : `${folder}${posix.extname(path) === '.sql' ? '' : ' (code)'}`
}

async function hasMigrations(schema: string, tree: SourceTree): Promise<boolean> {
  const folder = posix.join(posix.dirname(schema), 'migrations/')
  return (await tree.paths()).some((path) => path.startsWith(folder) && path.endsWith('.sql'))
}

function stepsOf({ path, text }: SourceFile): Step[] {
  const { lineOf } = splitLines(text)
  const at = (start: number): SharedPlace => ({ path, line: lineOf(start), endLine: lineOf(start) })
  return changesOf(path, text).map((change) => ({ ...change, at }))
}

function entriesOf(group: string, { tables, gone }: State): Provided<SqlShape>[] {
  const found: Provided<SqlShape>[] = []
  for (const [table, { columns, isWhole, isMade: _, ...place }] of tables) {
    found.push({ ...placeOf(place), name: table, shape: { sort: 'table', group, table, isWhole } })
    for (const [column, { form, ...at }] of columns)
      found.push({ ...at, name: `${table}.${column}`, shape: { sort: 'column', group, table, column, form } })
  }
  for (const [name, { to, wasKnown, ...place }] of gone) {
    const [table = '', column = null] = name.split('.', 2)
    found.push({
      ...place,
      name: goneName(name),
      shape: { sort: 'gone', group, table, column, to, wasKnown },
    })
  }
  return found
}

// Uses.

function usesOf(file: SourceFile): Use<SqlUse>[] {
  const { lineOf } = splitLines(file.text)
  const use = (start: number, how: string, shape: SqlUse): Use<SqlUse> => {
    const line = lineOf(start)
    const name = shape.column === null ? shape.table : `${shape.table}.${shape.column}`
    return { path: file.path, line, endLine: line, key: shape.table, name, how, shape }
  }
  const inQueries = queriesOf(file).flatMap((found) =>
    found.map(({ start, ...one }) => use(start, 'in a query', { ...one, beside: besides(found, one.table) })),
  )
  const inModels = modelsOf(file).flatMap(({ table, start, columns }) => {
    const common = { table, rivals: [], inserted: null, beside: columns.map(({ name }) => name) }
    return [
      use(start, 'mapped by a model', { ...common, column: null }),
      ...columns.map((one) => use(one.start, 'mapped by a model', { ...common, column: one.name })),
    ]
  })
  const byPlace = [...inQueries, ...inModels].map((one): [string, Use<SqlUse>] => [
    `${one.line} ${one.name}`,
    one,
  ])
  return [...new Map(byPlace.reverse()).values()].reverse()
}

/** Columns that can be of no other table. */
function besides(uses: readonly QueryUse[], table: string): string[] {
  return uses.flatMap((one) =>
    one.table === table && one.column !== null && one.rivals.length === 0 ? [one.column] : [],
  )
}

function queriesOf({ path, text }: SourceFile): QueryUse[][] {
  if (path.endsWith('.sql')) return [queryUses(text) ?? []]
  return codeStrings(path, text)
    .filter((one) => isQuery(one.text))
    .map((one) => (queryUses(one.text) ?? []).map((use) => ({ ...use, start: use.start + one.start })))
}

/** Which database it is cannot be known, so nothing is certain. */
function judge(broken: SqlBreak, use: SqlUse): Confidence | null {
  const fits = agreement(broken, use)
  if (!fits || broken.table !== use.table) return null
  if (broken.column === null) return use.column === null ? fits : null
  if (broken.writers !== null) {
    if (use.column !== null || use.inserted === null) return null
    const isWith = use.inserted.includes(broken.column)
    if (broken.writers === 'with') return isWith ? 'possible' : null
    return isWith ? null : fits
  }
  if (use.column !== broken.column) return null
  const others = use.rivals.filter((table) => broken.columns[table]?.includes(broken.column ?? '') ?? true)
  return others.length === 0 ? fits : 'possible'
}

/** Another database may have a table of this name: its columns are others. */
function agreement({ table, columns, column }: SqlBreak, { beside }: SqlUse): Confidence | null {
  const own = columns[table]
  if (!own) return column === null ? 'possible' : 'likely'
  const strange = beside.filter((one) => !own.includes(one) && one !== column)
  if (strange.length === 0) return 'likely'
  return strange.length < beside.length ? 'possible' : null
}
