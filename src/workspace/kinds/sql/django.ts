/** What a migration of Django does to tables. A default of a field is not one of the database: it only fills existing rows. */
import { callsIn, literal, option } from './calls.ts'
import { type Change, type NewColumn, type PlacedChange, placed } from './changes.ts'

const djangoCalls = /\b(migrations)\.(\w+)\(/g

export function djangoChanges(path: string, text: string): PlacedChange[] {
  const app = path.split('/').at(-3) ?? ''
  return callsIn(text, djangoCalls).flatMap(({ name, args, start }) => {
    const named = (key: string, at: number) => literal(option(args, key) ?? args[at])
    const model = named('model_name', 0) ?? named('name', 0)
    if (model === null) return []
    const table = `${app}_${model}`.toLowerCase()
    return placed(start, ...djangoChange(name, args, table, app, named))
  })
}

function djangoChange(
  name: string,
  args: readonly string[],
  table: string,
  app: string,
  named: (key: string, at: number) => string | null,
): Change[] {
  const field = named('name', 1)
  const form = option(args, 'field') ?? args[2] ?? ''
  switch (name) {
    case 'CreateModel': {
      const columns = modelFields(option(args, 'fields') ?? '')
      return [{ does: 'create table', table: tableOption(args) ?? table, columns, alias: table }]
    }
    case 'DeleteModel':
      return [{ does: 'drop table', table }]
    case 'RenameModel': {
      const [from, to] = [named('old_name', 0), named('new_name', 1)]
      return from && to
        ? [{ does: 'rename table', table: `${app}_${from}`.toLowerCase(), to: `${app}_${to}`.toLowerCase() }]
        : []
    }
    case 'AlterModelTable': {
      const to = literal(option(args, 'table') ?? args[1])
      return to === null ? [] : [{ does: 'rename table', table, to, alias: table }]
    }
    case 'RemoveField':
      return field === null
        ? []
        : [
            { does: 'drop column', table, column: field },
            { does: 'drop column', table, column: `${field}_id` },
          ]
    case 'RenameField': {
      const [from, to] = [named('old_name', 1), named('new_name', 2)]
      return from && to ? [{ does: 'rename column', table, column: from, to }] : []
    }
    case 'AddField':
    case 'AlterField': {
      const column = field === null ? null : djangoColumn(field, form)
      const does = name === 'AddField' ? 'add column' : 'alter column'
      return column === null ? [] : [{ does, table, column: column.name, form: column }]
    }
    default:
      return []
  }
}

function tableOption(args: readonly string[]): string | null {
  return (
    /['"]db_table['"]:\s{0,5}['"](?:[\w]{1,60}"\.")?(\w{1,80})/.exec(
      (option(args, 'options') ?? '').slice(0, 2_000),
    )?.[1] ?? null
  )
}

function modelFields(fields: string): NewColumn[] {
  return callsIn(fields, /(\()['"](\w{1,80})['"],\s{0,20}/g).flatMap(
    ({ name, args }) => djangoColumn(name, args[0] ?? '') ?? [],
  )
}

function djangoColumn(name: string, field: string): NewColumn | null {
  const type = /^(?:[\w.]{1,80}\.)?(\w{1,60})\(/.exec(field)?.[1] ?? ''
  if (type === '' || type === 'ManyToManyField') return null
  const [call] = callsIn(field, /()(\w{1,60})\(/g)
  const args = call?.args ?? []
  const isKey = option(args, 'primary_key') === 'True'
  const column =
    literal(option(args, 'db_column') ?? undefined) ??
    (/^(?:ForeignKey|OneToOneField)$/.test(type) ? `${name}_id` : name)
  const length = option(args, 'max_length')
  return {
    name: column,
    type: length === null ? type.toLowerCase() : `varchar(${length})`,
    isRequired: option(args, 'null') !== 'True',
    hasDefault: isKey || option(args, 'db_default') !== null || /AutoField|GeneratedField/.test(type),
  }
}
