/** What a file does to tables, whichever library it is written for. */
import { languageOf } from '../../../code-index/language-of.ts'
import { codeStrings } from '../../code-strings.ts'
import { alembicChanges } from './alembic.ts'
import { isNamed, type PlacedChange, sqlChanges } from './changes.ts'
import { djangoChanges } from './django.ts'
import { prismaChanges } from './prisma.ts'
import { railsChanges } from './rails.ts'
import { scriptChanges } from './script-migrations.ts'

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
