/** As what a path is read: the language its name tells, with the variant of its table. */
import type { TreeEntry } from '../../domain/snapshot.ts'
import { languageOf } from '../language-of.ts'
import { languages } from '../languages/registry.ts'
import { unitKey } from './segment.ts'

/** Empty for a language that has no table: such a file is text only. */
export function unitLanguage(path: string): string {
  const language = languageOf(path)
  const table = language === null ? undefined : languages.get(language)
  if (!table) return ''
  const variant = table.variantOf?.(path) ?? ''
  return variant === '' ? table.id : `${table.id}/${variant}`
}

/** Regular files whose objects are here have a unit; links, submodules and absent blobs have none. */
export function hasUnit({ mode, size }: Pick<TreeEntry, 'mode' | 'size'>): boolean {
  return mode.startsWith('100') && size !== null
}

/** The key of the unit that an entry is. */
export function keyOfEntry({ blob, path }: Pick<TreeEntry, 'blob' | 'path'>): string {
  return unitKey({ blob, language: unitLanguage(path) })
}
