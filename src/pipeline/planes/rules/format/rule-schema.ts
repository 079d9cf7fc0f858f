/** The schema of a rule in YAML: ast-grep's keys, and four of ours (`category`, `remedy`, `appliesTo`, `tests`). */
import { z } from 'zod'
import { Category, severities } from '../../../../domain/severity.ts'
import { languageNamed, ruleLanguages } from '../rule.ts'

/** ast-grep's severities besides ours. `off` keeps the rule in its file and out of the review. */
export const severityWords = [...severities, 'error', 'warning', 'info', 'hint', 'off'] as const

const texts = z.string().min(1).max(4_000)
const number = z.int().nonnegative()
const position = z.strictObject({ line: number, column: number })

const atoms = {
  pattern: z
    .union([
      texts,
      z.strictObject({
        context: texts,
        selector: z.string().optional(),
        strictness: z.enum(['cst', 'smart', 'ast', 'relaxed', 'signature']).optional(),
      }),
    ])
    .optional(),
  kind: texts.optional(),
  regex: texts.optional(),
  nthChild: z
    .union([
      z.int(),
      z.string(),
      z.strictObject({
        position: z.union([z.int(), z.string()]),
        reverse: z.boolean().optional(),
        get ofRule() {
          return RuleShape.optional()
        },
      }),
    ])
    .optional(),
  range: z.strictObject({ start: position, end: position }).optional(),
  matches: texts.optional(),
}

/** One node. At least one key is needed; all given keys must match. */
const RuleShape: z.ZodType = z.lazy(() => z.strictObject({ ...atoms, ...composed() }))

/** Another node seen from this one: `inside`, `has`, `precedes`, `follows`. */
const Relation: z.ZodType = z.lazy(() =>
  z.strictObject({
    ...atoms,
    ...composed(),
    stopBy: z.union([z.enum(['neighbor', 'end']), RuleShape]).optional(),
    field: z.string().optional(),
  }),
)

function composed() {
  return {
    inside: Relation.optional(),
    has: Relation.optional(),
    precedes: Relation.optional(),
    follows: Relation.optional(),
    all: z.array(RuleShape).max(100).optional(),
    any: z.array(RuleShape).max(100).optional(),
    not: RuleShape.optional(),
  }
}

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

/** Every key of a rule or relation, to suggest one for a misspelt key. */
export const matcherKeys: readonly string[] = [
  ...Object.keys(atoms),
  ...Object.keys(composed()),
  'stopBy',
  'field',
]

/** Keys of ast-grep that are not supported on purpose, so that they are not reported as misspelt. */
export const unsupportedKeys: ReadonlySet<string> = new Set([
  'transform',
  'rewriters',
  'labels',
  'caseInsensitive',
])
