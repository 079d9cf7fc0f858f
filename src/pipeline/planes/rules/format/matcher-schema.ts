/** The part of a rule file that describes a shape of code, in ast-grep's own form. Every key is checked by name. */
import { z } from 'zod'

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

/** One node. At least one key is needed; all that are given must hold. */
export const RuleShape: z.ZodType = z.lazy(() => z.strictObject({ ...atoms, ...composed() }))

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

/** Every key that can stand in a rule or relation, to guess what a wrong one meant. */
export const matcherKeys: readonly string[] = [
  ...Object.keys(atoms),
  ...Object.keys(composed()),
  'stopBy',
  'field',
]
