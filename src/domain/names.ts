/**
 * Names that schemas, options of the command and records of facts share. They are apart from the schemas because loading those
 * would delay the first line on the screen, and each parser.
 */

/** From worst to mildest; the order is the ranking. */
export const severities = ['critical', 'high', 'medium', 'low'] as const

export const depths = ['offline', 'quick', 'standard', 'deep'] as const

/** Their order is that of the record of a file's facts: new ones go to the end. */
export const symbolKinds = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'enumerator',
  'variable',
  'field',
  'module',
  'constant',
  'struct',
  'macro',
  'impl',
  'package',
] as const

/** Topics that depth deep once asked models about one by one, each a plane of its own. */
const formerTopics: readonly string[] = [
  'correctness',
  'security',
  'performance',
  'maintainability',
  'intent',
]

/** What to write instead of a plane that is no more; null for any other name. */
export function formerTopic(plane: string): string | null {
  return formerTopics.includes(plane)
    ? `there is no plane \`${plane}\` any more: at depth deep two readers look at every topic. Take the name out, or write \`reviewer\` for what models find`
    : null
}
