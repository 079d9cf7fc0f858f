/** What Go says by convention: capitals and names of tests. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import type { SymbolContext } from '../../extraction/table.ts'

export function visibility({ definition }: SymbolContext): Visibility {
  return /^\p{Lu}/u.test(definition.name) ? 'exported' : 'internal'
}

/** Told by name and parameter, so that the facts do not depend on the file's name. */
export function isTest({ syntax, definition: { kind, name, parameters, level } }: SymbolContext): boolean {
  if (kind !== 'function' || level !== 'module') return false
  const [, word] = /^(Test|Benchmark|Fuzz|Example)(?![a-z])/.exec(name) ?? []
  if (word === undefined) return false
  const list = syntax.text(parameters).slice(0, 100)
  return word === 'Example' ? /^\(\s*\)$/.test(list) : /\*testing\.[TBFM]\b/.test(list)
}
