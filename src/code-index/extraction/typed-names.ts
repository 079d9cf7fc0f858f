/** Which names have a type that the text gives away: written, or plain from the value they start with. */
import type { SymbolKind } from '../../domain/code-symbol.ts'
import type { TypedName } from '../contract.ts'
import { fold } from './signature.ts'
import { classLike, type Symbols } from './symbols.ts'
import { none, type Syntax } from './syntax.ts'
import type { LanguageTable } from './table.ts'

export function typedNamesOf(
  nodes: readonly number[],
  syntax: Syntax,
  table: LanguageTable,
  symbols: Symbols,
): TypedName[] {
  return nodes.flatMap((node) => {
    const rule = table.typed[syntax.kind(node)]
    if (!rule) return []
    const type = writtenType(syntax, node, rule.type) ?? valueType(syntax, table, node, rule.value)
    if (type === null) return []
    const holders = rule.name === '#0' ? syntax.children(node).slice(0, 1) : syntax.children(node, rule.name)
    return holders.flatMap((holder) => {
      const name = nameIn(holder, syntax, table)
      if (name === none) return []
      const offset = syntax.start(name)
      const named = symbols.namedAt(offset)
      const around = named === null ? symbols.enclosing(offset) : (symbols.parents[named] ?? null)
      return [
        {
          name: syntax.text(name),
          type,
          line: syntax.lineAt(offset),
          enclosing: name === holder ? around : nearestClass(around, symbols),
        },
      ]
    })
  })
}

/** The name itself, or the property of `this.x` and `self.x`; none for patterns. */
function nameIn(holder: number, syntax: Syntax, table: LanguageTable): number {
  if (syntax.kind(holder) in table.names) return holder
  const field = table.receivers[syntax.kind(holder)]
  if (field === undefined || !/^(?:this|self)$/.test(syntax.text(syntax.child(holder, field)))) return none
  return syntax.children(holder).at(-1) ?? none
}

function writtenType(syntax: Syntax, node: number, field: string): string | null {
  const type = syntax.child(node, field)
  return type === none ? null : baseType(syntax.text(type))
}

function valueType(
  syntax: Syntax,
  table: LanguageTable,
  node: number,
  field: string | undefined,
): string | null {
  const value = field === undefined ? none : syntax.child(node, field)
  const type = value === none ? null : table.constructed(syntax, value)
  return type === null ? null : baseType(type)
}

function nearestClass(from: number | null, symbols: Symbols): number | null {
  const isClass = (kind: SymbolKind | undefined): boolean => kind !== undefined && classLike.has(kind)
  let at = from
  while (at !== null && !isClass(symbols.symbols[at]?.kind)) at = symbols.parents[at] ?? null
  return at
}

/**
 * The type whose members a value of the written type has: `*Foo`, `Foo | null`, `Optional[Foo]`, `&mut Foo<T>`,
 * `Arc<Foo>` → `Foo`. Null for lists, functions, literals and real unions.
 */
export function baseType(written: string): string | null {
  if (written.length > 300) return null
  let type = fold(written).replace(/^:\s*/, '')
  for (let round = 0; round < 4; round++) {
    const before = type
    type = type
      .replace(/^["'](.*)["']$/, '$1')
      .replace(/^(?:[*&]|'\w+\s|(?:mut|dyn|impl|const|final|readonly|unique)\s)\s*/, '')
      .replace(/^(?:Optional|Box|Rc|Arc|Readonly|Final|ClassVar)\s*[<[](.*)[>\]]$/, '$1')
      .replace(/\s*\|\s*(?:null|undefined|None)$/, '')
      .replace(/^(?:null|undefined|None)\s*\|\s*/, '')
      .replace(/\?$/, '')
    if (type === before) break
  }
  const bare = type.replace(/^([\w$.:]+?)(?:::)?(?:<.*>|\[[^\]].*\])$/, '$1')
  return /^[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*$/.test(bare) ? bare : null
}
