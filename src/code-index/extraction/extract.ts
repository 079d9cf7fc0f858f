/** From a tree to the facts of a file: one pass, then each kind of fact from what the pass found. */
import type { FileFacts } from '../contract.ts'
import type { CompiledTable } from './compile.ts'
import type { FlatTree } from './flat-tree.ts'
import { normalText } from './normal-text.ts'
import { referencesOf } from './references.ts'
import { classLike, type Symbols, symbolsOf } from './symbols.ts'
import { Syntax } from './syntax.ts'
import type { LanguageTable } from './table.ts'
import { typedNamesOf } from './typed-names.ts'
import { walk } from './walk.ts'

export type Extractable = {
  tree: FlatTree
  source: string
  /** What `table.variantOf` says of the path, or ''. */
  variant: string
}

/** Pure: the same tree and text give the same facts. Never throws for a broken file. */
export function extractFacts(
  { tree, source, variant }: Extractable,
  table: LanguageTable,
  compiled: CompiledTable,
): FileFacts {
  const syntax = new Syntax(tree, source, compiled.words)
  const found = walk(syntax, table, compiled, variant)
  const listed = found.exports.length > 0 ? new Set(found.exports.map((fact) => fact.local)) : null
  const normal = normalText(syntax, table.silent)
  const symbols = symbolsOf(found.definitions, syntax, table, normal, listed, variant)
  const references = referencesOf(found.uses, syntax, table, compiled, symbols)
  const [packageName = '', ...otherPackages] = new Set(table.packageNames?.(syntax))
  return {
    language: table.id,
    symbols: symbols.symbols,
    parents: symbols.parents,
    references,
    imports: found.imports,
    exports: found.exports,
    typedNames: typedNamesOf(found.typedNodes, syntax, table, symbols),
    supertypes: references.flatMap(({ role, name, line, enclosing }) => {
      const symbol = role === 'extends' ? nearestClass(enclosing, symbols) : null
      return symbol === null ? [] : [{ symbol, name, line }]
    }),
    packageName: packageName || null,
    otherPackages,
    errorLines: errorLines(syntax),
    lineCount: syntax.lineCount,
  }
}

/** The class an `extends` belongs to; base types may be written inside a member of nothing. */
function nearestClass(from: number | null, { symbols, parents }: Symbols): number | null {
  let at = from
  while (at !== null && !classLike.has(symbols[at]?.kind ?? 'function')) at = parents[at] ?? null
  return at
}

// Where the grammar lost the thread. An error node may span a whole file although most of it was understood, so what
// counts are its stray tokens and words, not the well-formed parts it holds; and the places of invented tokens.

type LineRange = { startLine: number; endLine: number }

function errorLines(syntax: Syntax): LineRange[] {
  const ranges = syntax.tree.missing.map((offset) => linesOf(syntax, offset, offset + 1))
  const error = syntax.words.grammar.kinds.length - 1
  for (let node = 0; node < syntax.tree.size; node++)
    if (syntax.tree.kinds[node] === error) ranges.push(...strayLines(syntax, node))
  return merged(ranges)
}

function strayLines(syntax: Syntax, error: number): LineRange[] {
  const ranges: LineRange[] = []
  let read = syntax.start(error)
  const addGap = (to: number): void => {
    const gap = syntax.source.slice(read, to)
    const words = gap.trim()
    const from = read + gap.indexOf(words)
    if (words !== '') ranges.push(linesOf(syntax, from, from + words.length))
  }
  for (let child = error + 1; child < syntax.after(error); child = syntax.after(child)) {
    addGap(syntax.start(child))
    read = Math.max(read, syntax.end(child))
    const isLeaf = syntax.after(child) === child + 1
    if (isLeaf && !syntax.isComment(child))
      ranges.push(linesOf(syntax, syntax.start(child), syntax.end(child)))
  }
  addGap(syntax.end(error))
  // Good parts in a bad order: say at least where it gave up.
  return ranges.length > 0 ? ranges : [linesOf(syntax, syntax.end(error) - 1, syntax.end(error))]
}

function linesOf(syntax: Syntax, from: number, to: number): LineRange {
  return { startLine: syntax.lineAt(from), endLine: syntax.lineAt(Math.max(from, to - 1)) }
}

function merged(ranges: LineRange[]): LineRange[] {
  const found: LineRange[] = []
  for (const range of ranges.toSorted((a, b) => a.startLine - b.startLine || a.endLine - b.endLine)) {
    const last = found.at(-1)
    if (last && range.startLine <= last.endLine + 1) last.endLine = Math.max(last.endLine, range.endLine)
    else found.push({ ...range })
  }
  return found
}
