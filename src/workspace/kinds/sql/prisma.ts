/** Models of Prisma: the tables that they are kept in. */
import type { ColumnForm, PlacedChange } from './changes.ts'

export type PrismaModel = {
  table: string
  start: number
  /** Where the name of the table is, which is the model's own where none is mapped. */
  tableStart: number
  columns: readonly ({ name: string; start: number } & ColumnForm)[]
}

const scalar =
  /^(?:String|Int|BigInt|Float|Decimal|Boolean|DateTime|Json|Bytes|Unsupported\(.*\))(?:\[\])?\??$/

export function prismaModels(text: string): PrismaModel[] {
  const enums = new Set([...text.matchAll(/^enum[ \t]+(\w+)/gm)].map(([, name]) => name))
  const models: PrismaModel[] = []
  let open: {
    table: string
    start: number
    tableStart: number
    columns: PrismaModel['columns'][number][]
  } | null = null
  let start = 0
  for (const line of text.split('\n')) {
    const words = line.trim()
    const name = /^(?:model|view)[ \t]+(\w+)[ \t]*\{/.exec(words)?.[1]
    if (name !== undefined) open = { table: name, start, tableStart: start, columns: [] }
    else if (open && words.startsWith('}')) {
      models.push(open)
      open = null
    } else if (open) {
      const mapped = /^@@map\((?:name:[ \t]*)?"([^"]{1,200})"/.exec(words)?.[1]
      if (mapped !== undefined) Object.assign(open, { table: mapped, tableStart: start })
      const column = columnOf(words, enums)
      if (column) open.columns.push({ ...column, start })
    }
    start += line.length + 1
  }
  return models.map((model) => ({ ...model, table: model.table.toLowerCase() }))
}

function columnOf(
  words: string,
  enums: ReadonlySet<string | undefined>,
): ({ name: string } & ColumnForm) | null {
  const [name = '', type = ''] = words.split(/[ \t]+/, 2)
  const plain = type.replace(/[?[\]]/g, '')
  if (!/^[A-Za-z]\w*$/.test(name) || !(scalar.test(type) || enums.has(plain))) return null
  const mapped = /[ \t]@map\((?:name:[ \t]*)?"([^"]{1,200})"/.exec(words.slice(0, 500))?.[1]
  return {
    name: (mapped ?? name).toLowerCase(),
    type: plain.toLowerCase(),
    isRequired: !type.endsWith('?') && !type.endsWith(']'),
    hasDefault: /[ \t]@(?:default|updatedAt|id)\b/.test(words),
  }
}

export function prismaChanges(text: string): PlacedChange[] {
  return prismaModels(text).map(({ table, start, columns }) => ({
    does: 'create table',
    table,
    columns,
    start,
  }))
}
