/** The hidden-text plane: characters in added lines and file names that people cannot see or take for others. */
import { visibleLine } from '../../../base/visible-text.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { formatFileTag, tagOf } from '../../../domain/line-tag.ts'
import type { Severity } from '../../../domain/severity.ts'
import { type AddedLine, addedText } from '../added-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { type HiddenKind, hiddenCharacters, mixedScriptWords } from './characters.ts'

export const hiddenTextPlane: Plane = {
  name: 'hidden-text',
  description: 'characters in added lines and file names that people cannot see, or take for others',
  look,
}

type Problem = 'name' | 'look-alike' | HiddenKind
/** `quote` is the part of the line around the first sighting. */
type Sighting = { line: AddedLine; seen: string; quote: string }

/** Characters quoted on each side of what was seen; a line may be very long. */
const quoteReach = 80

/** One finding names at most this many lines; the rest are counted. */
const shownLines = 10

const kinds: Record<Exclude<Problem, 'name'>, { severity: Severity; title: string; explanation: string }> = {
  bidi: {
    severity: 'high',
    title: 'text direction is changed by characters that nobody sees',
    explanation:
      'Bidirectional controls make a line show in another order than it runs: a comment can turn into code, or code into a comment.',
  },
  tag: {
    severity: 'high',
    title: 'text is written in invisible tag characters',
    explanation:
      'Tag characters have no shape on a screen but are read by programs, language models above all.',
  },
  selector: {
    severity: 'high',
    title: 'a run of variation selectors may carry hidden data',
    explanation: 'One selector picks a glyph; a run of them has no use but to carry bytes that nobody sees.',
  },
  'zero-width': {
    severity: 'medium',
    title: 'characters of no width stand in the text',
    explanation:
      'Two names that look alike can differ by them, and a search for the visible text misses the line.',
  },
  control: {
    severity: 'low',
    title: 'control characters stand in the text',
    explanation: 'Terminals act on some of them; elsewhere they are lost or shown as nothing.',
  },
  'look-alike': {
    severity: 'medium',
    title: 'a name mixes Latin letters with look-alikes of another script',
    explanation: 'It looks like another name but is not the same one, so it may refer to something else.',
  },
}

async function look({ context }: PlaneInput): Promise<PlaneReport> {
  const candidates = context.change.files.flatMap((file) => describeName(file) ?? [])
  for (const { file, lines } of addedText(context.change)) {
    if (file.lossyText) continue
    for (const [problem, sightings] of Map.groupBy(sightingsOf(lines), (sighting) => sighting.problem))
      candidates.push(describeLines(file, problem, sightings))
  }
  return { candidates, limits: [] }
}

function sightingsOf(lines: readonly AddedLine[]): (Sighting & { problem: Exclude<Problem, 'name'> })[] {
  return lines.flatMap((line) => {
    const text = line.text.replace(/\r$/, '')
    const hidden = hiddenCharacters(text, line.new === 1)
    const byKind = Map.groupBy(hidden, ({ kind }) => kind)
    const found = [...byKind].map(([problem, characters]) => ({
      problem,
      line,
      seen: distinct(characters.map(({ character }) => visibleLine(character))),
      quote: around(line.text, characters[0]?.offset ?? 0),
    }))
    const mixed = mixedScriptWords(text)
    const lookAlike = {
      problem: 'look-alike' as const,
      line,
      seen: distinct(mixed.map(spell)),
      quote: around(line.text, text.indexOf(mixed[0] ?? '')),
    }
    return mixed.length > 0 ? [...found, lookAlike] : found
  })
}

function describeLines(
  file: FileChange,
  problem: Exclude<Problem, 'name'>,
  sightings: readonly Sighting[],
): CandidateDraft {
  const { severity, title, explanation } = kinds[problem]
  const shown = sightings.slice(0, shownLines)
  const seen = distinct(shown.map((sighting) => sighting.seen))
  const more = sightings.length > shown.length ? ` and ${sightings.length - shown.length} more lines` : ''
  return {
    plane: 'hidden-text',
    rule: `hidden-text/${problem}`,
    // Fixtures of parsers and escapes hold such characters on purpose.
    severity: file.role === 'test' && severity !== 'high' ? 'low' : severity,
    category: 'security',
    confidence: problem === 'look-alike' ? 'likely' : 'certain',
    title: `In \`${visibleLine(file.path)}\` ${title}`.slice(0, 300),
    explanation: `${explanation}\n\nSeen: ${seen}${more}.`,
    remedy: 'Write such a character as an escape, or take it out.',
    anchor: { path: file.path, tags: shown.map(({ line }) => tagOf(line)) },
    claims: shown.map(({ line, quote }) => ({
      kind: 'line-contains',
      side: 'new',
      path: file.path,
      line: line.new,
      text: quote,
    })),
    suggestion: null,
    preExisting: false,
    evidence: shown.map(({ line, quote }) => ({
      item: {
        source: 'diff',
        trust: 'foreign',
        title: 'line with hidden text',
        path: file.path,
        blob: file.newBlob,
        side: 'new',
        startLine: line.new,
        endLine: line.new,
        text: line.text,
      },
      quote,
    })),
  }
}

function describeName(file: FileChange): CandidateDraft | null {
  const characters = hiddenCharacters(file.path, false)
  if (characters.length === 0 || file.status === 'deleted') return null
  const item = {
    source: 'tool' as const,
    trust: 'own' as const,
    title: 'the name of the file, made visible',
    path: file.path,
    blob: file.newBlob,
    side: 'new' as const,
    startLine: null,
    endLine: null,
    text: visibleLine(file.path),
  }
  return {
    plane: 'hidden-text',
    rule: 'hidden-text/file-name',
    severity: 'high',
    category: 'security',
    confidence: 'certain',
    title: 'A file name holds characters that nobody sees',
    explanation: `The name is \`${visibleLine(file.path)}\`. It can pass for the name of another file.`,
    remedy: 'Rename the file.',
    anchor: { path: file.path, tags: [formatFileTag(file.path)] },
    claims: [],
    suggestion: null,
    preExisting: false,
    evidence: [{ item, quote: item.text }],
  }
}

/** `scоpe` → `sc⟦U+043E⟧pe`. */
function spell(word: string): string {
  return [...word]
    .map((letter) => (/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(letter) ? code(letter) : letter))
    .join('')
}

function code(letter: string): string {
  return `⟦U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`
}

function around(text: string, offset: number): string {
  return text.slice(Math.max(0, offset - quoteReach), offset + quoteReach)
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].slice(0, 8).join(', ')
}
