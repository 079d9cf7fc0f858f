/** From a tree to the facts of a file: one pass, then each kind of fact from what the pass found. */
import type { FileFacts } from '../contract.ts'
import type { CompiledTable } from './compile.ts'
import { errorLines } from './errors.ts'
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
    packageName: table.packageName?.(syntax) ?? null,
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
