/** Which languages names can be resolved in. */
import type { Language } from '../contract.ts'
import { rememberingLanguage } from '../world.ts'
import { c } from './c.ts'
import { csharp } from './csharp.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { kotlin } from './kotlin.ts'
import { ownFile } from './own-file.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'
import { typescript } from './typescript.ts'

const languages: readonly Language[] = [go, java, python, rust, typescript]

/** These can tell what a name means, and never that it means nothing: a macro may make it, or a file not here. */
const openLanguages: readonly Language[] = [c, csharp, kotlin, php, ruby, ownFile]

const closed = byId(languages)
const all = byId([...languages, ...openLanguages])

/** One whose rules also tell when a name is missing. Null when there is none. */
export function completeResolverOf(id: string): Language | null {
  return closed.get(id) ?? null
}

/** Any that can tell what a name means. Null when there is none. */
export function resolverOf(id: string): Language | null {
  return all.get(id) ?? null
}

function byId(some: readonly Language[]): ReadonlyMap<string, Language> {
  return new Map(
    some.map(rememberingLanguage).flatMap((language) => language.ids.map((id) => [id, language] as const)),
  )
}
