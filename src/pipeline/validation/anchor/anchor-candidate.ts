/** Ties a candidate to lines of the diff, by those of its tags that name one. */
import type { ChangeSet, DiffLine, FileChange, Side } from '../../../domain/change-set.ts'
import type { Spot } from '../../../domain/diff-lines.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { formatFileTag, isFileTag, tagOf } from '../../../domain/line-tag.ts'
import { citedWords } from '../../../domain/proof.ts'
import { type DiffLocation, type Dropped, drop, isDropped, type StepNotes } from '../contract.ts'
import { type Located, locateTag } from './locate-tag.ts'
import { quotedIdenticalLine, readQuotes } from './quotes.ts'

/** Planes that may show a finding on an unchanged line of a hunk: its cause can be on a line beside it. */
const mayUseContext: ReadonlySet<string> = new Set(['contract', 'tests', 'rules', 'ticket'])

/** `wasCorrected`: no tag named its line exactly. */
export type Anchored = StepNotes & { location: DiffLocation; wasCorrected: boolean }

/** A file tag means the first changed line of the file, or the file itself when it has none. */
export function anchorCandidate(candidate: Candidate, change: ChangeSet): Anchored | Dropped {
  const file = change.files.find(({ path }) => path === candidate.anchor.path)
  if (!file) return drop('The file it is about is not part of the change')
  const words = quotedWords(candidate)
  const quotes = readQuotes(words, file)

  const spots: Spot[] = []
  const corrections: string[] = []
  const refused: string[] = []
  let wholeFile = false
  for (const tag of candidate.anchor.tags) {
    if (isFileTag(tag, file.path)) {
      wholeFile = true
      continue
    }
    const located = resolveIdenticalLines(
      locateTag(tag, file, quotes),
      tag,
      file,
      candidate.byModel ? words : [],
    )
    if (isDropped(located)) refused.push(located.dropped)
    else if (!spots.some((spot) => spot.line === located.spot.line)) {
      spots.push(located.spot)
      if (located.correction !== null) corrections.push(located.correction)
    }
  }
  if (spots.length === 0 && wholeFile) return anchorWholeFile(file, refused)
  return anchorLines(candidate, file, spots, corrections, refused)
}

/** What a candidate quotes: of its evidence, and of lines by a claim. */
export function quotedWords({ evidence, claims, anchor }: Candidate): string[] {
  return [
    ...evidence.map(({ quote }) => quote),
    ...claims.flatMap((claim) =>
      claim.kind === 'line-contains' && claim.path === anchor.path ? [claim.text] : [],
    ),
  ]
}

/** A model may tag the first of several identical lines and mean a later one. */
function resolveIdenticalLines(
  located: Located | Dropped,
  tag: string,
  file: FileChange,
  words: readonly string[],
): Located | Dropped {
  if (isDropped(located) || located.correction !== null) return located
  const meant = quotedIdenticalLine(located.spot, file, words)
  if (meant === null) return located
  const name = `\`${tag.slice(0, 40)}\``
  return meant === 'unclear'
    ? drop(`${name} is one of several identical lines, and the quoted text is near the others`)
    : {
        spot: meant,
        correction: `${name} is one of several identical lines; the quoted text is near only one of them`,
      }
}

function anchorLines(
  candidate: Candidate,
  file: FileChange,
  spots: readonly Spot[],
  corrections: readonly string[],
  refused: string[],
): Anchored | Dropped {
  const isChanged = (spot: Spot) => spot.line.kind !== 'context'
  const changed = spots.find(isChanged)
  const snapped = changed || !candidate.byModel ? null : changedNeighbour(file, spots)
  // A model's plane may have the same name; its findings are about what the change did.
  const mayUseUnchanged = mayUseContext.has(candidate.plane) && !candidate.byModel
  const shown = mayUseUnchanged ? spots[0] : (changed ?? snapped)
  if (!shown)
    return drop(
      refused[0] ??
        `The plane \`${candidate.plane}\` speaks of changed lines only, and it cites an unchanged one`,
    )
  const ordered = [shown, ...spots.filter((spot) => spot !== shown)]
  return {
    location: locationOn(file, shown, ordered),
    wasCorrected: corrections.length === spots.length,
    verifiedBy: [
      ...(refused.length === 0 && corrections.length === 0 ? [citedWords] : []),
      ...corrections.map((words) => `anchor corrected: ${words}`),
      ...(snapped ? ['anchor corrected: shown on the changed line of the same statement'] : []),
    ],
    demotions: refused.map((reason) => `cited line left out: ${reason}`),
  }
}

/** The changed line next to a cited one, when both belong to one statement. */
function changedNeighbour(file: FileChange, spots: readonly Spot[]): Spot | null {
  for (const { hunk, line } of spots) {
    const own = (file.hunks[hunk]?.lines ?? [])
      .map((one, index) => ({ hunk, index, line: one }))
      .filter((one) => one.line.new !== null)
    const at = own.findIndex((one) => one.line === line)
    const texts = own.map((one) => one.line.text.slice(0, 500))
    for (const [next, upper] of [
      [at - 1, at - 1],
      [at + 1, at],
    ] as const) {
      const spot = own[next]
      if (at >= 0 && spot?.line.kind === 'added' && continuesStatement(texts, upper)) return spot
    }
  }
  return null
}

function locationOn(file: FileChange, shown: Spot, spots: readonly Spot[]): DiffLocation {
  const side: Side = shown.line.new !== null ? 'new' : 'old'
  // A comment can span lines of one side of one hunk only; further tags stay as cites.
  const range = spots.filter((spot) => spot.hunk === shown.hunk && spot.line[side] !== null)
  const numbers = range.map((spot) => spot.line[side] ?? 0)
  const indexes = range.map((spot) => spot.index)
  return {
    file,
    side,
    startLine: Math.min(...numbers),
    endLine: Math.max(...numbers),
    shown: shown.line,
    tags: spots.map((spot) => tagOf(spot.line)),
    excerpt: excerptAround(file.hunks[shown.hunk]?.lines ?? [], Math.min(...indexes), Math.max(...indexes)),
  }
}

const margin = 2
const longest = 12
const widest = 500

/**
 * From two lines before `first` to two after `last` (positions in the hunk), cut at twelve lines. A very long line is
 * cut too, with an ellipsis; its hash stays that of the whole line.
 */
function excerptAround(lines: readonly DiffLine[], first: number, last: number): DiffLine[] {
  const from = Math.max(0, first - margin)
  return lines
    .slice(from, Math.min(last + margin + 1, from + longest))
    .map((line) => (line.text.length > widest ? { ...line, text: `${line.text.slice(0, widest)}…` } : line))
}

function anchorWholeFile(file: FileChange, refused: readonly string[]): Anchored {
  const demotions = refused.map((reason) => `cited line left out: ${reason}`)
  const verifiedBy = ['the file is part of the change']
  for (const [hunk, { lines }] of file.hunks.entries()) {
    const index = lines.findIndex((line) => line.kind !== 'context')
    const line = lines[index]
    if (!line) continue
    const spot = { hunk, index, line }
    const location = { ...locationOn(file, spot, [spot]), tags: [tagOf(line)] }
    return { location, verifiedBy, demotions, wasCorrected: false }
  }
  const side: Side = file.status === 'deleted' ? 'old' : 'new'
  const tags = [formatFileTag(file.path)]
  return {
    location: { file, side, startLine: 1, endLine: 1, shown: null, tags, excerpt: [] },
    verifiedBy,
    demotions,
    wasCorrected: false,
  }
}

/** Open brackets further up than this are not looked for. */
const reach = 40

/** True when `lines[upper + 1]` goes on with the statement that `lines[upper]` is part of. */
export function continuesStatement(lines: readonly string[], upper: number): boolean {
  const above = lines[upper]?.trim() ?? ''
  const below = lines[upper + 1]?.trim() ?? ''
  if (above === '' || below === '') return false
  if (openBrackets(lines, upper) > 0) return true
  if (endsOpen(above) || startsAsContinuation(below)) return true
  return indentation(lines[upper + 1]) > indentation(lines[upper]) && !opensBlock(above) && !endsClosed(above)
}

/** Round and square brackets still open after `lines[last]`; curly ones are blocks more often than not. */
function openBrackets(lines: readonly string[], last: number): number {
  let open = 0
  for (let at = Math.max(0, last - reach); at <= last; at++) {
    for (const character of withoutStrings(lines[at] ?? '')) {
      if (character === '(' || character === '[') open++
      else if (character === ')' || character === ']') open = Math.max(0, open - 1)
    }
  }
  return open
}

/** An unclosed one is matched to its end too and kept: to start again at every quotation mark would be quadratic. */
const strings = /"(?:[^"\\]|\\.)*("?)|'(?:[^'\\]|\\.)*('?)|`(?:[^`\\]|\\.)*(`?)/gs

function withoutStrings(line: string): string {
  return line
    .replace(strings, (text, ...ends: string[]) => (ends.slice(0, 3).some((end) => end) ? '' : text))
    .replace(/(?:\/\/|#\s).*/s, '')
}

function endsOpen(line: string): boolean {
  return /(?:[,=+*/%&|^<>?\\.]|=>|\b(?:and|or|not|in|is|return|extends|implements|from|import|export))$/.test(
    line,
  )
}

function startsAsContinuation(line: string): boolean {
  return /^(?:[.?:)\]=+*/%&|^<>]|-[^-]|&&|\|\||(?:and|or|extends|implements|where|from)\b)/.test(line)
}

function opensBlock(line: string): boolean {
  return /[{:]$/.test(line)
}

function endsClosed(line: string): boolean {
  return /[;}]$/.test(line)
}

function indentation(line: string | undefined): number {
  return /^[ \t]*/.exec(line ?? '')?.[0].length ?? 0
}
