/** One symbol on one side of the change, with what is needed to compare it. */
import type { CodeSymbol } from '../../../domain/code-symbol.ts'

export type SideSymbol = {
  /** Path at the head of the changed file it belongs to, so that a renamed file is one file on both sides. */
  file: string
  /** Its true path on its side. */
  path: string
  language: string
  symbol: CodeSymbol
  /** The containing symbol in the same file, or null. */
  parent: SideSymbol | null
  /** The symbols with the same parent right before and behind it. */
  previous: SideSymbol | null
  next: SideSymbol | null
  /** 0 at top level. */
  depth: number
  /** True inside a function, where nobody else can use it. */
  local: boolean
  /** Text of the whole definition; empty for symbols that were found again by name. */
  text: string
}

/** Scope and name, as `Class.method`. */
export function qualifiedName({ symbol }: SideSymbol): string {
  return symbol.scope === '' ? symbol.name : `${symbol.scope}.${symbol.name}`
}

/** What may become what: a function may turn into a method, but what others use not into a local thing. */
export function familyOf({ language, local, symbol }: SideSymbol): string {
  return `${language}\0${isCallable(symbol) ? 'callable' : symbol.kind}\0${local}`
}

export function isCallable({ kind }: CodeSymbol): boolean {
  return kind === 'function' || kind === 'method'
}

const ofEmptyBody = 'e3b0c44298fc1c14'

/** False for declarations without one, whose body hashes are all alike. */
export function hasBody({ symbol }: SideSymbol): boolean {
  return symbol.bodyHash !== ofEmptyBody
}
