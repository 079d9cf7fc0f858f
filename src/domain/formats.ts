/**
 * The output formats by name, with what the command has to know of one before it is written. They are apart from what writes
 * them, because loading that would delay the first line on the screen.
 */

type FormatFacts = {
  /** Extensions of the files that take it unless a format is named. */
  endings?: readonly string[]
  /** Text for a reader; in the others a control character is spelled as JSON spells it. */
  isText?: boolean
  /** It has no place for the conclusion, which then goes to standard error. */
  lacksConclusion?: boolean
}

const facts = {
  terminal: { isText: true, endings: ['.txt', ''] },
  markdown: { isText: true, endings: ['.md', '.markdown'] },
  html: { isText: true, endings: ['.html', '.htm'] },
  json: { endings: ['.json'] },
  sarif: { endings: ['.sarif'] },
  rdjson: { endings: ['.rdjson'], lacksConclusion: true },
  'code-quality': { lacksConclusion: true },
  junit: { lacksConclusion: true },
  compact: { lacksConclusion: true },
  agent: { isText: true },
} satisfies Record<string, FormatFacts>

export type FormatName = keyof typeof facts

export const formatFacts: Readonly<Record<FormatName, FormatFacts>> = facts

export const formatNames = Object.keys(facts) as readonly FormatName[]
