/** What a rule is once its file has been read: a shape to look for, and what to say of it. */

import type { z } from 'zod'
import type { Category, Severity } from '../../../domain/severity.ts'

/** The part of a rule that the engine reads, in ast-grep's own form. */
export type Matcher = {
  rule: Record<string, unknown>
  constraints?: Record<string, unknown>
  utils?: Record<string, unknown>
}

/** Where a rule looks: tests are code too, but what is wrong in one may be right in the other. */
export type Audience = 'everywhere' | 'product-code' | 'tests'

export type Rule = {
  id: string
  /** Ids of `ruleLanguages`. */
  languages: readonly string[]
  severity: Severity
  category: z.infer<typeof Category>
  /** All three may name captures (`$A`), which stand for the matched text. */
  message: string
  note: string
  remedy: string | null
  matcher: Matcher
  fix: string | null
  audience: Audience
  files: readonly string[]
  ignores: readonly string[]
  /** Snippets the rule must stay silent on, and must match. */
  tests: { valid: readonly string[]; invalid: readonly string[] }
  /** Ours; false for the rules of the repository. */
  builtIn: boolean
  /** The file the rule stands in and the line (1-based) of its `rule:` key, for messages. */
  place: { file: string; line: number }
}
