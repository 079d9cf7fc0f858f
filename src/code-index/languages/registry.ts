/** Which languages the index can read. A language is added by its table and a line here. */
import type { LanguageTable } from '../extraction/table.ts'
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
