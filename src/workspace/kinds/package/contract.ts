/**
 * What one ecosystem of packages says: which packages a repository publishes, which names they export, and what a file
 * imports of others. How two versions compare, and whether a use still works, is the same for all of them.
 */
import type { CallShape, FileFacts } from '../../../code-index/contract.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import type { Parameter } from '../../../domain/code-symbol.ts'
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import type { Break, Pin, Provided, SourceFile, SourceTree, Use } from '../../contract.ts'

export interface Ecosystem {
  readonly id: string
  /** Files whose change may change what is provided, by path. */
  mayProvide(path: string): boolean
  mayUse(path: string): boolean
  /** `changed`: paths that differ between the two sides, on whichever. */
  provided(world: World, changed: readonly string[]): Promise<ProvidedExport[]>
  uses(file: SourceFile): PackageUse[]
  /** The repository depends on the package, and has none of its own that is called so. */
  isMeant(broken: BrokenExport, use: PackageUse, tree: SourceTree): Promise<boolean>
  pin(broken: BrokenExport, use: PackageUse, tree: SourceTree): Promise<Pin | null>
  /** True where the language itself refuses a file that imports a name which is not there. */
  refusesMissing(file: SourceFile, use: PackageUse): boolean
}

/** What publishes a package: its name, its folder, and the line of the manifest that names it. */
export type Publisher = { name: string; folder: string; path: string; line: number }

export type ProvidedExport = Provided<PackageShape>
export type PackageUse = Use<PackageUseShape>
export type BrokenExport = Break<BrokenShape>

export type PackageShape = { ecosystem: string; package: string } & (
  | {
      is: 'package'
      /** The key of its uses. */
      keys: readonly string[]
      /** Names at the top of each changed file: what is still defined there was only no longer passed on. */
      defined: Readonly<Record<string, readonly string[]>>
    }
  | {
      is: 'module'
      keys: readonly string[]
      /** A program that the package installs, rather than something to import. */
      isCommand: boolean
      /** Names may come from where nothing can be read: another package, or run time. */
      isOpen: boolean
      /** Names that can be imported although they are not meant to be. */
      also: readonly string[]
      /** Modules in it, by their last name: what an import of such a name finds when nothing else is called so. */
      inner: readonly string[]
    }
  | {
      is: 'export'
      keys: readonly string[]
      module: string
      symbol: string
      /** From where the module names it to where it is defined. */
      trail: readonly (SharedPlace & { name: string })[]
      thing: Thing | null
    }
)

/** A definition as its users see it. */
export type Thing = SharedPlace & {
  name: string
  kind: string
  /** Null where a call cannot be compared with them: no function, overloads, a decorator, a language without arity. */
  parameters: readonly Parameter[] | null
  returns: string | null
  isAsync: boolean
  /** Of a name that stands for a whole body; null where the body is too small to be known again. */
  body: string | null
  members: readonly Thing[]
  /** It may have members that are not listed. */
  isOpen: boolean
}

export type PackageUseShape = {
  ecosystem: string
  /** What it names, as `Provided.name` and the names of members have it. */
  target: string
  /** `import`: names it. `call`, `read`: what follows, through the name that it was imported as. */
  role: 'import' | 'call' | 'read'
  /** How the target is known: by its own import, as a member of what was imported, or by the type of a receiver. */
  by: 'name' | 'module' | 'member' | 'type'
  call: CallShape | null
  /** The import is expected to fail in some versions. */
  isGuarded: boolean
}

export type BrokenShape = {
  ecosystem: string
  package: string
  of: 'package' | 'module' | 'export' | 'member'
  /** Every name under which it was provided. */
  targets: readonly string[]
  how: 'gone' | 'call' | 'awaited'
  /** For `call`: the parameters on both sides, and from which position on arguments go elsewhere. */
  before: readonly Parameter[]
  after: readonly Parameter[]
  movedFrom: number | null
  isWeak: boolean
  /** Of a module: an export of the same name is what is imported by it. */
  isHidden: boolean
}

/** What reading a file for its uses needs: facts that are there. */
export type ParsedFile = SourceFile & { facts: FileFacts }
