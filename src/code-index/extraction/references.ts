/** Names that refer become references: receiver, shape of the call, enclosing symbol, shadowing. */
import type { CallShape, Reference } from '../contract.ts'
import type { CompiledTable } from './compile.ts'
import { classLike, type Symbols } from './symbols.ts'
import { fold, none, type Syntax } from './syntax.ts'
import type { LanguageTable } from './table.ts'
import { bindingScope, type NameUse, type Scope } from './walk.ts'

const longestReceiver = 120

export function referencesOf(
  uses: readonly NameUse[],
  syntax: Syntax,
  table: LanguageTable,
  { receivers, decorates }: CompiledTable,
  symbols: Symbols,
): Reference[] {
  const { kinds, starts, parents } = syntax.tree
  const references: Reference[] = []
  for (const { node, role, stop, scope } of uses) {
    const offset = starts[node] ?? 0
    const line = syntax.lineAt(offset)
    const column = syntax.columnAt(offset)
    const name = syntax.text(node)
    const parent = parents[node] ?? none
    const field = receivers[kinds[parent] ?? 0]
    const before = parent < 0 || field === undefined ? none : receiverOf(syntax, node, parent, field)
    const decorating = role === 'call' && decorates[kinds[parents[stop] ?? 0] ?? 0] === 1
    const last = role === 'call' ? stop : before === none ? node : parent
    const loose =
      before === none && table.looseReceiver ? (table.looseReceiver(syntax, node) ?? none) : before
    const receiver = typeof loose === 'string' ? loose : loose === none ? null : receiverText(syntax, loose)
    const lexical =
      receiver === null &&
      role !== 'import' &&
      role !== 'property' &&
      !(role === 'call' && table.callsIgnoreLocals)
    references.push({
      name,
      role: decorating ? 'decorator' : role,
      line,
      column,
      endLine: last === node ? line : Math.max(line, syntax.endLine(last)),
      enclosing: symbols.enclosing(offset),
      receiver,
      call: role === 'call' && !decorating ? callShape(syntax, table, stop) : null,
      shadowed: lexical && isShadowed(scope, name, offset, symbols),
    })
  }
  return references
}

/**
 * True when a local or parameter of this name is in scope. What is defined in a function without a name is no such local:
 * no symbol is around it but modules, so that its own name says where it is (a method in a block of Ruby); nor is what a type
 * holds, although a grammar may take the body of the type for that of a function (`class A : B by b { … }` in Kotlin).
 */
function isShadowed(scope: Scope, name: string, offset: number, symbols: Symbols): boolean {
  const binding = bindingScope(scope, name, offset)
  const definedAt = binding?.definitions?.get(name)
  const symbol = definedAt === undefined ? null : symbols.namedAt(definedAt)
  if (binding === null || symbol === null) return binding !== null
  const parent = symbols.parents[symbol] ?? null
  // A parameter that declares a field stays a parameter.
  if (symbols.symbols[symbol]?.kind === 'field') return true
  const kind = parent === null ? 'module' : (symbols.symbols[parent]?.kind ?? 'function')
  return kind !== 'module' && kind !== 'package' && !classLike.has(kind)
}

/** The node before the dot in front of this name, or none. */
function receiverOf(syntax: Syntax, node: number, parent: number, field: string): number {
  const before = field === '#0' ? syntax.firstChild(parent) : syntax.child(parent, field)
  return before === node ? none : before
}

function receiverText(syntax: Syntax, node: number): string {
  const from = syntax.start(node)
  if (syntax.end(node) - from <= longestReceiver) {
    const text = syntax.text(node)
    if (/^[\w$.]+$/.test(text)) return text
  }
  const raw = fold(syntax.source.slice(from, Math.min(syntax.end(node), from + 4 * longestReceiver)))
  return withoutGenerics(raw.replace(/ ?([.(),[\]]) ?/g, '$1').replace(/[?!](?=\.|$)/g, '')).slice(
    0,
    longestReceiver,
  )
}

/** `Type::<T>` → `Type`, `List<String>` → `List`; arrows and comparisons inside calls are left alone. */
export function withoutGenerics(text: string): string {
  if (!text.includes('<') || /[()=]/.test(text)) return text
  let depth = 0
  let kept = ''
  for (const character of text) {
    if (character === '<') depth++
    else if (character === '>') depth = Math.max(0, depth - 1)
    else if (depth === 0) kept += character
  }
  return kept.replace(/::$/, '').trim() || text
}

function callShape(syntax: Syntax, table: LanguageTable, call: number): CallShape {
  const shape = { positional: 0, keywords: [] as string[], spread: false }
  const listed = argumentsOf(syntax, table, call)
  if (listed === null) return { ...shape, spread: true }
  for (const argument of listed) {
    const kind = syntax.kind(argument)
    const keyword = keywordOf(syntax, argument, table.keywordArguments?.[kind])
    if (keyword !== none) shape.keywords.push(syntax.text(keyword))
    else if (table.spreadArguments?.includes(kind)) shape.spread = true
    else shape.positional++
  }
  return shape
}

/** Null when their number is not known. */
function argumentsOf(syntax: Syntax, table: LanguageTable, call: number): readonly number[] | null {
  const rule = table.calls[syntax.kind(call)]
  if (typeof rule === 'function') return rule(syntax, call)
  if (rule === undefined) return null
  const list = syntax.child(call, rule)
  if (syntax.is(list, ...(table.soleArguments ?? []))) return [list]
  if (syntax.is(list, ...(table.unknownArguments ?? []))) return null
  const listed = syntax.children(list)
  const [only] = listed
  const expands = only !== undefined && syntax.is(only, ...(table.expandingArguments ?? []))
  return expands && listed.length === 1 ? null : listed
}

function keywordOf(syntax: Syntax, argument: number, field: string | undefined): number {
  if (field === undefined) return none
  return field === '#0' ? syntax.firstChild(argument) : syntax.child(argument, field)
}
