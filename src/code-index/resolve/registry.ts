/** Which languages names can be resolved in. */
import type { Language } from './contract.ts'
import { go } from './go/language.ts'
import { java } from './java/language.ts'
import { python } from './python/language.ts'
import { rememberingLanguage } from './remembered.ts'
import { rust } from './rust/language.ts'
import { typescript } from './typescript/language.ts'

const languages: readonly Language[] = [go, java, python, rust, typescript]

const byId = new Map(
  languages.map(rememberingLanguage).flatMap((language) => language.ids.map((id) => [id, language] as const)),
)

/** Null when there is no resolver for it. */
export function languageOf(id: string): Language | null {
  return byId.get(id) ?? null
}
