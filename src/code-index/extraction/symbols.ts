/** Definitions become symbols: ordered, nested, with signature, hashes, visibility and documentation. */
import { upperBound } from '../../base/upper-bound.ts'
import type { CodeSymbol, SymbolKind } from '../../domain/code-symbol.ts'
import type { NormalText } from './normal-text.ts'
import { fold, none, type Syntax, typeText } from './syntax.ts'
import type { Definition, LanguageTable, SymbolContext } from './table.ts'

/** Definitions nested deeper than this are left out; real code has none. */
export const deepestDefinition = 64

export const classLike: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'impl',
  'type',
])

export type Symbols = {
  symbols: CodeSymbol[]
  parents: (number | null)[]
  /** The innermost symbol around an offset of the text, or null. */
  enclosing(offset: number): number | null
  /** The symbol whose name is at this offset, or null. */
  namedAt(offset: number): number | null
}

type Placed = { definition: Definition; whole: number; start: number; end: number }

export function symbolsOf(
  definitions: readonly Definition[],
  syntax: Syntax,
  table: LanguageTable,
  normal: NormalText,
  listed: ReadonlySet<string> | null,
  variant: string,
): Symbols {
  const placed = definitions
    .map((definition) => place(definition, syntax, table))
    .sort((a, b) => a.start - b.start || b.end - a.end || a.definition.node - b.definition.node)
  const kept: Placed[] = []
  const parents: (number | null)[] = []
  const scopes: string[] = []
  const open: number[] = []
  const cuts: number[] = []
  const inside: (number | null)[] = []
  const cut = (offset: number): void => {
    cuts.push(offset)
    inside.push(open.at(-1) ?? null)
  }
  const closeUntil = (offset: number): void => {
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const end = kept[top]?.end ?? 0
      if (end > offset) return
      open.pop()
      cut(end)
    }
  }
  for (const item of placed) {
    closeUntil(item.start)
    if (open.length >= deepestDefinition) continue
    const self = kept.push(item) - 1
    const parent = parentOf(item.definition, open, kept)
    parents.push(parent)
    scopes.push(scopeOf(item, parent, kept, scopes))
    if (!item.definition.contains) continue
    open.push(self)
    cut(item.start)
  }
  closeUntil(Number.POSITIVE_INFINITY)
  adoptOwned(kept, parents, scopes)
  const names = new Map(kept.map(({ definition }, index) => [syntax.start(definition.nameNode), index]))
  return {
    symbols: kept.map((item, index) => {
      const parent = parents[index]
      const container = typeof parent === 'number' ? (kept[parent]?.definition ?? null) : null
      const context = { syntax, definition: item.definition, container, listed, variant }
      return symbolOf(item, scopes[index] ?? '', context, table, normal)
    }),
    parents,
    enclosing: (offset) => inside[upperBound(cuts, offset) - 1] ?? null,
    namedAt: (offset) => names.get(offset) ?? null,
  }
}

/** The range with wrappers (`export`, decorators) and whatever else comes before it and belongs to it. */
function place(definition: Definition, syntax: Syntax, table: LanguageTable): Placed {
  let whole = definition.node
  for (let up = syntax.parent(whole); syntax.is(up, ...(table.wrappers ?? [])); up = syntax.parent(up))
    whole = up
  let first = whole
  for (let before = syntax.previous(first); before !== none; before = syntax.previous(first)) {
    const belongs = syntax.is(before, ...(table.leading ?? []))
    if (
      !belongs &&
      !(syntax.isComment(before) && syntax.is(syntax.previous(before), ...(table.leading ?? [])))
    )
      break
    first = before
  }
  const { span } = definition
  if (span)
    return { definition, whole: span.first, start: syntax.start(span.first), end: syntax.end(span.last) }
  return { definition, whole: first, start: syntax.start(first), end: syntax.end(whole) }
}

/** A container with a name of its own is looked for when all symbols are known: see `adoptOwned`. */
function parentOf({ owner }: Definition, open: readonly number[], kept: readonly Placed[]): number | null {
  if (owner === null) return open.at(-1) ?? null
  if (owner !== 'class') return null
  return open.findLast((index) => classLike.has(kept[index]?.definition.kind ?? 'function')) ?? null
}

/**
 * Methods that are outside their type get the type of that name at the top of the file, if it is here; else the one
 * that is in a namespace.
 */
function adoptOwned(kept: readonly Placed[], parents: (number | null)[], scopes: string[]): void {
  const types = new Map<string, number>()
  const add = (isIn: (index: number) => boolean): void => {
    for (const [index, { definition }] of kept.entries())
      if (isIn(index) && classLike.has(definition.kind) && !types.has(definition.name))
        types.set(definition.name, index)
  }
  add((index) => scopes[index] === '')
  add((index) => kept[parents[index] ?? -1]?.definition.kind === 'module')
  for (const [index, { definition }] of kept.entries()) {
    if (definition.owner === null || definition.owner === 'class') continue
    const type = types.get(definition.owner.name) ?? null
    parents[index] = type
    if (type !== null && scopes[type]) scopes[index] = `${scopes[type]}.${definition.owner.name}`
  }
}

function scopeOf(
  { definition }: Placed,
  parent: number | null,
  kept: readonly Placed[],
  scopes: readonly string[],
): string {
  if (parent === null) return typeof definition.owner === 'object' ? (definition.owner?.name ?? '') : ''
  const name = kept[parent]?.definition.name ?? ''
  return scopes[parent] ? `${scopes[parent]}.${name}` : name
}

function symbolOf(
  { definition, whole, start, end }: Placed,
  scope: string,
  context: SymbolContext,
  table: LanguageTable,
  normal: NormalText,
): CodeSymbol {
  const { syntax } = context
  const { node, body, parameters, result } = definition
  const bodyStart = body === none ? (normal.ends[node] ?? 0) : (normal.starts[body] ?? 0)
  const bodyEnd = body === none ? bodyStart : (normal.ends[body] ?? 0)
  return {
    name: definition.name,
    kind: definition.kind,
    scope,
    startLine: syntax.lineAt(start),
    endLine: Math.max(syntax.lineAt(start), syntax.lineAt(Math.max(start, end - 1))),
    nameLine: syntax.startLine(definition.nameNode),
    signature: {
      text: signatureText(syntax, definition, table.leading),
      parameters:
        parameters === none || syntax.isBroken(parameters) ? null : table.parameters(syntax, parameters),
      returnType: result === none ? null : typeText(syntax, result),
    },
    visibility: definition.level === 'function' ? 'private' : table.visibility(context),
    signatureHash: normal.hashOf(normal.starts[whole] ?? 0, bodyStart),
    bodyHash: normal.hashOf(bodyStart, bodyEnd),
    isTest: table.isTest(context),
    doc: table.doc(syntax, definition, whole),
  }
}

// The words of a signature as people quote them: white space folded, comments left out, length capped.

const longestSignature = 1000

/** Everything from the definition's first word to its body; `leading` are kinds that do not belong to its words. */
function signatureText(syntax: Syntax, { node, body }: Definition, leading: readonly string[] = []): string {
  const end = body === none ? syntax.end(node) : syntax.start(body)
  const lastNode = body === none ? syntax.after(node) : body
  const pieces: string[] = []
  let from = syntax.start(node)
  for (let child = node + 1; child < lastNode && syntax.is(child, ...leading); child = syntax.after(child))
    from = syntax.end(child)
  const limit = Math.min(end, from + 4 * longestSignature)
  for (let at = node + 1; at < lastNode && syntax.start(at) < limit; at++) {
    if (!syntax.isComment(at)) continue
    pieces.push(syntax.source.slice(from, syntax.start(at)))
    from = Math.max(from, syntax.end(at))
  }
  if (from < limit) pieces.push(syntax.source.slice(from, limit))
  const text = fold(pieces.join(' '))
  return body === none
    ? text.replace(/[;,]$/, '').slice(0, longestSignature)
    : withoutOpening(text).slice(0, longestSignature)
}

/** What leads to the body is no part of the signature: `{`, `:`, `=`, `=>`. */
function withoutOpening(text: string): string {
  let end = text.length
  for (;;) {
    const arrow = text.endsWith('=>', end)
    if (!arrow && !/[\s{:=]/.test(text.charAt(end - 1))) return text.slice(0, end)
    end -= arrow ? 2 : 1
  }
}
