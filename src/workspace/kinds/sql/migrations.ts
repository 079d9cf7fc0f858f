/** What a file does to tables, whichever library it is written for. */
import { languageOf } from '../../../code-index/language-of.ts'
import { codeStrings } from '../../code-strings.ts'
import { type CallText, callsIn, commandsIn, literal, longestCall, option } from './calls.ts'
import {
  type Change,
  type ColumnForm,
  isNamed,
  type NewColumn,
  type PlacedChange,
  sqlChanges,
  unknownForm,
} from './changes.ts'
import { prismaChanges } from './prisma.ts'

/** In the order of the text. What undoes a migration comes last in a file, and is left out. */
export function changesOf(path: string, text: string): PlacedChange[] {
  const up = text.slice(0, downFrom(path, text))
  const found = changesIn(path, up)
  return found
    .map((change) => lower(change))
    .filter(isNamed)
    .sort((a, b) => a.start - b.start)
}

function changesIn(path: string, text: string): PlacedChange[] {
  if (path.endsWith('.sql')) return sqlChanges(text)
  if (path.endsWith('.prisma')) return prismaChanges(text)
  const inStrings = codeStrings(path, text)
    .filter((one) => /^\s*(?:create|alter|drop|rename)\s/i.test(one.text))
    .flatMap((one) => sqlChanges(one.text).map((change) => moved(change, one.start)))
  return [...inStrings, ...libraryChanges(path, text)]
}

/** From a part of a file to the file. */
function moved(change: PlacedChange, by: number): PlacedChange {
  const start = change.start + by
  if (change.does !== 'create table' || !change.columns) return { ...change, start }
  const columns = change.columns.map((one) =>
    one.start === undefined ? one : { ...one, start: one.start + by },
  )
  return { ...change, columns, start }
}

function libraryChanges(path: string, text: string): PlacedChange[] {
  switch (languageOf(path)) {
    case 'ruby':
      return railsChanges(text)
    case 'python':
      return /\bmigrations\.Migration\b/.test(text) ? djangoChanges(path, text) : alembicChanges(text)
    default:
      return scriptChanges(text)
  }
}

const down: [RegExp, RegExp][] = [
  [/\.sql$/, /^--[ \t]{0,9}(?:migrate:down|\+goose down|\+migrate down|!downs|rollback|\/\/@undo)\b/im],
  [/\.py$/, /^def downgrade\b/m],
  [/\.rb$/, /^[ \t]{1,40}def (?:self\.)?down\b/m],
  [
    /\.[cm]?[jt]s$/,
    /\bexports\.down\b|\b(?:function|const) down\b|^[ \t]{0,40}(?:public )?(?:async )?down ?[(:]/m,
  ],
]

function downFrom(path: string, text: string): number {
  const mark = down.find(([ending]) => ending.test(path))?.[1]
  return mark?.exec(text)?.index ?? text.length
}

/** Names of databases are compared without their case. */
function lower(change: PlacedChange): PlacedChange {
  const fold = (name: string) => name.toLowerCase().slice(name.lastIndexOf('.') + 1)
  const folded = { ...change, table: fold(change.table) }
  if ('alias' in folded && folded.alias !== undefined) folded.alias = fold(folded.alias)
  if ('to' in folded) folded.to = fold(folded.to)
  if ('column' in folded) folded.column = folded.column.toLowerCase()
  return folded
}

function placed(start: number, ...changes: readonly Change[]): PlacedChange[] {
  return changes.map((change) => ({ ...change, start }))
}

// Rails.

const railsCalls =
  /(^|[ \t;.{])(create_table|drop_table|rename_table|add_column|remove_columns?|rename_column|change_column|change_column_null|change_column_default|add_reference|add_belongs_to|remove_reference|remove_belongs_to|add_timestamps|change_table)(?:[ \t]{1,5}|\()(?=["':])/gm

function railsChanges(text: string): PlacedChange[] {
  const code = text.replace(/#[^\n{][^\n]*/g, (note) => ' '.repeat(note.length))
  let last = 0
  return commandsIn(code, railsCalls).flatMap((call) => {
    const [table, column] = [literal(call.args[0]), literal(call.args[1])]
    if (table === null || call.start < last) return []
    const block = /^(?:create|change)_table$/.test(call.name) ? blockFrom(code, call.end) : ''
    last = call.end + block.length
    return railsChange(call, table, column, membersOfBlock(block, call.end))
  })
}

function railsChange(
  { name, args, start }: CallText,
  table: string,
  column: string | null,
  members: readonly PlacedChange[],
): PlacedChange[] {
  if (name === 'create_table') {
    const isJoin = /^(?:false|nil)$/.test(option(args, 'id') ?? '')
    const id = { name: 'id', type: 'bigint', isRequired: true, hasDefault: true }
    const columns = members.flatMap((one) =>
      one.does === 'add column' ? [{ name: one.column, start: one.start, ...one.form }] : [],
    )
    return placed(start, { does: 'create table', table, columns: isJoin ? columns : [id, ...columns] })
  }
  if (name === 'change_table') return members.map((change) => ({ ...change, table }))
  if (name === 'drop_table') return placed(start, { does: 'drop table', table })
  if (column === null) return name === 'add_timestamps' ? placed(start, ...timestamps(table)) : []
  if (name === 'rename_table') return placed(start, { does: 'rename table', table, to: column })
  if (/reference|belongs_to/.test(name)) {
    const key = `${column}_id`
    const form = railsForm('bigint', args)
    return placed(
      start,
      name.startsWith('add')
        ? { does: 'add column', table, column: key, form }
        : { does: 'drop column', table, column: key },
    )
  }
  if (name === 'add_column')
    return placed(start, { does: 'add column', table, column, form: railsForm(literal(args[2]), args) })
  if (name === 'remove_column') return placed(start, { does: 'drop column', table, column })
  if (name === 'remove_columns')
    return placed(
      start,
      ...args
        .slice(1)
        .flatMap((one): Change[] =>
          literal(one) === null || /[=>]|\w:/.test(one)
            ? []
            : [{ does: 'drop column', table, column: literal(one) ?? '' }],
        ),
    )
  if (name === 'rename_column')
    return placed(start, { does: 'rename column', table, column, to: literal(args[2]) ?? '' })
  return placed(start, { does: 'alter column', table, column, form: railsAlteration(name, args) })
}

function railsAlteration(name: string, args: readonly string[]): ColumnForm {
  if (name === 'change_column_null') return { ...unknownForm, isRequired: args[2] === 'false' }
  if (name === 'change_column_default')
    return { ...unknownForm, hasDefault: !/\bto: nil\b|^nil$/.test(args.slice(2).join(' ')) }
  const { type, isRequired } = railsForm(literal(args[2]), args)
  return { type, isRequired: option(args, 'null') === null ? null : isRequired, hasDefault: null }
}

function railsForm(type: string | null, args: readonly string[]): ColumnForm {
  const limit = option(args, 'limit')
  const kind = type === 'string' ? 'varchar' : type
  const fallback = option(args, 'default')
  return {
    type: kind === null ? null : limit === null ? kind : `${kind}(${limit})`,
    isRequired: option(args, 'null') === 'false',
    hasDefault: fallback !== null && fallback !== 'nil',
  }
}

function timestamps(table: string): Change[] {
  const form = { type: 'datetime', isRequired: true, hasDefault: false }
  return ['created_at', 'updated_at'].map((column) => ({ does: 'add column', table, column, form }))
}

const memberCalls = /(\bt)\.(\w+)(?:[ \t]{1,5}|\()(?=["':])|\bt\.(timestamps)\b/g

/** `do |t| … end`; its end is the next line with as much indentation or less. */
function blockFrom(text: string, from: number): string {
  if (!blockOpening.test(text.slice(from, from + 120))) return ''
  const lineStart = text.lastIndexOf('\n', from) + 1
  const indent = /^[ \t]*/.exec(text.slice(lineStart, lineStart + 80))?.[0] ?? ''
  const block = text.slice(from, from + longestCall)
  const line = block.slice(0, Math.max(0, block.indexOf('\n')))
  if (line.trimEnd().endsWith('}')) return line
  const stop = block.indexOf(`\n${indent}end`)
  return stop < 0 ? block : block.slice(0, stop)
}

const blockOpening = /^[^\n]{0,80}(?:do|\{) ?\|(\w{1,20})\|/

function membersOfBlock(written: string, from: number): PlacedChange[] {
  const variable = blockOpening.exec(written.slice(0, 120))?.[1]
  const block = written.replace(/\b\w{1,20}(?=\.\w)/g, (word) =>
    word === variable ? 't'.padStart(word.length) : word,
  )
  return commandsIn(block, memberCalls).flatMap(({ name, args, start }) => {
    const column = literal(args[0])
    if (name === '') return placed(from + start, ...timestamps(''))
    if (column === null) return []
    if (name === 'rename')
      return placed(from + start, { does: 'rename column', table: '', column, to: literal(args[1]) ?? '' })
    if (name === 'remove')
      return placed(
        from + start,
        ...args.flatMap((one): Change[] =>
          /^:\w+$|^["']/.test(one) && !one.includes('=>')
            ? [{ does: 'drop column', table: '', column: literal(one) ?? '' }]
            : [],
        ),
      )
    if (/^(?:index|foreign_key|check_constraint|change_default|unique_constraint)$/.test(name)) return []
    if (name === 'change')
      return placed(from + start, {
        does: 'alter column',
        table: '',
        column,
        form: railsAlteration(name, ['', ...args]),
      })
    const type = name === 'column' ? literal(args[1]) : name
    const isReference = /^(?:references|belongs_to)$/.test(name)
    return placed(from + start, {
      does: 'add column',
      table: '',
      column: isReference ? `${column}_id` : column,
      form: railsForm(isReference ? 'bigint' : type, args),
    })
  })
}

// Alembic.

const alembicCalls = /\b(op|batch_op)\.(\w+)\(/g

function alembicChanges(text: string): PlacedChange[] {
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

// Django. A default of a field is not one of the database: it is for the rows that are there.

const djangoCalls = /\b(migrations)\.(\w+)\(/g

function djangoChanges(path: string, text: string): PlacedChange[] {
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

// Knex and Sequelize.

const scriptCalls = /(\b(?:schema|queryInterface))\s{0,20}\.(\w+)\(/g

function scriptChanges(text: string): PlacedChange[] {
  return callsIn(text, scriptCalls).flatMap(({ receiver, name, args, start, end }) => {
    const table = literal(args[0])
    if (table === null) return []
    const second = literal(args[1])
    if (/^(?:dropTable|dropTableIfExists)$/.test(name)) return placed(start, { does: 'drop table', table })
    if (name === 'renameTable')
      return second === null ? [] : placed(start, { does: 'rename table', table, to: second })
    if (receiver === 'queryInterface') return placed(start, ...sequelizeChange(name, args, table, second))
    const from = text.indexOf('=>', start) >= 0 ? start : start
    const members = knexMembers(text.slice(from, end)).map((change) => ({
      ...change,
      table,
      start: change.start + from,
    }))
    if (name !== 'createTable') return members
    const columns = members.flatMap((one) =>
      one.does === 'add column' ? [{ name: one.column, start: one.start, ...one.form }] : [],
    )
    return placed(start, { does: 'create table', table, columns })
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
    if (name === 'dropColumns')
      return placed(
        start,
        ...args.flatMap((one): Change[] =>
          literal(one) ? [{ does: 'drop column', table: '', column: literal(one) ?? '' }] : [],
        ),
      )
    if (name === 'renameColumn')
      return placed(start, { does: 'rename column', table: '', column, to: literal(args[1]) ?? '' })
    if (!knexTypes.test(name)) return []
    const chain = text.slice(
      end,
      Math.min(end + 300, text.indexOf('\n', end + 1) < 0 ? text.length : text.indexOf('\n', end + 1)),
    )
    const type = name === 'string' ? `varchar(${args[1] ?? '255'})` : name.toLowerCase()
    const form: ColumnForm = {
      type,
      isRequired: /\.notNullable\(|\.primary\(/.test(chain) || /ncrements$/.test(name),
      hasDefault: /\.defaultTo\(|\.primary\(/.test(chain) || /ncrements$/.test(name),
    }
    return placed(start, {
      does: /\.alter\(/.test(chain) ? 'alter column' : 'add column',
      table: '',
      column,
      form,
    })
  })
}
