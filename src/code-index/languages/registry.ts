/** Which languages the index can read. A language is added by its table and a line here. */
import type { LanguageTable } from '../extraction/table.ts'
import { languageOf, mayBeScript } from '../language-of.ts'
import { bash } from './bash.ts'
import { c } from './c.ts'
import { cpp } from './cpp.ts'
import { csharp } from './csharp.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { kotlin } from './kotlin.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'
import { scala } from './scala.ts'
import { swift } from './swift.ts'
import { tsx, typescript } from './typescript.ts'

export const languages: ReadonlyMap<string, LanguageTable> = new Map(
  [
    bash,
    c,
    cpp,
    csharp,
    go,
    java,
    javascript,
    kotlin,
    php,
    python,
    ruby,
    rust,
    scala,
    swift,
    tsx,
    typescript,
  ].map((table) => [table.id, table]),
)

/**
 * As what a path is read: the language its name tells, with the variant of its table. Empty for a language that has no
 * table: such a file is text only. A header is read by its text, so that it does not share what is kept of a `.c` file,
 * and so is a file that may be a script.
 */
export function unitLanguage(path: string): string {
  if (mayBeScript(path)) return 'script'
  const language = languageOf(path)
  const table = language === null ? undefined : languages.get(language)
  if (!table) return ''
  const variant = table.variantOf?.(path) ?? (/\.h$/i.test(path) ? 'h' : '')
  return variant === '' ? table.id : `${table.id}/${variant}`
}

/** What a blob is kept under: its id, and as what its path has it read. */
export function blobKey({ path, blob }: { path: string; blob: string }): string {
  return `${blob} ${unitLanguage(path)}`
}
