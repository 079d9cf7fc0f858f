/** A rule as read from its file: what to look for, and what to report; and the languages that rules can be written for. */
import type { z } from 'zod'
import type { Category, Severity } from '../../../domain/severity.ts'

/** The part of a rule that the engine reads, in ast-grep's own form. */
export type Matcher = {
  rule: Record<string, unknown>
  constraints?: Record<string, unknown>
  utils?: Record<string, unknown>
}

/** Where a rule applies: what is wrong in product code may be right in a test, and the other way round. */
export type Audience = 'everywhere' | 'product-code' | 'tests'

export type Rule = {
  id: string
  /** Ids of `ruleLanguages`. */
  languages: readonly string[]
  severity: Severity
  category: z.infer<typeof Category>
  /** All three may name captures (`$A`), which are replaced by the matched text. */
  message: string
  note: string
  remedy: string | null
  matcher: Matcher
  fix: string | null
  audience: Audience
  files: readonly string[]
  ignores: readonly string[]
  /** Snippets that the rule must not match, and must match. */
  tests: { valid: readonly string[]; invalid: readonly string[] }
  /** Ours; false for the rules of the repository. */
  builtIn: boolean
  /** The file of the rule and the line (1-based) of its `rule:` key, for messages. */
  place: { file: string; line: number }
}

type RuleLanguage = {
  /** As the code index and `FileChange.language` name it. */
  id: string
  /** Other names, in lower case; ast-grep's own spelling is among them. */
  aliases: readonly string[]
  /** Stem of the grammar's file. */
  grammar: string
  /** Replaces `$` inside the engine where names of the language cannot contain `$`. */
  placeholder: string
}

export const ruleLanguages: readonly RuleLanguage[] = [
  { id: 'typescript', aliases: ['ts'], grammar: 'typescript', placeholder: '$' },
  { id: 'tsx', aliases: [], grammar: 'tsx', placeholder: '$' },
  { id: 'javascript', aliases: ['js', 'jsx'], grammar: 'javascript', placeholder: '$' },
  { id: 'python', aliases: ['py'], grammar: 'python', placeholder: 'µ' },
  { id: 'go', aliases: ['golang'], grammar: 'go', placeholder: 'µ' },
  { id: 'rust', aliases: ['rs'], grammar: 'rust', placeholder: 'µ' },
  { id: 'java', aliases: [], grammar: 'java', placeholder: '$' },
]

export const languageIds: readonly string[] = ruleLanguages.map(({ id }) => id)

/** The id behind a name as people write it (`TypeScript`, `ts`), or null. */
export function languageNamed(name: string): string | null {
  const wanted = name.toLowerCase()
  return ruleLanguages.find(({ id, aliases }) => id === wanted || aliases.includes(wanted))?.id ?? null
}
