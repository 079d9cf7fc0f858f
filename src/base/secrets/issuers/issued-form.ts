/** The form of a token that tells who issued it. */

export type IssuedForm = {
  kind: string
  /** Stands in every token, in any case of letters. */
  hint: string
  /** So many characters before the hint the token begins, and the pattern is tried. */
  lead: number
  /** Sticky; every repetition is bounded, so that a try costs little whatever follows. */
  pattern: RegExp
  /** The group that holds the secret; 0: all of it. */
  group: number
  /** The form alone proves it. */
  certain: boolean
  /** Letters and digits must be mixed: manuals write words in such forms. */
  isMixed: boolean
}

/**
 * No token needs a boundary on its left, unless it begins with letters alone: `X_ghp_…` is one. Then it may not stand behind
 * twelve characters of base64, in which four letters of its name come up by chance.
 */
export function issued(
  kind: string,
  hint: string,
  pattern: RegExp,
  { lead = 0, group = 0, certain = true, isMixed = false }: Traits = {},
): IssuedForm {
  return { kind, hint, lead, pattern, group, certain, isMixed }
}

/** Tokens that differ in how they begin only. */
export function family(kind: string, hints: readonly string[], rest: RegExp, traits?: Traits): IssuedForm[] {
  return hints.map((hint) => {
    const pattern = new RegExp(hint.replace(/[.+]/g, '\\$&') + rest.source, 'y')
    return issued(kind, hint, pattern, traits)
  })
}

type Traits = Partial<Pick<IssuedForm, 'lead' | 'group' | 'certain' | 'isMixed'>>
