/** The languages rules can be written for: what they are called, and which grammar reads them. */

export type RuleLanguage = {
  /** As the code index and `FileChange.language` name it. */
  id: string
  /** Other names, in lower case; ast-grep's own spelling is among them. */
  aliases: readonly string[]
  /** Stem of the grammar's file. */
  grammar: string
  /** Stands for `$` inside the engine where the language gives `$` no meaning in a name. */
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
