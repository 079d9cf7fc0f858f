/** Which names have a type that the text gives away: written, or plain from the value they start with. */
import type { SymbolKind } from '../../domain/code-symbol.ts'
import type { TypedName } from '../contract.ts'
import { classLike, type Symbols } from './symbols.ts'
import { fold, none, type Syntax } from './syntax.ts'
import type { LanguageTable, TypedReader, TypedRule } from './table.ts'

export function typedNamesOf(
  nodes: readonly number[],
  syntax: Syntax,
  table: LanguageTable,
  symbols: Symbols,
): TypedName[] {
  return nodes.flatMap((node) => {
    const rule = table.typed[syntax.kind(node)]
    if (!rule) return []
    const found = typeof rule === 'function' ? read(rule, syntax, node) : declared(node, rule, syntax, table)
    return found.flatMap(({ name, holder, type: written, value }) => {
      const type = writtenType(syntax, table, written) ?? valueType(syntax, table, value)
      if (name === none || type === null) return []
      const offset = syntax.start(name)
      const named = symbols.namedAt(offset)
      const around = named === null ? symbols.enclosing(offset) : (symbols.parents[named] ?? null)
      const enclosing = name === holder ? around : nearestClass(around, symbols)
      return [{ name: syntax.text(name), type, line: syntax.lineAt(offset), enclosing }]
    })
  })
}

type Declared = { name: number; holder: number; type: number; value: number }

function read(rule: TypedReader, syntax: Syntax, node: number): Declared[] {
  return rule(syntax, node).map(({ name, type = none, value = none }) => ({
    name,
    holder: name,
    type,
    value,
  }))
}

/** The names a declaration declares, each with its value. */
function declared(node: number, rule: TypedRule, syntax: Syntax, table: LanguageTable): Declared[] {
  const { inner, value = '' } = rule
  const type = rule.type === undefined ? none : syntax.child(node, rule.type)
  const holders = rule.name === '#0' ? firstOf(syntax, node) : syntax.children(node, rule.name)
  if (inner !== undefined)
    return holders.map((outer) => {
      const name = syntax.child(outer, inner)
      return { name, holder: name, type, value: syntax.child(outer, value) }
    })
  const names = listed(holders, syntax, table)
  const values = listed([syntax.child(node, value)], syntax, table)
  return names.map((holder, index) => ({
    name: nameIn(holder, syntax, table),
    holder,
    type,
    value: names.length === values.length ? (values[index] ?? none) : none,
  }))
}

function listed(nodes: readonly number[], syntax: Syntax, table: LanguageTable): number[] {
  return nodes.flatMap((node) =>
    syntax.is(node, ...(table.valueLists ?? [])) ? syntax.children(node) : [node],
  )
}

/** The name itself, or the property of `this.x` and `self.x`; none for patterns. */
function nameIn(holder: number, syntax: Syntax, table: LanguageTable): number {
  if (syntax.kind(holder) in table.names) return holder
  const field = table.receivers[syntax.kind(holder)]
  if (field === undefined || !/^(?:this|self)$/.test(syntax.text(syntax.child(holder, field)))) return none
  return syntax.children(holder).at(-1) ?? none
}

/** Null as well for words that leave the type to the value. */
function writtenType(syntax: Syntax, table: LanguageTable, type: number): string | null {
  const text = syntax.text(type)
  return type === none || text === 'var' ? null : baseType(text, table.transparentTypes)
}

function valueType(syntax: Syntax, table: LanguageTable, value: number): string | null {
  const type = value === none ? null : table.constructed(syntax, value)
  return type === null ? null : baseType(type, table.transparentTypes)
}

function nearestClass(from: number | null, symbols: Symbols): number | null {
  const isClass = (kind: SymbolKind | undefined): boolean => kind !== undefined && classLike.has(kind)
  let at = from
  while (at !== null && !isClass(symbols.symbols[at]?.kind)) at = symbols.parents[at] ?? null
  return at
}

function firstOf(syntax: Syntax, node: number): number[] {
  const first = syntax.firstChild(node)
  return first === none ? [] : [first]
}

/** What most types look like; the rest of `baseType` would come to the same. */
const plainType = /^(?::\s*)?[*&]?([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)$/

/**
 * The type whose members a value of the written type has: `*Foo`, `Foo | null`, `&mut Foo<T>`, and what a transparent
 * type holds → `Foo`. Null for lists, functions, literals and real unions.
 */
export function baseType(written: string, transparent: readonly string[] = []): string | null {
  if (written.length > 300) return null
  const [, plain] = plainType.exec(written) ?? []
  if (plain !== undefined) return plain
  let type = fold(written).replace(/^:\s*/, '')
  for (let round = 0; round < 4; round++) {
    const before = type
    type = type
      .replace(/^["'](.*)["']$/, '$1')
      .replace(/^(?:[*&]|'\w+\s|(?:mut|dyn|impl|const|final|readonly|unique)\s)\s*/, '')
      .replace(/\|\s*(?:null|undefined|None)$/, '')
      .trimEnd()
      .replace(/^(?:null|undefined|None)\s*\|\s*/, '')
      .replace(/\?$/, '')
    const [, holder, held] = /^([\w.:]+)\s*[<[](.*)[>\]]$/.exec(type) ?? []
    if (holder !== undefined && held !== undefined && transparent.includes(holder)) type = held
    if (type === before) break
  }
  const bare = type.replace(/^([\w$.:]+?)(?:::)?(?:<.*>|\[[^\]].*\])$/, '$1')
  return /^[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*$/.test(bare) ? bare : null
}
