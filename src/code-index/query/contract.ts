/**
 * Questions about the code of one tree, and the shape of their answers. Every answer is a value that JSON can hold, in
 * one order, and says what it does not know: see `Emptiness` and `limits`.
 */
import type { SymbolKind, Visibility } from '../../domain/code-symbol.ts'
import type { ParseFailure, ReferenceRole } from '../contract.ts'
import type { How, World } from '../resolve/contract.ts'

/** One tree with its facts. Answers are remembered in it, so one that lives long answers fast. */
export interface CodeTree {
  readonly world: World
  /** Text files that contain each word as a whole identifier, in path order; a word without files is left out. */
  mentions(words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Files that are too large to be read and may hold one of the words. Not given where it is known otherwise. */
  mentionsInLarge?(words: readonly string[]): Promise<readonly string[]>
  /** Of the files that mention a word, those that may define it: at least all that do. */
  definers(word: string): Promise<readonly string[]>
  /** Of the files that mention a word, those that may use it as code: at least all that do. */
  users(word: string): Promise<readonly string[]>
  /**
   * False for a word that files beyond those searched may mention: then nothing follows from what was not found. Not
   * given where the whole tree is searched.
   */
  seesAll?(word: string): boolean
  /** Files of known languages that could not be parsed so far, in path order. */
  readonly failures: readonly ParseFailure[]
}

/** A definition without its body. */
export type SymbolSite = {
  path: string
  /** 1-based, where the name is; `startLine` and `endLine` hold the whole definition. */
  line: number
  startLine: number
  endLine: number
  name: string
  /** Containers, outermost first, joined by a dot; empty at top level. */
  scope: string
  kind: SymbolKind
  visibility: Visibility
  signature: string
  language: string
  isTest: boolean
}

/** Whether an empty answer means that there is nothing, or only that nothing could be seen. */
export type Emptiness = { isEvidence: boolean; why: string }

/**
 * How a use was tied to its definition. `unique name`: the receiver's type is not known, but only one member of the
 * tree has this name; `ambiguous`: this definition is one of several it may mean; `language server`: a server says so,
 * and the index could not.
 */
export type EdgeHow = How | 'ambiguous' | 'language server'

export type ReferenceEdge = {
  path: string
  line: number
  /** 0-based, in UTF-16 units; null for an import, of which only the line is known. */
  column: number | null
  role: ReferenceRole
  /** The line, trimmed and cut at 200 characters. */
  text: string
  /** The innermost definition around the use; null at the top level of its file. */
  within: SymbolSite | null
  how: EdgeHow
  /** 0 to 1; an order by which edges can be compared, see `confidenceOf`. */
  confidence: number
}

/** The same name where its meaning could not be determined. Never an edge. */
export type UnresolvedUse = {
  path: string
  line: number
  role: ReferenceRole
  text: string
  why: string
}

export type DefinitionsAnswer = {
  name: string
  definitions: SymbolSite[]
  /** Files that mention the name and are text only to the index. */
  textOnly: string[]
  emptiness: Emptiness | null
}

export type ReferencesAnswer = {
  target: SymbolSite
  /** By path, line and column. */
  references: ReferenceEdge[]
  /** Same name, not resolved. */
  unresolved: UnresolvedUse[]
  /** How many uses of the name mean something else for certain. */
  elsewhere: number
  /** Files that mention the name and are text only to the index: not looked into. */
  textOnly: string[]
  limits: string[]
  /** Set when `references` is empty. */
  emptiness: Emptiness | null
}

/** One definition (or the top level of a file, when `symbol` is null) that uses the target. */
export type Caller = {
  path: string
  symbol: SymbolSite | null
  /** Lines of the uses with their roles, in order. */
  uses: { line: number; role: ReferenceRole }[]
  /** Of the surest of its uses. */
  how: EdgeHow
  confidence: number
}

export type CallersAnswer = Omit<ReferencesAnswer, 'references'> & { callers: Caller[] }

export type ImpactStep = {
  /** 1 for a direct caller. */
  depth: number
  path: string
  symbol: SymbolSite | null
  /** What it calls, one step nearer to the target, as `path:line`. */
  calls: string
  how: EdgeHow
  /** Of the weakest edge on the way to the target. */
  confidence: number
  /** Its share of the walk that starts at the target and goes from called to caller: more ways lead to it, more of it. */
  rank: number
}

export type ImpactAnswer = {
  target: SymbolSite
  /** Breadth first; inside one depth by rank, then by path and line. Each definition once, at its shortest way. */
  steps: ImpactStep[]
  /** Uses on the way that could not be resolved; each may hide more. */
  unresolved: number
  /** What was not followed, in words; empty when everything was. */
  cut: string[]
  emptiness: Emptiness | null
}

export type OutlineEntry = SymbolSite & { doc: string | null; members: OutlineEntry[] }

export type OutlineAnswer = {
  path: string
  /** `text only`: no table for its language; `unparsed`: the parser gave up, and `why` says at what. */
  state: 'indexed' | 'text only' | 'unparsed' | 'absent'
  why: string | null
  language: string | null
  lines: number | null
  symbols: OutlineEntry[]
  /** Inclusive ranges that the grammar could not make sense of. */
  errorLines: { startLine: number; endLine: number }[]
}
