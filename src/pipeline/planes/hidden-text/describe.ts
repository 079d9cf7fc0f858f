/** Hidden text as candidates: one for each problem of a file, with its lines, severity and explanation. */
import { count } from '../../../base/count.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { formatFileTag, tagOf } from '../../../domain/line-tag.ts'
import type { Severity } from '../../../domain/severity.ts'
import type { AddedLine } from '../changed-lines.ts'
import { citeAdded } from '../cite-lines.ts'
import { type HiddenKind, spellOut } from './characters.ts'

/** `column`: offset of the first hidden character; `seen`: all of them, made visible. */
export type Occurrence = { problem: Problem; line: AddedLine; column: number; seen: readonly string[] }

/** One finding names at most this many lines; the rest are counted. */
const shownLines = 10
const shownCharacters = 8
/** Of a longer line only the part around the characters is quoted. */
const longestLine = 1_000
const margin = 60

export function describeLines(
  file: FileChange,
  problem: Problem,
  occurrences: readonly Occurrence[],
): CandidateDraft {
  const { title, explanation } = problems[problem]
  const shown = occurrences.slice(0, shownLines)
  const seen = [...new Set(shown.flatMap((occurrence) => occurrence.seen))]
    .slice(0, shownCharacters)
    .join(', ')
  const more = occurrences.length - shown.length
  const where = occurrences.length === 1 ? '' : ` (${occurrences.length} lines)`
  return {
    plane: 'hidden-text',
    rule: `hidden-text/${problem}`,
    severity: severityIn(file, problem),
    category: 'security',
    confidence: onlyHiding.has(problem) ? 'certain' : 'likely',
    title: `${title}${where}`,
    explanation: `${explanation}\n\nSeen: ${seen}${more > 0 ? `, and ${count(more, 'more line')}` : ''}.`,
    remedy:
      problem === 'look-alike'
        ? 'Type the name again in one script.'
        : 'Write such a character as an escape, or take it out.',
    anchor: { path: file.path, tags: shown.slice(0, 1).map(({ line }) => tagOf(line)) },
    claims: shown.map((occurrence) => ({
      kind: 'line-contains',
      side: 'new',
      path: file.path,
      line: occurrence.line.new,
      text: quoteOf(occurrence),
    })),
    suggestion: null,
    preExisting: false,
    evidence: shown.map((occurrence) =>
      citeAdded(file, { line: occurrence.line, title: 'line with hidden text', quote: quoteOf(occurrence) }),
    ),
  }
}

export function describeName(file: FileChange): CandidateDraft {
  const name = spellOut(visibleLine(file.path))
  const item = {
    source: 'tool' as const,
    trust: 'own' as const,
    title: 'the name of the file, made visible',
    path: file.path,
    blob: file.newBlob,
    side: 'new' as const,
    startLine: null,
    endLine: null,
    text: name,
  }
  return {
    plane: 'hidden-text',
    rule: 'hidden-text/file-name',
    severity: 'high',
    category: 'security',
    confidence: 'certain',
    title: 'A file name contains invisible or look-alike characters',
    explanation: `The name is \`${name}\`. It can be mistaken for the name of another file.`,
    remedy: 'Rename the file.',
    anchor: { path: file.path, tags: [formatFileTag(file.path)] },
    claims: [],
    suggestion: null,
    preExisting: false,
    evidence: [{ item, quote: name }],
  }
}

function quoteOf({ line, column }: Occurrence): string {
  if (line.text.length <= longestLine) return line.text
  return line.text.slice(Math.max(0, column - margin), column + margin)
}

export type Problem = HiddenKind | 'look-alike' | 'zero-byte'

/** The others can be what somebody means to write, or what a tool writes. */
const onlyHiding: ReadonlySet<Problem> = new Set(['bidi', 'tag', 'selector'])

type Words = { severity: Severity; title: string; explanation: string }

const problems: Readonly<Record<Problem, Words>> = {
  bidi: {
    severity: 'high',
    title: 'Invisible characters change the direction of text',
    explanation:
      'Bidirectional control characters display a line in a different order than it runs: a comment can become code, or code a comment.',
  },
  tag: {
    severity: 'high',
    title: 'Text is written in invisible tag characters',
    explanation:
      'Tag characters have no shape on a screen but are read by programs, language models above all.',
  },
  selector: {
    severity: 'high',
    title: 'A run of variation selectors may carry hidden data',
    explanation: 'One selector picks a glyph; a run of them serves no purpose other than hiding data.',
  },
  'zero-width': {
    severity: 'medium',
    title: 'The text contains zero-width characters',
    explanation:
      'Two names that look alike can differ by them, and a search for the visible text misses the line.',
  },
  control: {
    severity: 'low',
    title: 'The text contains control characters',
    explanation: 'Terminals act on some of them; elsewhere they are lost or shown as nothing.',
  },
  'zero-byte': {
    severity: 'high',
    title: 'A zero byte makes this file binary to git and code hosts',
    explanation:
      'Git and code hosts show a file with a zero byte as binary: people see no diff of it, while most compilers and interpreters still run it.',
  },
  'look-alike': {
    severity: 'medium',
    title: 'A name mixes Latin letters with look-alikes of another script',
    explanation: 'It looks like another name but is not the same one, so it may refer to something else.',
  },
}

/** Tests contain such characters on purpose, and translations pick them up from other programs. */
function severityIn({ role, language }: FileChange, problem: Problem): Severity {
  const { severity } = problems[problem]
  if (role === 'test') return severity === 'high' ? 'medium' : 'low'
  const isText = role === 'docs' || role === 'data'
  // Manuals and tables are mostly read elsewhere than in a diff.
  if (isText && (severity === 'medium' || problem === 'zero-byte')) return 'low'
  // A format that no compiler reads may be half text, half data.
  return problem === 'zero-byte' && language === null ? 'medium' : severity
}
