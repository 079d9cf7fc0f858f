/**
 * What the rest asks of the code index. Facts belong to a blob, not to a path or a commit, so branches share them.
 * A language that has no table yields null: the file is searchable as text only, and callers say so.
 */
import type { CodeSymbol } from '../domain/code-symbol.ts'

export type ReferenceRole =
  | 'call'
  | 'type'
  | 'extends'
  | 'decorator'
  | 'import'
  | 'export'
  | 'property'
  | 'write'
  | 'read'

/** The arguments of a call, as far as the text tells. */
export type CallShape = {
  /** Positional arguments; a spread counts as none. */
  positional: number
  /** Names of keyword arguments, in order. */
  keywords: readonly string[]
  /** `...xs`, `*args`, `**kw`: the real number is not known. */
  spread: boolean
}

export type Reference = {
  name: string
  role: ReferenceRole
  /** 1-based line, 0-based column in UTF-16 units. */
  line: number
  column: number
  /** Last line of the whole call or member expression, for quoting it whole. */
  endLine: number
  /** Index into `symbols` of the innermost definition around it, or null at top level. */
  enclosing: number | null
  /** Text before the last dot (`this`, `user.profile`, `pkg`, `Type::<T>` → `Type`); null for a bare name. */
  receiver: string | null
  /** Set for role `call` (also `new`); null otherwise. */
  call: CallShape | null
  /** True when a local variable or parameter of this name is in scope here, so it is not the global one. */
  shadowed: boolean
}

/** One imported name (or a whole module) and what it is called here. */
export type ImportFact = {
  line: number
  /** As written: `./util.ts`, `a.b`, `..pkg`, `crate::x::y`, `java.util.List`, `github.com/x/y`. */
  source: string
  /** `default`, `*` for the module itself or everything in it, or the name in the other module. */
  imported: string
  /** The name here; null for an import without names and for wildcard imports that bind many names. */
  local: string | null
  /** It is passed on to importers of this file: `export … from`, `pub use`, `from .x import y` in `__init__.py`. */
  reexport: boolean
  typeOnly: boolean
}

/** A name that this file offers to others, and the local symbol behind it. */
export type ExportFact = { exported: string; local: string; line: number }

/** A local variable, parameter or field whose type is written or plain from `new T()`: used to resolve receivers. */
export type TypedName = { name: string; type: string; line: number; enclosing: number | null }

export type FileFacts = {
  language: string
  /** In source order; `scope` of each names its containers. */
  symbols: readonly CodeSymbol[]
  /** Same length as `symbols`: index of the containing symbol, or null. */
  parents: readonly (number | null)[]
  references: readonly Reference[]
  imports: readonly ImportFact[]
  exports: readonly ExportFact[]
  typedNames: readonly TypedName[]
  /** Base types by symbol index: `class A extends B implements C` → [['B','C']]. */
  supertypes: readonly { symbol: number; name: string; line: number }[]
  /** Go and Java: the package; otherwise null. */
  packageName: string | null
  /** Lines (1-based, inclusive ranges) that the grammar could not make sense of. Empty for a clean parse. */
  errorLines: readonly { startLine: number; endLine: number }[]
  lineCount: number
}

export type ParseFailure = {
  path: string
  reason: 'too-large' | 'too-deep' | 'minified' | 'timeout' | 'crash' | 'memory'
}

/** Parses on demand, in child processes; remembers by blob id and grammar version. */
export interface FactStore {
  /**
   * Facts of the given files; files of unknown languages and failed ones are left out of the map. Those of each file
   * are read when asked for: hold on to the map rather than to all its values.
   * Never throws for a bad file: see `failures`.
   */
  facts(
    files: readonly { path: string; blob: string; text: string }[],
  ): Promise<ReadonlyMap<string, FileFacts>>
  /** Every file that could not be parsed so far, each once. */
  readonly failures: readonly ParseFailure[]
  /** Why facts are not kept for the next run although they should be (a full disk); null or absent while they are. */
  readonly notKept?: string | null
  /** Ends the child processes. The store may be used again, and then starts new ones. */
  close(): Promise<void>
}
