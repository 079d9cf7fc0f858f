/** What a migration of Alembic does to tables. */
import { callsIn, literal, option } from './calls.ts'
import { type Change, type ColumnForm, type NewColumn, type PlacedChange, placed } from './changes.ts'

const alembicCalls = /\b(op|batch_op)\.(\w+)\(/g

export function alembicChanges(text: string): PlacedChange[] {
  let batch: string | null = null
  return callsIn(text, alembicCalls).flatMap((call) => {
    const { name, start } = call
    if (name === 'batch_alter_table') batch = literal(call.args[0])
    const args = call.receiver === 'batch_op' ? [`'${batch ?? ''}'`, ...call.args] : call.args
    const table = literal(args[0])
    return table ? placed(start, ...alembicChange(name, args, table)) : []
  })
}

function alembicChange(name: string, args: readonly string[], table: string): Change[] {
  const second = literal(args[1])
  switch (name) {
    case 'create_table':
      return [{ does: 'create table', table, columns: args.slice(1).flatMap(saColumn) }]
    case 'drop_table':
      return [{ does: 'drop table', table }]
    case 'rename_table':
      return second === null ? [] : [{ does: 'rename table', table, to: second }]
    case 'add_column':
      return saColumn(args[1] ?? '').map(({ name, ...form }) => ({
        does: 'add column',
        table,
        column: name,
        form,
      }))
    case 'drop_column':
      return second === null ? [] : [{ does: 'drop column', table, column: second }]
    case 'alter_column':
      return second === null ? [] : alteredByAlembic(args, table, second)
    default:
      return []
  }
}

function alteredByAlembic(args: readonly string[], table: string, column: string): Change[] {
  const to = literal(option(args, 'new_column_name') ?? undefined)
  const nullable = option(args, 'nullable')
  const fallback = option(args, 'server_default')
  const type = option(args, 'type_')
  const form: ColumnForm = {
    type: type === null ? null : saType(type),
    isRequired: nullable === null ? null : nullable === 'False',
    hasDefault: fallback === null ? null : fallback !== 'None',
  }
  const altered: Change[] = [{ does: 'alter column', table, column, form }]
  return to === null ? altered : [...altered, { does: 'rename column', table, column, to }]
}

function saColumn(argument: string): NewColumn[] {
  const [call] = callsIn(argument.slice(0, 2_000), /(\b\w{0,20})\.?\b(Column)\(/g)
  const name = call && literal(call.args[0])
  if (!call || !name) return []
  const { args } = call
  const isKey = option(args, 'primary_key') === 'True'
  const hasDefault =
    isKey || option(args, 'server_default') !== null || /\b(?:Identity|Computed)\(/.test(argument)
  return [{ name, type: saType(args[1] ?? ''), isRequired: option(args, 'nullable') === 'False', hasDefault }]
}

/** `sa.String(length=40)` is `varchar(40)`. */
function saType(argument: string): string | null {
  const [, name, length] =
    /(?:^|\.)([A-Za-z]{1,40})(?:\((?:length=)?(\d{0,9}))?/.exec(argument.slice(0, 200)) ?? []
  if (name === undefined) return null
  const type = name.toLowerCase() === 'string' ? 'varchar' : name.toLowerCase()
  return length ? `${type}(${length})` : type
}
