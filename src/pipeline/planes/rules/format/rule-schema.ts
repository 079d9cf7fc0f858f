/** One rule as it is written in YAML: ast-grep's keys, and four of ours (`category`, `remedy`, `appliesTo`, `tests`). */
import { z } from 'zod'
import { Category, severities } from '../../../../domain/severity.ts'
import { languageNamed, ruleLanguages } from '../languages.ts'
import { RuleShape } from './matcher-schema.ts'

/** ast-grep's words beside ours. `off` keeps the rule in its file and out of the review. */
export const severityWords = [...severities, 'error', 'warning', 'info', 'hint', 'off'] as const

const language = z.string().refine((name) => languageNamed(name) !== null, {
  error: (issue) =>
    `there are no rules for the language \`${String(issue.input).slice(0, 40)}\`; known are ${ruleLanguages.map(({ id }) => id).join(', ')}`,
})
const glob = z.string().min(1).max(200)
const snippets = z.array(z.string().max(10_000)).max(100)

export const RuleDocument = z.strictObject({
  id: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9][A-Za-z0-9_./-]*$/, 'an id has letters, digits and - _ . / only'),
  language: z.union([language, z.array(language).min(1)]),
  severity: z.enum(severityWords).default('hint'),
  category: Category.default('maintainability'),
  message: z
    .string()
    .min(1)
    .max(250)
    .regex(/^[^\r\n]+\n?$/, 'the message is one line'),
  note: z.string().max(3_000).default(''),
  remedy: z.string().max(500).optional(),
  url: z.string().max(300).optional(),
  rule: RuleShape,
  constraints: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), RuleShape).optional(),
  utils: z.record(z.string(), RuleShape).optional(),
  fix: z.string().max(2_000).optional(),
  appliesTo: z.enum(['everywhere', 'product-code', 'tests']).default('everywhere'),
  files: z.array(glob).max(100).default([]),
  ignores: z.array(glob).max(100).default([]),
  metadata: z.record(z.string(), z.unknown()).optional(),
  tests: z.strictObject({ valid: snippets.default([]), invalid: snippets.default([]) }).prefault({}),
})
export type RuleDocument = z.infer<typeof RuleDocument>

export const documentKeys: readonly string[] = Object.keys(RuleDocument.shape)

/** Keys of ast-grep that are left out on purpose: they must not look like typing errors. */
export const unsupportedKeys: ReadonlySet<string> = new Set([
  'transform',
  'rewriters',
  'labels',
  'caseInsensitive',
])
