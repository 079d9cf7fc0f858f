/** Statements that code can check. A candidate carries them; `pipeline/validation/claims` refutes or confirms each. */
import { z } from 'zod'

const line = z.number().int().positive()
const at = { path: z.string(), line }

export const Claim = z.discriminatedUnion('kind', [
  /** The line at `path:line` (head) still uses `symbol` as it was before the change. */
  z.object({ kind: z.literal('caller-not-updated'), symbol: z.string(), definedIn: z.string(), ...at }),
  /** The name used at `path:line` (head) is defined nowhere it could come from. */
  z.object({ kind: z.literal('undefined'), name: z.string(), ...at }),
  /** `path:line` (head) imports `name` from the file `from`, which does not export it. */
  z.object({ kind: z.literal('not-exported'), name: z.string(), from: z.string(), ...at }),
  /** The call of `name` at `path:line` (head) passes arguments that no definition of it takes. */
  z.object({ kind: z.literal('call-mismatch'), name: z.string(), ...at }),
  /** No file at `target` exists at the head, and `path:line` refers to it. */
  z.object({ kind: z.literal('missing-path'), target: z.string(), ...at }),
  /** Lines of the change repeat lines that stand elsewhere at the head. */
  z.object({
    kind: z.literal('duplicate-of'),
    ...at,
    endLine: line,
    otherPath: z.string(),
    otherLine: line,
    otherEndLine: line,
  }),
  /** No test file at the head mentions `symbol`. */
  z.object({ kind: z.literal('no-test-calls'), symbol: z.string(), ...at }),
  /** `name`, defined at `path:line` (head), is used nowhere else. */
  z.object({ kind: z.literal('unused'), name: z.string(), ...at }),
  /** The types do not fit at `path:line`, says the named checker. */
  z.object({ kind: z.literal('type-mismatch'), checker: z.string(), message: z.string(), ...at }),
  /** The given line of the given side holds exactly this text somewhere in it. */
  z.object({ kind: z.literal('line-contains'), side: z.enum(['old', 'new']), text: z.string(), ...at }),
  /** The rule matches at `path:line` (head) and did not match the same code at the base. */
  z.object({ kind: z.literal('rule-matches'), rule: z.string(), ...at }),
  /** In `together` of the `total` earlier commits that changed `path`, `partner` changed too; it did not now. */
  z.object({
    kind: z.literal('changes-together'),
    path: z.string(),
    partner: z.string(),
    together: z.number().int().nonnegative(),
    total: z.number().int().positive(),
  }),
])
export type Claim = z.infer<typeof Claim>
export type ClaimKind = Claim['kind']

/** The name or the file that tells a claim from others of its kind; null for claims about the text of a line alone. */
export function subjectOf(claim: Claim): string | null {
  switch (claim.kind) {
    case 'caller-not-updated':
    case 'no-test-calls':
      return claim.symbol
    case 'undefined':
    case 'not-exported':
    case 'call-mismatch':
    case 'unused':
      return claim.name
    case 'missing-path':
      return claim.target
    case 'duplicate-of':
      return claim.otherPath
    case 'changes-together':
      return claim.partner
    case 'line-contains':
    case 'rule-matches':
    case 'type-mismatch':
      return null
  }
}
