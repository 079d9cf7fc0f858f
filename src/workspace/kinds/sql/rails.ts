/** What a migration of Rails does to tables. */
import { type CallText, commandsIn, literal, longestCall, option } from './calls.ts'
import {
  type Change,
  type ColumnForm,
  columnsIn,
  dropped,
  type PlacedChange,
  placed,
  unknownForm,
} from './changes.ts'

const railsCalls =
  /(^|[ \t;.{])(create_table|drop_table|rename_table|add_column|remove_columns?|rename_column|change_column|change_column_null|change_column_default|add_reference|add_belongs_to|remove_reference|remove_belongs_to|add_timestamps|change_table)(?:[ \t]{1,5}|\()(?=["':])/gm

export function railsChanges(text: string): PlacedChange[] {
  const code = text.replace(/#[^\n{][^\n]*/g, (note) => ' '.repeat(note.length))
  let last = 0
  return commandsIn(code, railsCalls).flatMap((call) => {
    const table = literal(call.args[0])
    if (table === null || call.start < last) return []
    const block = /^(?:create|change)_table$/.test(call.name) ? blockFrom(code, call.end) : ''
    last = call.end + block.length
    return railsChange(call, table, membersOfBlock(block, call.end))
  })
}

function railsChange(
  { name, args, start }: CallText,
  table: string,
  members: readonly PlacedChange[],
): PlacedChange[] {
  if (name === 'create_table') {
    const isJoin = /^(?:false|nil)$/.test(option(args, 'id') ?? '')
    const id = { name: 'id', type: 'bigint', isRequired: true, hasDefault: true }
    const columns = columnsIn(members)
    return placed(start, { does: 'create table', table, columns: isJoin ? columns : [id, ...columns] })
  }
  if (name === 'change_table') return members.map((change) => ({ ...change, table }))
  if (name === 'drop_table') return placed(start, { does: 'drop table', table })
  if (name !== 'rename_table') return placed(start, ...columnChanges(name, args, table))
  const to = literal(args[1])
  return to === null ? [] : placed(start, { does: 'rename table', table, to })
}

function columnChanges(name: string, args: readonly string[], table: string): Change[] {
  if (name === 'add_timestamps')
    return ['created_at', 'updated_at'].map((column) => ({
      does: 'add column',
      table,
      column,
      form: timestamp,
    }))
  const column = literal(args[1])
  if (column === null) return []
  if (/reference|belongs_to/.test(name)) {
    const key = `${column}_id`
    return name.startsWith('add')
      ? [{ does: 'add column', table, column: key, form: railsForm('bigint', args) }]
      : [{ does: 'drop column', table, column: key }]
  }
  switch (name) {
    case 'add_column':
      return [{ does: 'add column', table, column, form: railsForm(literal(args[2]), args) }]
    case 'remove_column':
      return [{ does: 'drop column', table, column }]
    case 'remove_columns':
      return args.slice(1).flatMap(dropped(table))
    case 'rename_column':
      return [{ does: 'rename column', table, column, to: literal(args[2]) ?? '' }]
    default:
      return [{ does: 'alter column', table, column, form: railsAlteration(name, args) }]
  }
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

const timestamp: ColumnForm = { type: 'datetime', isRequired: true, hasDefault: false }

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
    if (/^(?:index|foreign_key|check_constraint|change_default|unique_constraint)$/.test(name)) return []
    const [column = '', ...rest] = args
    const statement = asStatements[name]
    const all = statement === undefined ? ['', column, `:${name}`, ...rest] : ['', ...args]
    return placed(from + start, ...columnChanges(statement ?? 'add_column', all, ''))
  })
}

/** What a line of a block is as a statement of its own; any other name is the type of a new column. */
const asStatements: Readonly<Record<string, string>> = {
  '': 'add_timestamps',
  rename: 'rename_column',
  remove: 'remove_columns',
  change: 'change_column',
  references: 'add_reference',
  belongs_to: 'add_reference',
  column: 'add_column',
}
