/** Which tables and columns the queries of a text name. Aliases are resolved, and subqueries are scopes of their own. */
import { isName, keywords, type SqlToken, sqlTokens } from './tokens.ts'

export type QueryUse = {
  table: string
  /** Null for the table itself. */
  column: string | null
  start: number
  /** Other tables may have the column as well. */
  rivals: readonly string[]
  /** Columns that an insertion fills; null for anything else, or where it does not say. */
  inserted: readonly string[] | null
}

/** Null for what is no query. */
export function queryUses(text: string): QueryUse[] | null {
  const tokens = sqlTokens(text)
  return tokens.some((_, at) => startsQuery(tokens, at)) ? new Reader(tokens).run() : null
}

const verbs = /^(?:select|insert|update|delete|with|merge|replace)$/

/** Whether a literal is a query: by its first word, and by what must follow. */
export function isQuery(text: string): boolean {
  return opening.test(text) && /\b(?:from|into|set|join)\b/i.test(text)
}

const opening =
  /^(?:\s|\(|--[^\n]*\n)*(?:select|insert\s{1,9}into|insert|update|delete\s{1,9}from|with|merge|replace\s{1,9}into)\s/i

function startsQuery(tokens: readonly SqlToken[], at: number): boolean {
  const { sort = '', text = '' } = tokens[at] ?? {}
  return sort === 'word' && verbs.test(text)
}

type Column = { qualifier: string | null; name: string; start: number; isOutput: boolean }

type Scope = {
  parent: Scope | null
  /** By alias and by name. */
  tables: Map<string, string>
  named: { table: string; start: number }[]
  /** Subqueries and common tables, of which the columns are not known. */
  hasOthers: boolean
  columns: Column[]
  aliases: Set<string>
  inserted: { table: string; start: number; columns: string[] } | null
  clause: 'from' | 'select' | 'other'
}

class Reader {
  private at = 0
  private readonly uses: QueryUse[] = []
  private readonly commons = new Set<string>()
  private scope: Scope = newScope(null)
  /** For each open bracket the scope around it, or null where it opens none. */
  private readonly open: (Scope | null)[] = []
  private readonly tokens: readonly SqlToken[]

  constructor(tokens: readonly SqlToken[]) {
    this.tokens = tokens
  }

  run(): QueryUse[] {
    this.findCommons()
    while (this.at < this.tokens.length) this.step()
    while (this.open.length > 0) this.close()
    this.finish()
    return this.uses.sort((a, b) => a.start - b.start)
  }

  /** `with x as (`, `, y as (` */
  private findCommons(): void {
    for (const [at, { text }] of this.tokens.entries())
      if (text === 'as' && (this.text(at + 1) === '(' || this.text(at + 1) === 'materialized')) {
        const before = this.text(at - 2)
        if (/^(?:with|recursive|,)$/.test(before)) this.commons.add(this.text(at - 1))
      }
  }

  private text(at = this.at): string {
    return this.tokens[at]?.text ?? ''
  }

  private step(): void {
    const token = this.tokens[this.at]
    const { scope } = this
    if (!token) return
    const { text, sort } = token
    if (text === '(' && sort === 'sign') this.openBracket()
    else if (text === ')' && sort === 'sign') this.close()
    else if (text === ';' && sort === 'sign') this.endStatement()
    else if (sort === 'word' && keywords.has(text)) this.keyword(text)
    else if (isName(token)) this.name(token)
    else if (text === ',' && scope.clause === 'from') this.tables()
    else this.at += 1
  }

  private openBracket(): void {
    const isQuery = /^(?:select|with|values)$/.test(this.text(this.at + 1))
    this.open.push(isQuery ? this.scope : null)
    if (isQuery) {
      if (this.scope.clause === 'from') this.scope.hasOthers = true
      this.scope = newScope(this.scope)
    }
    this.at += 1
  }

  private close(): void {
    const around = this.open.pop()
    if (around) {
      this.finish()
      this.scope = around
    }
    this.at += 1
  }

  private endStatement(): void {
    while (this.open.length > 0) this.close()
    this.finish()
    this.scope = newScope(null)
    this.at += 1
  }

  private keyword(text: string): void {
    const { scope } = this
    this.at += 1
    if (/^(?:union|except|intersect)$/.test(text)) {
      this.finish()
      this.scope = newScope(scope.parent)
    } else if (text === 'select') scope.clause = 'select'
    else if (
      text === 'join' ||
      (text === 'from' && !this.isFromOfFunction()) ||
      (text === 'using' && scope.clause !== 'from')
    ) {
      scope.clause = 'from'
      if (text !== 'using' || this.text() !== '(') this.tables()
    } else if (text === 'into' && this.text(this.at - 2) !== 'select') this.insertion()
    else if (text === 'update' && !/^(?:for|do|key|on)$/.test(this.text(this.at - 2))) this.updated()
    else if (/^(?:where|group|order|having|limit|set|values|returning|on)$/.test(text))
      scope.clause = text === 'on' ? scope.clause : 'other'
    else if (text === 'as' && isNameAt(this.tokens, this.at)) this.alias()
  }

  /** `extract(year from t)`, `trim(both from t)`, `is distinct from`. */
  private isFromOfFunction(): boolean {
    return (
      this.text(this.at - 2) === 'distinct' ||
      (this.open.at(-1) === null && this.open.length > 0 && this.scope.clause !== 'from' && this.isInCall())
    )
  }

  private isInCall(): boolean {
    for (let at = this.at - 2; at >= 0 && at > this.at - 12; at--)
      if (this.text(at) === '(')
        return (
          isNameAt(this.tokens, at - 1) ||
          /^(?:extract|substring|trim|overlay|position)$/.test(this.text(at - 1))
        )
    return false
  }

  /** One table, or nothing where a bracket opens. */
  private tables(): void {
    if (this.text() === ',') this.at += 1
    while (/^(?:only|lateral|ignore)$/.test(this.text())) this.at += 1
    const found = this.tableName()
    if (!found) return
    this.addTable(found.table, found.start)
  }

  private addTable(table: string, start: number): void {
    const { scope } = this
    if (this.text() === '(') {
      scope.hasOthers = true
      return
    }
    if (this.text() === 'as') this.at += 1
    const alias = isNameAt(this.tokens, this.at) ? this.text() : null
    if (alias !== null) this.at += 1
    if (this.commons.has(table)) {
      scope.hasOthers = true
      return
    }
    scope.named.push({ table, start })
    scope.tables.set(alias ?? table, table)
  }

  /** The last part of `database.schema.table`. */
  private tableName(): { table: string; start: number } | null {
    let token = this.tokens[this.at]
    if (!token || !isNameAt(this.tokens, this.at)) return null
    this.at += 1
    while (this.text() === '.' && this.tokens[this.at + 1]) {
      token = this.tokens[this.at + 1] ?? token
      this.at += 2
    }
    return { table: token.text, start: token.start }
  }

  private insertion(): void {
    if (this.text() === 'table') this.at += 1
    const found = this.tableName()
    if (!found) return
    const { scope } = this
    const columns: string[] = []
    if (this.text() === 'as') this.at += 2
    if (this.text() === '(' && !/^(?:select|with|values)$/.test(this.text(this.at + 1))) {
      for (this.at += 1; this.at < this.tokens.length && this.text() !== ')'; this.at++) {
        const token = this.tokens[this.at]
        if (!token || token.text === ',' || token.sort === 'sign') continue
        columns.push(token.text)
        scope.columns.push({ qualifier: found.table, name: token.text, start: token.start, isOutput: false })
      }
      this.at += 1
    }
    scope.tables.set(found.table, found.table).set('excluded', found.table)
    scope.named.push(found)
    scope.inserted = { ...found, columns }
    scope.clause = 'other'
  }

  private updated(): void {
    if (this.text() === 'only') this.at += 1
    const found = this.tableName()
    if (found) this.addTable(found.table, found.start)
  }

  private alias(): void {
    this.scope.aliases.add(this.text())
    this.at += 1
  }

  /** A name in an expression: a function, an alias, or a column. */
  private name(token: SqlToken): void {
    const { scope } = this
    const previous = this.tokens[this.at - 1]
    const isOutput = scope.clause === 'select'
    this.at += 1
    if (this.text() === '(' && token.sort === 'word') return
    if (previous?.text === ':' && this.text(this.at - 3) === ':') return
    if (previous && followsValue(previous) && isOutput) {
      scope.aliases.add(token.text)
      return
    }
    if (this.text() !== '.') {
      scope.columns.push({ qualifier: null, name: token.text, start: token.start, isOutput })
      return
    }
    let parts = [token]
    while (this.text() === '.' && this.tokens[this.at + 1]) {
      const next = this.tokens[this.at + 1]
      if (next) parts = [...parts.slice(-1), next]
      this.at += 2
    }
    const [owner, column] = parts
    if (owner && column && column.text !== '*' && this.text() !== '(')
      scope.columns.push({ qualifier: owner.text, name: column.text, start: column.start, isOutput })
  }

  private finish(): void {
    const { scope } = this
    for (const { table, start } of scope.named) {
      const inserted =
        scope.inserted?.start === start && scope.inserted.columns.length > 0 ? scope.inserted.columns : null
      this.uses.push({ table, column: null, start, rivals: [], inserted })
    }
    const all = [...new Set(scope.tables.values())]
    for (const { qualifier, name, start, isOutput } of scope.columns) {
      const owner = qualifier === null ? null : lookUp(scope, qualifier)
      if (owner) this.uses.push({ table: owner, column: name, start, rivals: [], inserted: null })
      else if (qualifier === null && (isOutput || !scope.aliases.has(name)) && all.length <= mostRivals)
        for (const table of all) {
          const others = all.filter((one) => one !== table)
          const rivals = scope.hasOthers ? [...others, '?'] : others
          this.uses.push({ table, column: name, start, rivals, inserted: null })
        }
    }
  }
}

const mostRivals = 12

function newScope(parent: Scope | null): Scope {
  return {
    parent,
    tables: new Map(),
    named: [],
    hasOthers: false,
    columns: [],
    aliases: new Set(),
    inserted: null,
    clause: 'other',
  }
}

/** Scopes in which a qualifier is looked up. */
const deepest = 20

function lookUp(scope: Scope, qualifier: string): string | null {
  let at: Scope | null = scope
  for (let depth = 0; at && depth < deepest; depth++, at = at.parent) {
    const table = at.tables.get(qualifier)
    if (table !== undefined) return table
  }
  return null
}

function isNameAt(tokens: readonly SqlToken[], at: number): boolean {
  const token = tokens[at]
  return token !== undefined && isName(token)
}

/** A name after a value or a bracket is what the value is called. */
function followsValue(token: SqlToken): boolean {
  return token.sort === 'string' || isName(token) || /^(?:\)|end|null|true|false|\d.*)$/.test(token.text)
}
