/** Matches of one rule in one file as candidates: one each while they are few, together when they are many. */
import { count } from '../../../base/count.ts'
import { visibleLine, visibleText } from '../../../base/visible-text.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { CandidateDraft, Suggestion } from '../../../domain/finding.ts'
import { tagOf } from '../../../domain/line-tag.ts'
import { codeAtHead } from '../cite-lines.ts'
import type { FreshMatch } from './fresh-matches.ts'
import type { Rule } from './rule.ts'

/** More places of one rule in one file than this become one finding. */
const mostSingle = 3
const mostPlaces = 40
/** Lines named in the explanation, and room kept for them. */
const mostNamed = 20
const longestList = 250
const mostEvidenceLines = 12
const mostEvidenceCharacters = 4_000

export function describeMatches(
  rule: Rule,
  file: FileChange,
  matches: readonly FreshMatch[],
  headLines: readonly string[],
): CandidateDraft[] {
  const groups = matches.length > mostSingle ? [matches] : matches.map((match) => [match])
  return groups.flatMap((group) => describeGroup(rule, file, group, headLines) ?? [])
}

function describeGroup(
  rule: Rule,
  file: FileChange,
  group: readonly FreshMatch[],
  headLines: readonly string[],
): CandidateDraft | null {
  const [first] = group
  if (!first) return null
  const shown = group.slice(0, mostPlaces)
  const places = group.length === 1 ? '' : ` (${group.length} places)`
  return {
    plane: 'rules',
    rule: rule.id,
    severity: rule.builtIn && file.role === 'test' && rule.severity === 'high' ? 'medium' : rule.severity,
    category: rule.category,
    // The repository's rules were written for exactly this code; ours were not.
    confidence: rule.builtIn ? 'likely' : 'certain',
    title: `${visibleLine(fill(rule.message, first)).slice(0, 280)}${places}`,
    // Without a note there is only the message, which is the title.
    explanation: [visibleText(fill(rule.note, first)).slice(0, 4_000 - longestList), placesOf(group)]
      .filter((part) => part !== '')
      .join('\n\n'),
    remedy: rule.remedy === null ? null : visibleLine(fill(rule.remedy, first)).slice(0, 1_000),
    // The first match alone: a span would also cover the lines between two matches.
    anchor: { path: file.path, tags: [tagOf(first.line)] },
    claims: shown.map(({ line }) => ({
      kind: 'rule-matches',
      rule: rule.id,
      path: file.path,
      line: line.new,
    })),
    suggestion: group.length === 1 ? suggestionFor(first, file) : null,
    preExisting: false,
    about: { title: inGeneral(rule.message).slice(0, 280), help: inGeneral(rule.note).slice(0, 4_000) },
    evidence: shown.map((match) => citeMatch(match, file, headLines)),
  }
}

/** `On lines 3, 9 and 12.`; nothing for a single place. */
function placesOf(group: readonly FreshMatch[]): string {
  if (group.length === 1) return ''
  const numbers = [...new Set(group.map(({ line }) => line.new))]
  const named = numbers.slice(0, mostNamed)
  const rest = numbers.length - named.length
  if (rest > 0) return `On lines ${named.join(', ')} and ${count(rest, 'more line')}.`
  const last = named.pop() ?? 0
  return named.length === 0 ? `On line ${last}.` : `On lines ${named.join(', ')} and ${last}.`
}

/** The text of a rule without a match to fill it from. */
function inGeneral(words: string): string {
  return visibleText(words.replace(/\$[A-Z_][A-Z0-9_]*/g, '…'))
}

/** Replaces names of captures by their text; backticks in it would end a code span. */
function fill(words: string, { captures }: FreshMatch): string {
  return words.replace(/\$([A-Z_][A-Z0-9_]*)/g, (name, key: string) => {
    const text = captures[key]?.replace(/\s+/g, ' ').replaceAll('`', "'")
    return text === undefined ? name : text.length > 60 ? `${text.slice(0, 60)}…` : text
  })
}

function suggestionFor({ replacement, startLine, endLine }: FreshMatch, file: FileChange): Suggestion | null {
  if (replacement === null) return null
  // Where it is applied, it takes the line ends of what it replaces.
  return { path: file.path, startLine, endLine, replacement: replacement.replace(/\r(?=\n|$)/g, '') }
}

/** Whole lines, as the repository has them; of a long match the beginning. */
function citeMatch(
  { startLine, endLine }: FreshMatch,
  file: FileChange,
  headLines: readonly string[],
): CandidateDraft['evidence'][number] {
  const last = Math.min(endLine, startLine + mostEvidenceLines - 1)
  const text = headLines.slice(startLine - 1, last).join('\n')
  const isLong = text.length > mostEvidenceCharacters
  const shown = isLong ? text.slice(0, mostEvidenceCharacters) : text
  const title = 'code the rule matches'
  return {
    item: codeAtHead(file, { title, startLine, endLine: last, text: shown, isWhole: !isLong }),
    quote: shown.split('\n').find((line) => line.trim() !== '') ?? shown,
  }
}
