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
    const receiver =
      before === none ? (table.looseReceiver?.(syntax, node) ?? null) : receiverText(syntax, before)
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
  const unknown: CallShape = { positional: 0, keywords: [], spread: true }
  const field = table.calls[syntax.kind(call)]
  if (field === undefined) return unknown
  const list = syntax.child(call, field)
  if (list === none) return { positional: 0, keywords: [], spread: false }
  const shape = { positional: 0, keywords: [] as string[], spread: false }
  if (table.soleArguments?.includes(syntax.kind(list))) return { ...shape, positional: 1 }
  if (table.unknownArguments?.includes(syntax.kind(list))) return unknown
  const listed = syntax.children(list)
  const [only] = listed
  if (listed.length === 1 && only !== undefined && syntax.is(only, ...(table.expandingArguments ?? [])))
    return unknown
  for (const argument of listed) {
    const kind = syntax.kind(argument)
    const keyword = table.keywordArguments?.[kind]
    if (keyword !== undefined) shape.keywords.push(syntax.text(syntax.child(argument, keyword)))
    else if (table.spreadArguments?.includes(kind)) shape.spread = true
    else shape.positional++
  }
  return shape
}
