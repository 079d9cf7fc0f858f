/**
 * What a name in one file means in a tree: the definition it stands for, and how that is known.
 * A name that merely looks alike is never an answer; what cannot be determined is `unknown`.
 */
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { TreeEntry } from '../../domain/snapshot.ts'
import type { FileFacts, ImportFact, Reference } from '../contract.ts'

/** One side of a change: the tree's paths, and facts and texts of its files, each read once. */
export interface World {
  readonly paths: PathIndex
  /** Files that differ between the two sides, those that are on one side only among them: members may have moved between them. */
  readonly changed: readonly string[]
  /** Null when the file is absent, unreadable, or of a language without a table. */
  facts(path: string): Promise<FileFacts | null>
  /** Many in one round trip; files without facts are left out. */
  factsOf(paths: readonly string[]): Promise<ReadonlyMap<string, FileFacts>>
  text(path: string): Promise<string | null>
  texts(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Files that may define something of this name, in path order: a few too many, never one too few. Null where that
   * cannot be asked, so that only what a path gives away can be found.
   */
  definers(name: string): Promise<readonly string[] | null>
  /** Computes a value once per world. Must not be used for what may ask for itself again. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>
}

export interface PathIndex {
  has(path: string): boolean
  /** What is at the path; null when nothing is. */
  entry(path: string): Pick<TreeEntry, 'blob' | 'size'> | null
  hasFolder(folder: string): boolean
  /** Files directly in the folder ('' is the root), in path order. */
  filesIn(folder: string): readonly string[]
  /** Files of this base name, in path order. */
  named(baseName: string): readonly string[]
  /** Files with more bytes, and those that are not here, the largest first. */
  largerThan(bytes: number): readonly string[]
  /** Folders whose path ends with these segments, in path order. */
  foldersEndingWith(suffix: string): readonly string[]
}

/** Where a name is used: the file, its facts and text, and the index of the innermost symbol around it. */
export type UseSite = { path: string; facts: FileFacts; enclosing: number | null; text: string | null }

export type Definition = { path: string; facts: FileFacts; index: number }

export type How =
  | 'same file'
  | 'import'
  | 're-export chain'
  | 'same package'
  | 'receiver type'
  | 'inherited'
  | 'unique name'

/** `certain`: by the language's own rules; `likely`: by a convention that nearly always holds. */
export type Certainty = 'certain' | 'likely'

/** A name a file hands on, passed on the way from a use to the definition. */
export type Hop = { path: string; name: string }

/** A file (TypeScript, Python, Rust) or a folder (Go, Java) taken as a whole. */
export type Module = { path: string; name: string }

export type Meaning =
  | {
      kind: 'defined'
      /** More than one: overloads, or one for each platform. */
      definitions: readonly Definition[]
      how: How
      certainty: Certainty
      hops: readonly Hop[]
      /** The receiver fills the first parameter (Python), as in `object.method()`. */
      bound: boolean
    }
  | { kind: 'module'; module: Module; hops: readonly Hop[] }
  /**
   * The place it should come from is known, and it is not there. `where` is a path, or a type's name; `by` is the file
   * whose import asks in vain, when a chain of imports breaks there.
   */
  | {
      kind: 'missing'
      missing: 'module' | 'export' | 'member' | 'name'
      where: string
      certainty: Certainty
      by: string | null
    }
  | { kind: 'unknown'; why: string }

/** How one family of languages looks names up. Must be deterministic and must not throw for odd code. */
export interface Language {
  /** Ids as in `FileFacts.language`. */
  readonly ids: readonly string[]
  /** Receivers that mean the object (`this`), its class (`cls`) or its base types (`super`). */
  readonly selfWords: Readonly<Record<string, 'instance' | 'type' | 'super'>>
  /** A bare name. `line` is where it is. */
  name(world: World, place: UseSite, name: string): Promise<Meaning>
  /** What an import makes available in the file. */
  imported(world: World, place: UseSite, fact: ImportFact): Promise<Meaning>
  /** What the name of a whole module means where it is called or handed on; null when it has members and is nothing itself. */
  wholeModule?(world: World, module: Module, hops: readonly Hop[]): Promise<Meaning | null>
  /** A name inside a module. */
  moduleMember(world: World, module: Module, name: string, from: UseSite): Promise<Meaning>
  /**
   * Members of a type by name, its own only. `ofInstance`: asked of an object of the type, not of the type itself; only
   * languages in which the two share names need to tell them apart.
   */
  ownMembers(
    world: World,
    type: Definition,
    name: string,
    ofInstance: boolean,
  ): Promise<readonly Definition[]>
  /** The base types of a type, where to look on; `open` when some may be unknown or members may come at run time. */
  baseTypes(world: World, type: Definition): Promise<{ types: readonly Definition[]; open: boolean }>
  /** The types around a place that its own file does not show: C++ writes methods outside of their class. */
  typesAround?(world: World, place: UseSite): Promise<readonly Definition[]>
  /** What a key of an object literal or an attribute names; none when the expected type is not known. */
  keyed?(world: World, place: UseSite, reference: Reference): Promise<readonly Definition[]>
  /** What a bare name cannot be resolved for, by the text around it; null when nothing speaks against it. */
  doubtOf?(place: UseSite, reference: Reference): string | null
  /** Of what a name means, that which this use of it can mean: by its type arguments, or as a call. */
  narrow?(place: UseSite, reference: Reference, found: readonly Definition[]): readonly Definition[]
  /**
   * A function written outside of a type that is called like a member of it. `receiver` is the type as far as it is from
   * here, and else its written name.
   */
  extension?(
    world: World,
    place: UseSite,
    receiver: readonly Definition[] | string,
    name: string,
  ): Promise<readonly Definition[]>
  /** The type of a field or variable, or what a function returns, when it is written elsewhere: in a comment, say. */
  hintedType?(world: World, definition: Definition): Promise<string | null>
  /** The same for a parameter or local at a place. */
  hintedLocal?(place: UseSite, name: string, line: number): string | null
  /** Whether `self` at a place is an object of the type around or the type itself; null when it may be another. */
  selfAt?(world: World, place: UseSite): Promise<'instance' | 'type' | null>
  /** True when members of the base types that are from here count although others are not. */
  readonly asksKnownBases?: boolean
  /** The member of a type that makes an instance (`Store.new`). */
  readonly maker?: string
  /** Two parts of one type, in one file or in several. */
  isOneType?(a: Definition, b: Definition): boolean
  /** What the constructor of a type is called among its members; null when types are not called. */
  constructorName(type: CodeSymbol): string | null
  /** True when a class without a constructor can be made without arguments, and only so. */
  readonly implicitConstructor: boolean
  /** True when calling the type itself makes an instance (Python). */
  readonly callMakes: boolean
  /** True when members of the class around are in scope by their bare name (Java). */
  readonly bareMembers: boolean
  /** True when an overload in a base type stays callable beside one of the same name (Java). */
  readonly inheritsOverloads: boolean
}
