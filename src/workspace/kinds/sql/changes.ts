/** What one step of a migration does to tables and columns, whoever wrote it: SQL, or calls of a library. */
import { literal } from './calls.ts'
import { isName, type SqlToken, sqlTokens } from './tokens.ts'

export type ColumnForm = {
  /** In lower case: `varchar(40)`; null where it is not known. */
  type: string | null
  isRequired: boolean | null
  hasDefault: boolean | null
}

/** `start` where it is not that of the whole change. */
export type NewColumn = ColumnForm & { name: string; start?: number }

/** `alias`: what later migrations call the table, where that is not its name. */
export type Change =
  | { does: 'create table'; table: string; columns: readonly NewColumn[] | null; alias?: string }
  | { does: 'drop table'; table: string }
  | { does: 'rename table'; table: string; to: string; alias?: string }
  | { does: 'add column'; table: string; column: string; form: ColumnForm }
  | { does: 'drop column'; table: string; column: string }
  | { does: 'rename column'; table: string; column: string; to: string }
  /** Nulls of `form` stay as they are. */
  | { does: 'alter column'; table: string; column: string; form: ColumnForm }

export type PlacedChange = Change & { start: number }

export const unknownForm: ColumnForm = { type: null, isRequired: null, hasDefault: null }

/** Of the definitions in a text of SQL, in order. */
export function sqlChanges(text: string): PlacedChange[] {
  return statementsOf(sqlTokens(text)).flatMap((statement) => new Statement(statement).changes())
}

/** What is cut off has no name, or a sign for one; what a program completes has a hole in it. */
export function isNamed(change: Change): boolean {
  const names = [change.table, 'column' in change ? change.column : 'a', 'to' in change ? change.to : 'a']
  return names.every((name) => /^[\p{L}_][^'"{}]*$/u.test(name))
}

function statementsOf(tokens: readonly SqlToken[]): SqlToken[][] {
  const statements: SqlToken[][] = [[]]
  for (const token of tokens) {
    if (token.sort === 'sign' && token.text === ';') statements.push([])
    else statements.at(-1)?.push(token)
  }
  return statements
}

class Statement {
  private at = 0
  private readonly tokens: readonly SqlToken[]

  constructor(tokens: readonly SqlToken[]) {
    this.tokens = tokens
  }

  changes(): PlacedChange[] {
    const words = this.tokens.slice(0, 8).map(({ text }) => text)
    const noun = words.findIndex((word) => /^(?:table|view)$/.test(word))
    if (noun < 1) return []
    this.at = noun + 1
    if (words[0] === 'create' && noun < 6) return this.created(words[noun] === 'view')
    if (words[0] === 'drop') return this.dropped()
    if (words[0] === 'alter' && words[noun] === 'table') return this.altered()
    return words[0] === 'rename' && noun === 1 ? this.renamed() : []
  }

  private text(ahead = 0): string {
    return this.tokens[this.at + ahead]?.text ?? ''
  }

  private get start(): number {
    return this.tokens[this.at]?.start ?? this.tokens.at(-1)?.start ?? 0
  }

  private takes(...words: readonly string[]): boolean {
    const matches = words.every((word, ahead) => this.text(ahead) === word)
    if (matches) this.at += words.length
    return matches
  }

  private ifExists(): void {
    this.takes('if', 'not', 'exists')
    this.takes('if', 'exists')
    this.takes('only')
  }

  /** The last part of a dotted name. */
  private name(): string {
    let name = this.text()
    this.at += 1
    while (this.text() === '.') {
      name = this.text(1)
      this.at += 2
    }
    return name
  }

  private created(isView: boolean): PlacedChange[] {
    this.ifExists()
    const { start } = this
    const table = this.name()
    if (isView || this.text() !== '(' || this.text(1) === 'select')
      return [{ does: 'create table', table, columns: null, start }]
    const columns = this.inBrackets().flatMap(columnOf)
    return [{ does: 'create table', table, columns, start }]
  }

  /** The parts of the next bracket, split at its commas. */
  private inBrackets(): SqlToken[][] {
    const parts: SqlToken[][] = [[]]
    let depth = 0
    for (; this.at < this.tokens.length; this.at++) {
      const token = this.tokens[this.at]
      if (!token) break
      const isSign = token.sort === 'sign'
      if (isSign && token.text === ')') depth -= 1
      if (depth === 0 && isSign && token.text === ')') break
      if (isSign && token.text === ',' && depth === 1) parts.push([])
      else if (depth > 0) parts.at(-1)?.push(token)
      if (isSign && token.text === '(') depth += 1
    }
    return parts
  }

  private dropped(): PlacedChange[] {
    const found: PlacedChange[] = []
    do {
      this.ifExists()
      const { start } = this
      found.push({ does: 'drop table', table: this.name(), start })
    } while (this.takes(','))
    return found
  }

  private renamed(): PlacedChange[] {
    const found: PlacedChange[] = []
    do {
      const { start } = this
      const table = this.name()
      if (this.takes('to')) found.push({ does: 'rename table', table, to: this.name(), start })
    } while (this.takes(','))
    return found
  }

  private altered(): PlacedChange[] {
    this.ifExists()
    const { start } = this
    const table = this.name()
    const actions = splitActions(this.tokens.slice(this.at))
    return actions.flatMap((action) =>
      new Statement(action).action(table).map((change) => ({ ...change, start: action[0]?.start ?? start })),
    )
  }

  /** `start` is set by the caller. */
  private action(table: string): Change[] {
    if (this.takes('add')) return this.added(table)
    if (this.takes('drop')) {
      if (!this.takes('column') && notColumns.test(this.text())) return []
      this.ifExists()
      return [{ does: 'drop column', table, column: this.name() }]
    }
    if (this.takes('rename')) return this.renaming(table)
    if (this.takes('alter')) return this.alteredColumn(table)
    if (this.takes('modify')) {
      this.takes('column')
      return this.redefined(table, this.tokens.slice(this.at))
    }
    if (!this.takes('change')) return []
    this.takes('column')
    const column = this.name()
    const rest = this.tokens.slice(this.at)
    const to = rest[0]?.text ?? column
    const renamed: Change[] = to === column ? [] : [{ does: 'rename column', table, column, to }]
    return [...renamed, ...this.redefined(table, rest)]
  }

  private added(table: string): Change[] {
    if (!this.takes('column') && notColumns.test(this.text())) return []
    this.ifExists()
    const parts = this.text() === '(' ? this.inBrackets() : [this.tokens.slice(this.at)]
    return parts
      .flatMap(columnOf)
      .map(({ name, ...form }) => ({ does: 'add column', table, column: name, form }))
  }

  private renaming(table: string): Change[] {
    if (this.takes('to') || this.takes('as')) return [{ does: 'rename table', table, to: this.name() }]
    if (!this.takes('column') && notColumns.test(this.text())) return []
    const column = this.name()
    return this.takes('to') ? [{ does: 'rename column', table, column, to: this.name() }] : []
  }

  private alteredColumn(table: string): Change[] {
    if (!this.takes('column') && notColumns.test(this.text())) return []
    const column = this.name()
    const alter = (form: Partial<ColumnForm>): Change[] => [
      { does: 'alter column', table, column, form: { ...unknownForm, ...form } },
    ]
    if (this.takes('set', 'not', 'null')) return alter({ isRequired: true })
    if (this.takes('drop', 'not', 'null')) return alter({ isRequired: false })
    if (this.takes('set', 'default')) return alter({ hasDefault: true })
    if (this.takes('drop', 'default')) return alter({ hasDefault: false })
    this.takes('set', 'data')
    if (this.takes('type')) return alter({ type: typeOf(this.tokens.slice(this.at)) })
    return isName(this.tokens[this.at] ?? none)
      ? this.redefined(table, [{ text: column, sort: 'name', start: 0 }, ...this.tokens.slice(this.at)])
      : []
  }

  private redefined(table: string, definition: readonly SqlToken[]): Change[] {
    return columnOf(definition).map(({ name, start: _, ...form }) => ({
      does: 'alter column',
      table,
      column: name,
      form,
    }))
  }
}

const none: SqlToken = { text: '', sort: 'sign', start: 0 }

const notColumns =
  /^(?:constraint|primary|foreign|unique|index|key|check|exclude|fulltext|spatial|partition|like|period|trigger|default|system)$/

function splitActions(tokens: readonly SqlToken[]): SqlToken[][] {
  const parts: SqlToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.sort === 'sign' && token.text === '(') depth += 1
    if (token.sort === 'sign' && token.text === ')') depth -= 1
    if (token.sort === 'sign' && token.text === ',' && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((part) => part.length > 0)
}

/** `name varchar(40) not null default 'a'`; nothing for a constraint. */
function columnOf(tokens: readonly SqlToken[]): NewColumn[] {
  const [first, ...rest] = tokens
  if (!first || first.sort === 'sign' || first.sort === 'string') return []
  if (first.sort === 'word' && notColumns.test(first.text)) return []
  const words = ` ${rest.map(({ text }) => text).join(' ')} `
  const isRequired = / not null /.test(words) || / primary key /.test(words)
  const hasDefault =
    / (?:default|generated|identity|auto_increment|autoincrement|primary key|serial|bigserial|smallserial|as) /.test(
      words,
    )
  return [{ name: first.text, start: first.start, type: typeOf(rest), isRequired, hasDefault }]
}

const afterType =
  /^(?:not|null|default|primary|unique|references|check|constraint|collate|generated|using|comment|auto_increment|autoincrement|identity|first|after|as|on)$/

function typeOf(tokens: readonly SqlToken[]): string | null {
  const end = tokens.findIndex(({ text, sort }) => sort === 'word' && afterType.test(text))
  const words = tokens.slice(0, end < 0 ? undefined : end).map(({ text }) => text)
  return words.length === 0
    ? null
    : words
        .slice(0, 12)
        .join(' ')
        .replace(/ ?([(),]) ?/g, '$1')
}

/** What drops the columns that are given as arguments of a call. */
export function dropped(table: string): (argument: string) => Change[] {
  return (argument) => {
    const column = literal(argument)
    return column ? [{ does: 'drop column', table, column }] : []
  }
}

/** Those of a new table, from what adds them. */
export function columnsIn(changes: readonly PlacedChange[]): NewColumn[] {
  return changes.flatMap((one) =>
    one.does === 'add column' ? [{ name: one.column, start: one.start, ...one.form }] : [],
  )
}

/** At one place of a file. */
export function placed(start: number, ...changes: readonly Change[]): PlacedChange[] {
  return changes.map((change) => ({ ...change, start }))
}
