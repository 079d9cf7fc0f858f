/** Whom a change of one definition may affect: its users and theirs, by resolved uses; without tests and changed definitions. */
export type SymbolReach = {
  /** Its name, or that of the type for a constructor, and where it is defined: as in `SymbolTests`. */
  symbol: string
  path: string
  /** 1-based, where its name is at the head. */
  nameLine: number
  /** Places (definitions, or the top level of a file) outside the changed files that use it, and that use those. */
  direct: number
  further: number
  /** Their files, the nearest users first, each once. */
  files: string[]
  /** Test files with a place that uses it, directly or through another, in path order. */
  tests: string[]
  /** Uses of the name that could not be resolved: each may be one more. */
  unresolved: number
  /** False when not every file that mentions a name on the way was searched. */
  isWhole: boolean
}

/** How a use is marked whose meaning is not known: it may be a use of another definition of that name. */
export const byNameAlone = 'by name alone'
