/** The symbols of one side of the change, with what is needed to compare them. */
import type { CodeSymbol } from '../../../domain/code-symbol.ts'

export type SideSymbol = {
  path: string
  language: string
  symbol: CodeSymbol
  /** Position among the symbols of its file. */
  index: number
  /** The containing symbol in the same file, or null. */
  parent: SideSymbol | null
  /** Text of the whole definition. */
  text: string
}

/** Scope and name, as `Class.method`. */
export function qualifiedName({ symbol }: SideSymbol): string {
  return symbol.scope === '' ? symbol.name : `${symbol.scope}.${symbol.name}`
}
