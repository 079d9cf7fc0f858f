/** Places of one file that may mean a subject: references by name, and imports. */
import type { FileFacts, ImportFact, Reference } from '../../../code-index/contract.ts'

export type Use =
  | { kind: 'reference'; reference: Reference; line: number }
  | { kind: 'import'; fact: ImportFact; line: number }

/**
 * `names`: what subjects are called, anywhere. `modules`: last words of the paths of subjects that imports may name
 * without naming the subject (a default export, a module as a whole).
 */
export function usesIn(facts: FileFacts, names: ReadonlySet<string>, modules: ReadonlySet<string>): Use[] {
  const imports = facts.imports.filter(
    ({ imported, source }) => names.has(imported) || modules.has(lastWord(source)) || modules.has(imported),
  )
  const locals = new Set<string>()
  for (const { imported, local } of imports)
    if (local !== null && (names.has(imported) || imported === 'default')) locals.add(local)
  const references = facts.references.filter(
    ({ name, role }) => role !== 'import' && (names.has(name) || locals.has(name)),
  )
  return [
    ...imports.map((fact): Use => ({ kind: 'import', fact, line: fact.line })),
    ...references.map((reference): Use => ({ kind: 'reference', reference, line: reference.line })),
  ]
}

/** What a module is called by those who import it: the file's stem, or its folder's for an index. */
export function moduleWord(path: string): string {
  const parts = path.replace(/(\.d)?\.\w+$/, '').split('/')
  const stem = parts.pop() ?? ''
  return /^(?:index|__init__|mod|lib|main)$/.test(stem) ? (parts.pop() ?? stem) : stem
}

function lastWord(source: string): string {
  const path = source.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '')
  const parts = path.includes('/') ? path.split('/') : path.split(/\.|::/)
  return parts.findLast((part) => part !== '') ?? ''
}
