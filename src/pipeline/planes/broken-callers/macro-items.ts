/** Rust items that a macro wraps (`cfg_rt! { fn spawn() {} }`): the grammar sees tokens there, not definitions. */
import type { World } from '../../../code-index/resolve/contract.ts'
import type { SymbolSubject } from './subject.ts'
import { isGone } from './symbol-subjects.ts'

/**
 * The subjects without those that are not gone but wrapped: their file still has the words of a definition of that
 * name more often than the index has definitions of it.
 */
export async function withoutWrapped(
  subjects: ReadonlyMap<string, SymbolSubject>,
  head: World,
): Promise<Map<string, SymbolSubject>> {
  const kept = new Map<string, SymbolSubject>()
  for (const [key, subject] of subjects) {
    const asked = subject.language === 'rust' && isGone(subject.fate)
    if (!asked || !(await isWrapped(subject, head))) kept.set(key, subject)
  }
  return kept
}

async function isWrapped({ path, symbol }: SymbolSubject, head: World): Promise<boolean> {
  const text = await head.text(path)
  if (text === null) return false
  const definition = new RegExp(
    `\\b(?:fn|struct|enum|union|trait|type|const|static|mod|macro_rules!)\\s+(?:mut\\s+)?${symbol.name.replace(/\W/g, '\\$&')}\\b`,
    'g',
  )
  const written = [...text.matchAll(definition)].length
  const indexed = (await head.facts(path))?.symbols.filter(({ name }) => name === symbol.name).length ?? 0
  return written > indexed
}
