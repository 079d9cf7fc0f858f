/** Tables and columns that object mappings name: SQLAlchemy, Django, ActiveRecord, TypeORM, JPA and Prisma. */
import { type Lines, splitLines } from '../../../code-index/resolve/lines.ts'
import type { SourceFile } from '../../contract.ts'
import { CodeText } from '../reading/code-text.ts'
import { callsIn, literal, option } from './calls.ts'
import { prismaModels } from './prisma.ts'

/** `start` is where the name is said, or else where the model is. */
export type Model = { table: string; start: number; columns: readonly { name: string; start: number }[] }

export function modelsOf(file: SourceFile): Model[] {
  if (file.path.endsWith('.prisma'))
    return prismaModels(file.text).map(({ table, tableStart, columns }) => ({
      table,
      start: tableStart,
      columns,
    }))
  const { facts } = file
  if (!facts) return []
  const code = new CodeText(file)
  const lines = splitLines(file.text)
  return facts.symbols
    .filter(({ kind }) => kind === 'class')
    .flatMap(({ startLine, endLine }) => {
      // Annotations stand before a class and are of its first lines.
      const { text, offset } = code.linesOf({ startLine: annotationLine(lines, startLine), endLine })
      const model = readers[facts.language]?.(text)
      if (!model) return []
      const { table, start, columns } = model
      return {
        table: table.toLowerCase().slice(table.lastIndexOf('.') + 1),
        start: start + offset,
        columns: columns.map((one) => ({ name: one.name.toLowerCase(), start: one.start + offset })),
      }
    })
}

type Reader = (text: string) => Model | null

const readers: Record<string, Reader> = {
  python: pythonModel,
  ruby: rubyModel,
  java: javaModel,
  kotlin: javaModel,
  typescript: typeormModel,
  tsx: typeormModel,
}

/** The line of the first annotation above a class; that of the class where there is none. */
function annotationLine(lines: Lines, line: number): number {
  let first = line
  for (let above = line - 1; above > 0 && above > line - 19; above--) {
    const text = lines.at(above)
    if (!/^\s*[@)\]}\w"]/.test(text.slice(0, 80)) || /[;{}]\s*$/.test(text.slice(-80))) break
    if (/^\s*@/.test(text.slice(0, 80))) first = above
  }
  return first
}

function pythonModel(text: string): Model | null {
  const table = /^[ \t]+__tablename__(?:[ \t]*:[ \t]*str)?[ \t]*=[ \t]*["']([\w.]{1,200})["']/m.exec(text)
  if (table?.[1] !== undefined) return { table: table[1], start: table.index, columns: pythonColumns(text) }
  const djangoTable = /^[ \t]+db_table[ \t]*=[ \t]*["']([\w."]{1,200})["']/m.exec(text)
  if (djangoTable?.[1] === undefined) return null
  return { table: djangoTable[1].replaceAll('"', ''), start: djangoTable.index, columns: djangoColumns(text) }
}

const pythonColumn =
  /^[ \t]+()(\w{1,80})(?:[ \t]*:[^=\n]{1,200})?[ \t]*=[ \t]*(?:\w{1,20}\.)?(?:Column|mapped_column)\(/gm

function pythonColumns(text: string): Model['columns'] {
  return callsIn(text, pythonColumn).map(({ name, args, start }) => ({
    name: literal(args[0]) ?? name,
    start,
  }))
}

const djangoField =
  /^[ \t]+()(\w{1,80})[ \t]*=[ \t]*(?:\w{1,20}\.)?(?=\w{1,40}Field\(|ForeignKey\()\w{1,40}\(/gm

function djangoColumns(text: string): Model['columns'] {
  return callsIn(text, djangoField).flatMap(({ name, args, start }) => {
    const isKey = /(?:ForeignKey|OneToOneField)\($/.test(text.slice(start, text.indexOf('(', start) + 1))
    if (text.slice(start, text.indexOf('(', start)).endsWith('ManyToManyField')) return []
    return [{ name: literal(option(args, 'db_column') ?? undefined) ?? (isKey ? `${name}_id` : name), start }]
  })
}

/** Columns are not written in a model of ActiveRecord. */
function rubyModel(text: string): Model | null {
  const table = /^[ \t]*self\.table_name[ \t]*=[ \t]*["':]([\w.]{1,200})/m.exec(text)
  return table?.[1] === undefined ? null : { table: table[1], start: table.index, columns: [] }
}

function javaModel(text: string): Model | null {
  const [table] = callsIn(text, /(@)(Table)\(/g)
  const name = table && literal(option(table.args, 'name') ?? table.args[0])
  if (!table || !name) return null
  const columns = callsIn(text, /(@)((?:Join)?Column)\(/g).flatMap((call) => {
    const column = literal(option(call.args, 'name') ?? undefined)
    return column === null ? [] : [{ name: column, start: call.start }]
  })
  return { table: name, start: table.start, columns }
}

function typeormModel(text: string): Model | null {
  const [entity] = callsIn(text, /(@)(Entity)\(/g)
  if (!entity) return null
  const name = nameIn(entity.args)
  if (name === null) return null
  const columns = callsIn(text, /(@)(\w{0,30}Column)\(/g).flatMap((call) => {
    const property = /^\)\s{0,80}(?:(?:public|private|readonly|declare) ){0,3}(\w{1,80})/.exec(
      text.slice(call.end, call.end + 300),
    )?.[1]
    const column = nameIn(call.args) ?? property
    return column === undefined || call.name === 'JoinColumn' ? [] : [{ name: column, start: call.start }]
  })
  return { table: name, start: entity.start, columns }
}

/** `'users'` or `{ name: 'users' }`. */
function nameIn(args: readonly string[]): string | null {
  const written = args.find((one) => one.startsWith('{'))
  const inObject = /\bname:\s{0,5}['"`]([\w.]{1,200})/.exec(written?.slice(0, 500) ?? '')?.[1]
  return (
    inObject ??
    (/^['"`]/.test(args[0] ?? '') && args.length > 0 && !isType(args[0]) ? literal(args[0]) : null)
  )
}

/** A column's first word is its type. */
function isType(argument: string | undefined): boolean {
  return /^['"`](?:varchar|text|int|integer|bigint|uuid|jsonb?|boolean|bool|timestamp|timestamptz|date|datetime|enum|decimal|numeric|float)['"`]$/.test(
    argument ?? '',
  )
}
