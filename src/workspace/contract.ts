/**
 * What a kind of shared contract is: how files of one repository say what they provide, how files of another say what they
 * use, when two versions of what is provided do not fit, and whether a use is among what breaks.
 *
 * All texts are foreign and may be hostile. Nothing here throws for a bad file: what cannot be read provides and uses nothing.
 * Work is linear in the text. Same input, same output, in the order of the file.
 */
import type { FileFacts } from '../code-index/contract.ts'
import type { Confidence } from '../domain/severity.ts'
import type { SharedBreak, SharedKind, SharedPlace } from '../domain/shared-contract.ts'

export type SourceFile = {
  path: string
  text: string
  /** Null for a language without a table, for data, and for a file that could not be parsed. */
  facts: FileFacts | null
}

/** The files of a repository at one commit. */
export interface SourceTree {
  /** In path order. */
  paths(): Promise<readonly string[]>
  /** Files that are absent, binary or too large are left out. */
  read(paths: readonly string[]): Promise<readonly SourceFile[]>
}

/** `shape` is what the kind compares; plain data, only its own code looks into it. */
export type Provided<Shape = unknown> = SharedPlace & { name: string; shape: Shape }

export type Use<Shape = unknown> = SharedPlace & {
  /** By which it is looked up among all uses of a workspace: coarse where the exact name needs more than one file. */
  key: string
  /** Its exact name, where the kind has one: of uses under one key only those that a break names may be broken. */
  exact?: string
  /** As people read it. */
  name: string
  /** How it was recognised, in half a sentence: `imported from \`@acme/client\``. */
  how: string
  /** The repository of the provider, where the use names it: `acme/ci`. */
  repository?: string
  shape: Shape
}

/**
 * `keys` of the uses that may be broken, and their exact names; absent where any use under the keys may be. `shape`: what `judge` needs
 * of both sides; never frozen or shown.
 */
export type Break<Shape = unknown> = SharedBreak & {
  keys: readonly string[]
  exact?: readonly string[]
  shape: Shape
}

/** Which version of the provider a repository uses: `1.4.2`, and the file and line that say so. */
export type Pin = { version: string; path: string; line: number }

/**
 * Shapes are those that the kind itself has made: who has several kinds hands them back as they came (methods take them, so that a
 * list of kinds needs no types for them).
 */
export interface ContractKind<Shape = unknown, UseShape = unknown, BreakShape = unknown> {
  readonly kind: SharedKind
  /** Whether a file of this path can provide anything. By the path alone. */
  mayProvide(path: string): boolean
  /** Whether a file of this path can use anything. By the path alone. */
  mayUse(path: string): boolean
  /** Words of which a file that uses anything has one (linear pattern): other files are neither parsed nor asked. */
  readonly cue: RegExp
  /**
   * What a repository provides by these of its files. Reads of the tree what it needs besides (a manifest, the files behind an
   * entry point). Both sides of a change are asked for the same paths, all that differ: those that a tree does not have
   * say what else of it is to be compared.
   */
  provided(paths: readonly string[], tree: SourceTree): Promise<readonly Provided<Shape>[]>
  /** What one file uses of others, whoever provides it. */
  uses(file: SourceFile): Promise<readonly Use<UseShape>[]>
  /** What of `before` no longer holds in `after`; compatible changes are no breaks. */
  breaks(before: readonly Provided<Shape>[], after: readonly Provided<Shape>[]): Break<BreakShape>[]
  /**
   * One thing as if the rest stayed and it went, so that its users are found. Where it is absent, `breaks` says so of all without
   * that one.
   */
  gone?(one: Provided<Shape>, all: readonly Provided<Shape>[]): Break<BreakShape>[]
  /** How sure it is that this use no longer works; null when it does, or uses something else. `file` is where it stands. */
  judge(broken: Break<BreakShape>, use: Use<UseShape>, file: SourceFile): Confidence | null
  /**
   * Whether the repository of the use means this provider by that name: it depends on the package, say, and has none of its
   * own that is called so. Absent for kinds whose names leave no doubt.
   */
  isMeant?(broken: Break<BreakShape>, use: Use<UseShape>, tree: SourceTree): Promise<boolean>
  /** Which version of the provider the other repository uses, by its manifest or lock file; absent for kinds without versions. */
  pin?(broken: Break<BreakShape>, use: Use<UseShape>, tree: SourceTree): Promise<Pin | null>
}
