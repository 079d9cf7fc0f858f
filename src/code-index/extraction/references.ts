/** Names that refer become references: receiver, shape of the call, enclosing symbol, shadowing. */
import type { CallShape, Reference } from '../contract.ts'
import { isShadowed } from './scopes.ts'
import { fold } from './signature.ts'
import type { Symbols } from './symbols.ts'
import { none, type Syntax } from './syntax.ts'
import type { LanguageTable } from './table.ts'
import type { NameUse } from './walk.ts'

const longestReceiver = 120

export function referencesOf(
  uses: readonly NameUse[],
  syntax: Syntax,
  table: LanguageTable,
  symbols: Symbols,
): Reference[] {
  return uses.map(({ node, role, stop, scope }) => {
    const offset = syntax.start(node)
    const line = syntax.lineAt(offset)
    const name = syntax.text(node)
    const parent = syntax.parent(node)
    const before = receiverOf(syntax, table, node, parent)
    const decorates = role === 'call' && syntax.is(syntax.parent(stop), ...(table.decorators ?? []))
    const call = role === 'call' && !decorates ? callShape(syntax, table, stop) : null
    const last = role === 'call' ? stop : before === none ? node : parent
    const loose = before === none ? (table.looseReceiver?.(syntax, node) ?? none) : before
    const receiver = typeof loose === 'string' ? loose : loose === none ? null : receiverText(syntax, loose)
    const lexical =
      receiver === null &&
      role !== 'import' &&
      role !== 'property' &&
      !(role === 'call' && table.callsIgnoreLocals)
    return {
      name,
      role: decorates ? 'decorator' : role,
      line,
      column: syntax.columnAt(offset),
      endLine: Math.max(line, syntax.endLine(last)),
      enclosing: symbols.enclosing(offset),
      receiver,
      call,
      shadowed: lexical && isShadowed(scope, name, offset),
    }
  })
}

/** The node before the dot in front of this name, or none. */
function receiverOf(syntax: Syntax, table: LanguageTable, node: number, parent: number): number {
  const field = table.receivers[syntax.kind(parent)]
  if (field === undefined) return none
  const before = field === '#0' ? (syntax.children(parent)[0] ?? none) : syntax.child(parent, field)
  return before === node ? none : before
}

function receiverText(syntax: Syntax, node: number): string {
  const from = syntax.start(node)
  if (syntax.end(node) - from <= longestReceiver) {
    const text = syntax.text(node)
    if (/^[\w$.]+$/.test(text)) return text
  }
  const raw = fold(syntax.source.slice(from, Math.min(syntax.end(node), from + 4 * longestReceiver)))
  return withoutGenerics(raw.replace(/\s*([.(),[\]])\s*/g, '$1').replace(/[?!](?=\.|$)/g, '')).slice(
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
  return field === '#0' ? (syntax.children(argument)[0] ?? none) : syntax.child(argument, field)
}
