/** Finding names in lines and facts, for the claim checks. */
import type { FileFacts, Reference } from '../../../code-index/contract.ts'
import { isNameCharacter } from '../../../code-index/query/occurrences.ts'
import { referencesAt } from '../../../code-index/resolve/symbols.ts'

/** `Shape.area`, `Shape::area` and `Shape#area` are about `area`. */
export function lastName(symbol: string): string {
  return symbol.split(/\.|::|#/).at(-1) ?? symbol
}

/** True when the line has the name as a whole identifier, in code or not. */
export function holdsName(line: string, name: string): boolean {
  if (name === '') return false
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    if (!isNameCharacter(line[at - 1]) && !isNameCharacter(line[at + name.length])) return true
  }
  return false
}

/** References to the name on the line, outside comments and strings, other than to a local of the same name. */
export function referencesOn(facts: FileFacts, name: string, line: number): Reference[] {
  return referencesAt(facts, line).filter((ref) => ref.name === name && !ref.shadowed)
}

/** True when the grammar could not make sense of the line, so that missing facts prove nothing. */
export function isUnparsed(facts: FileFacts, line: number): boolean {
  return facts.errorLines.some((range) => range.startLine <= line && line <= range.endLine)
}

/** Called by the name of their type, or as `super`, never by their own. */
export function isConstructorName(name: string): boolean {
  return name === 'constructor' || name === '__init__' || name === '__new__' || name === '<init>'
}
