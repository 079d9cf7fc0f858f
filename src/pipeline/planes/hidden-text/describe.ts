/** Hidden text as candidates: one for each problem of a file, with the lines it stands on. */
import { count } from '../../../base/count.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { formatFileTag, tagOf } from '../../../domain/line-tag.ts'
import type { AddedLine } from '../added-lines.ts'
import { spellOut } from './look-alikes.ts'
import { type Problem, problems, severityIn } from './problems.ts'

/** `column`: where on the line the first of them stands; `seen`: them all, made visible. */
export type Sighting = { problem: Problem; line: AddedLine; column: number; seen: readonly string[] }

/** One finding names at most this many lines; the rest are counted. */
const shownLines = 10
const shownCharacters = 8
/** Of a longer line only the part around the characters is quoted. */
const longestLine = 1_000
const margin = 60

export function describeLines(
  file: FileChange,
  problem: Problem,
  sightings: readonly Sighting[],
): CandidateDraft {
  const { title, explanation } = problems[problem]
  const shown = sightings.slice(0, shownLines)
  const seen = [...new Set(shown.flatMap((sighting) => sighting.seen))].slice(0, shownCharacters).join(', ')
  const more = sightings.length - shown.length
  const where = sightings.length === 1 ? '' : ` (${sightings.length} lines)`
  return {
    plane: 'hidden-text',
    rule: `hidden-text/${problem}`,
    severity: severityIn(file.role, problem),
    category: 'security',
    confidence: problem === 'look-alike' ? 'likely' : 'certain',
    title: `${title}${where}`,
    explanation: `${explanation}\n\nSeen: ${seen}${more > 0 ? `, and ${count(more, 'more line')}` : ''}.`,
    remedy:
      problem === 'look-alike'
        ? 'Type the name again in one script.'
        : 'Write such a character as an escape, or take it out.',
    anchor: { path: file.path, tags: shown.slice(0, 1).map(({ line }) => tagOf(line)) },
    claims: shown.map((sighting) => ({
      kind: 'line-contains',
      side: 'new',
      path: file.path,
      line: sighting.line.new,
      text: quoteOf(sighting),
    })),
    suggestion: null,
    preExisting: false,
    evidence: shown.map((sighting) => citeLine(file, sighting)),
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
    title: 'A file name holds characters that nobody sees, or takes for others',
    explanation: `The name is \`${name}\`. It can pass for the name of another file.`,
    remedy: 'Rename the file.',
    anchor: { path: file.path, tags: [formatFileTag(file.path)] },
    claims: [],
    suggestion: null,
    preExisting: false,
    evidence: [{ item, quote: name }],
  }
}

function citeLine(file: FileChange, sighting: Sighting): CandidateDraft['evidence'][number] {
  const { line } = sighting
  const quote = quoteOf(sighting)
  const isWhole = quote === line.text
  return {
    item: {
      source: isWhole ? 'diff' : 'tool',
      // A part of a line is no longer what the file says; the claim about it is checked all the same.
      trust: isWhole ? 'foreign' : 'own',
      title: 'line with hidden text',
      path: file.path,
      blob: file.newBlob,
      side: 'new',
      startLine: line.new,
      endLine: line.new,
      text: quote,
    },
    quote,
  }
}

function quoteOf({ line, column }: Sighting): string {
  if (line.text.length <= longestLine) return line.text
  return line.text.slice(Math.max(0, column - margin), column + margin)
}
