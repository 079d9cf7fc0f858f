/**
 * What the rest asks of the code index. Facts belong to a blob, not to a path or a commit, so branches share them.
 * A language that has no table yields null: the file is searchable as text only, and callers say so.
 */
import type { CodeSymbol, SymbolKind } from '../domain/code-symbol.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'

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
  /** The package or namespace that it declares, of several the first; null where it is the global one. */
  packageName: string | null
  /** The others of a file that declares several. */
  otherPackages: readonly string[]
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
  /**
   * The same of blobs that are kept already, whose texts need not be read; those without facts have no value. Others are
   * left out, and all are where the method is absent: a replay finds only those texts that were read.
   */
  kept?(files: readonly BlobPath[]): ReadonlyMap<string, FileFacts>
  /** Every file that could not be parsed so far, each once. */
  readonly failures: readonly ParseFailure[]
  /** Why facts are not kept for the next run although they should be (a full disk); null or absent while they are. */
  readonly notKept?: string | null
  /** Ends the child processes. The store may be used again, and then starts new ones. */
  close(): Promise<void>
}

/** `Outer.Inner` for a symbol `Inner` in `Outer`: the scope of its own members. */
export function fullName(symbol: Pick<CodeSymbol, 'name' | 'scope'>): string {
  return symbol.scope === '' ? symbol.name : `${symbol.scope}.${symbol.name}`
}

// One read and one parse of a blob yield its facts, its chunks and its words; all three are kept together.

/** What became of a blob: `text` is read as text only, because its language has no table. */
export type ReadState = 'indexed' | 'text' | ParseFailure['reason']

/** A blob is read by its path alone: the language and variant that the path names. `size`, in bytes, bounds what is read at once. */
export type BlobPath = { path: string; blob: string; size?: number | null }

export type ChunkWords = {
  /** 1-based, inclusive. */
  startLine: number
  endLine: number
  symbol: { name: string; scope: string; kind: SymbolKind } | null
  /** Names of all definitions whose name is in the chunk, in order. */
  defines: readonly string[]
  /** 16 bytes, of its text, language and scope. */
  hash: Uint8Array
  /** How many terms it has, repeated ones counted each time. */
  length: number
  /** The terms of its text, language and scope (see `termsOf`), and how often each occurs; those of the path are left out. */
  terms: ReadonlyMap<string, number>
}

/** Each part is decoded when it is first looked at, and again after it was forgotten: hold on to what is needed. */
export type Reading = {
  readonly state: ReadState
  /** Null unless `state` is `indexed`. */
  readonly facts: FileFacts | null
  /** In order of lines; none for a large file of data, which is text without a table. */
  readonly chunks: readonly ChunkWords[]
}

/** A segment to be built from blobs that were read, or from other segments. */
export type SegmentTask =
  | {
      kind: 'names'
      /** A unit per blob, in this order. `isText` false: the blob could not be read as text. */
      units: readonly { path: string; blob: string; bytes: number; isText: boolean }[]
    }
  | { kind: 'merged names'; segments: readonly Uint8Array[]; keep: readonly (readonly boolean[])[] }
  | { kind: 'chunks'; files: readonly { path: string; blob: string }[] }
  | { kind: 'merged chunks'; segments: readonly { bytes: Uint8Array; places: readonly number[] }[] }

/** A fact store that also keeps chunks and words, for indexes of whole trees and for questions about a few files. */
export interface IndexStore extends FactStore {
  /**
   * What each blob says, by path. Works in the given order and reads texts only of blobs that are not kept yet; what was
   * read is kept at once, so that an abort or a kill loses at most the batch at hand. Files that cannot be read as text
   * are left out, and so are those not reached when `mayGoOn` answers false, which is asked between batches.
   */
  readings(
    files: readonly BlobPath[],
    source: Pick<RepoSnapshot, 'readMany'>,
    options?: { mayGoOn?: () => boolean; onProgress?: (done: number) => void },
  ): Promise<ReadonlyMap<string, Reading>>
  /**
   * Reads texts that somebody is writing, whose next version comes with the next key: nothing of them is kept for the next run, and
   * only of the latest few in memory. Rejects where `signal` aborts before its turn to parse comes.
   */
  readDrafts(
    files: readonly { path: string; blob: string; text: string }[],
    signal: AbortSignal,
  ): Promise<void>
  /** What `kept` of a fact store may answer. */
  keptFacts(files: readonly BlobPath[]): ReadonlyMap<string, FileFacts>
  /** Those of the files whose blobs are not kept yet; reads no file. */
  unread<File extends BlobPath>(files: readonly File[]): File[]
  /** Builds a segment in a child process, so that this one stays free. Blobs must have been read before. */
  segment(task: SegmentTask): Promise<Uint8Array>
}
