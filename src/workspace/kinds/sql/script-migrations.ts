/** What a migration of Knex or Sequelize does to tables. */
import { callsIn, literal } from './calls.ts'
import { type Change, type ColumnForm, columnsIn, dropped, type PlacedChange, placed } from './changes.ts'

const scriptCalls = /(\b(?:schema|queryInterface))\s{0,20}\.(\w+)\(/g

export function scriptChanges(text: string): PlacedChange[] {
  return callsIn(text, scriptCalls).flatMap(({ receiver, name, args, start, end }) => {
    const table = literal(args[0])
    if (table === null) return []
    const second = literal(args[1])
    if (/^(?:dropTable|dropTableIfExists)$/.test(name)) return placed(start, { does: 'drop table', table })
    if (name === 'renameTable')
      return second === null ? [] : placed(start, { does: 'rename table', table, to: second })
    if (receiver === 'queryInterface') return placed(start, ...sequelizeChange(name, args, table, second))
    const members = knexMembers(text.slice(start, end)).map((change) => ({
      ...change,
      table,
      start: change.start + start,
    }))
    if (name !== 'createTable') return members
    return placed(start, { does: 'create table', table, columns: columnsIn(members) })
  })
}

function sequelizeChange(
  name: string,
  args: readonly string[],
  table: string,
  column: string | null,
): Change[] {
  if (column === null) return name === 'createTable' ? [{ does: 'create table', table, columns: null }] : []
  const form: ColumnForm = {
    type: null,
    isRequired: /allowNull:\s{0,5}false/.test(args[2] ?? ''),
    hasDefault: /defaultValue:/.test(args[2] ?? ''),
  }
  if (name === 'addColumn') return [{ does: 'add column', table, column, form }]
  if (name === 'removeColumn') return [{ does: 'drop column', table, column }]
  if (name === 'changeColumn')
    return [{ does: 'alter column', table, column, form: { ...form, hasDefault: null } }]
  const to = literal(args[2])
  return name === 'renameColumn' && to !== null ? [{ does: 'rename column', table, column, to }] : []
}

const knexTypes =
  /^(?:increments|bigIncrements|integer|bigInteger|bigint|tinyint|smallint|mediumint|text|string|float|double|decimal|boolean|date|datetime|time|timestamp|binary|enu|enum|json|jsonb|uuid|specificType)$/

function knexMembers(text: string): PlacedChange[] {
  return callsIn(text, /(\b\w{1,30})\.(\w+)\((?=['"`])/g).flatMap(({ name, args, start, end }) => {
    const column = literal(args[0])
    if (column === null) return []
    if (name === 'dropColumn') return placed(start, { does: 'drop column', table: '', column })
    if (name === 'dropColumns') return placed(start, ...args.flatMap(dropped('')))
    if (name === 'renameColumn')
      return placed(start, { does: 'rename column', table: '', column, to: literal(args[1]) ?? '' })
    if (!knexTypes.test(name)) return []
    const chain = /^[\s\S]?[^\n]*/.exec(text.slice(end, end + 300))?.[0] ?? ''
    const type = name === 'string' ? `varchar(${args[1] ?? '255'})` : name.toLowerCase()
    const form: ColumnForm = {
      type,
      isRequired: /\.notNullable\(|\.primary\(/.test(chain) || /ncrements$/.test(name),
      hasDefault: /\.defaultTo\(|\.primary\(/.test(chain) || /ncrements$/.test(name),
    }
    const does = /\.alter\(/.test(chain) ? 'alter column' : 'add column'
    return placed(start, { does, table: '', column, form })
  })
}
