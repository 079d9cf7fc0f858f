/** How a line uses a symbol, told from the facts of its file. */
import type { FileFacts } from '../../../code-index/contract.ts'
import { isConstructorName, referencesOn } from './names.ts'

export type Use =
  /** The name, or a name it is imported under, stands there as code. */
  | 'reference'
  | 'import'
  /** The line defines a thing of this name, as an override does. */
  | 'definition'
  /** The line extends or implements the type that has the symbol. */
  | 'heir'
  /** A constructor is called on the line, of a type that may or may not inherit it. */
  | 'some-call'

/** `containers` are the types that have the symbol as a member. Null when the line does not use it. */
export function findUse(
  facts: FileFacts,
  name: string,
  containers: readonly string[],
  line: number,
): Use | null {
  const isConstructor = isConstructorName(name) || containers.includes(name)
  const own = isConstructor ? [name, ...containers] : [name]
  const names = new Set([...own, ...aliasesOf(facts, own)])
  if ([...names].some((one) => referencesOn(facts, one, line).length > 0)) return 'reference'
  if (facts.imports.some((fact) => fact.line === line && own.includes(fact.imported))) return 'import'
  if (facts.symbols.some((symbol) => symbol.nameLine === line && symbol.name === name)) return 'definition'
  const heirs = new Set([name, ...containers, ...aliasesOf(facts, containers)])
  if (facts.supertypes.some((supertype) => supertype.line === line && heirs.has(supertype.name)))
    return 'heir'
  const calls = facts.references.some((ref) => ref.line === line && ref.role === 'call')
  return isConstructor && calls ? 'some-call' : null
}

/** Local names of imports of these names; a default import can be anything, so all of them count. */
function aliasesOf(facts: FileFacts, names: readonly string[]): string[] {
  return facts.imports.flatMap(({ imported, local }) =>
    local !== null && (names.includes(imported) || imported === 'default') ? [local] : [],
  )
}
