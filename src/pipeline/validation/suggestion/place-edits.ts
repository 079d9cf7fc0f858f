/**
 * Makes a suggestion of the edits that a model proposes: each must name whole lines that are in the function of the finding,
 * once. What cannot be placed is refused with the reason and not shown, since nothing could be checked about it.
 */
import type { FileFacts } from '../../../code-index/contract.ts'
import type { Edit, ProposedEdit, Suggestion } from '../../../domain/finding.ts'
import {
  type CandidateState,
  type DiffLocation,
  locationOf,
  type StepResult,
  type ValidationContext,
  type ValidationStep,
} from '../contract.ts'
import { splitLines } from '../sources.ts'

export const editSteps: readonly ValidationStep[] = [
  { name: 'place of edits', step: 'suggestion', run: placeEdits },
]

async function placeEdits(state: CandidateState, { sources }: ValidationContext): Promise<StepResult> {
  const { edits = [], ...candidate } = state.candidate
  if (candidate.refusedSuggestion !== undefined)
    return { candidate, demotions: [`suggestion left out: ${candidate.refusedSuggestion}`] }
  if (edits.length === 0) return {}
  const location = locationOf(state)
  const { path } = location.file
  const lines = await sources.lines('new', path)
  const found = lines
    ? findEdits(edits, lines, location, await sources.facts('new', path))
    : `\`${path}\` cannot be read after the change`
  if (typeof found === 'string')
    return {
      candidate: { ...candidate, refusedSuggestion: found },
      demotions: [`suggestion left out: ${found}`],
    }
  return { candidate: { ...candidate, suggestion: suggestionOf(found, location) } }
}

/** From the top of the file; in words, why one of them has no place. */
function findEdits(
  edits: readonly ProposedEdit[],
  lines: readonly string[],
  location: DiffLocation,
  facts: FileFacts | null,
): Edit[] | string {
  const range = rangeAround(location, facts)
  const found: Edit[] = []
  for (const edit of edits) {
    const placed = findEdit(edit, lines, location, range)
    if (typeof placed === 'string') return placed
    found.push(placed)
  }
  found.sort((a, b) => a.startLine - b.startLine)
  const overlaps = found.some(({ startLine }, at) => startLine <= (found[at - 1]?.endLine ?? 0))
  return overlaps ? 'two of its edits are about the same lines' : found
}

type Range = { from: number; to: number }

function findEdit(
  { old, new: replacement }: ProposedEdit,
  lines: readonly string[],
  location: DiffLocation,
  range: Range,
): Edit | string {
  const wanted = splitLines(old.replace(/^\n+/, '')).map((line) => line.trimEnd())
  if (wanted.every((line) => line === '')) return 'it does not say which lines it replaces'
  const starts = lines.flatMap((_, at) =>
    wanted.every((line, offset) => lines[at + offset]?.trimEnd() === line) ? [at + 1] : [],
  )
  const isIn = (start: number, { from, to }: Range) => from <= start && start + wanted.length - 1 <= to
  const inside = starts.filter((start) => isIn(start, range))
  const own = inside.filter(
    (start) =>
      location.side === 'new' && start <= location.endLine && location.startLine < start + wanted.length,
  )
  const [startLine] = own.length === 1 ? own : inside
  if (startLine === undefined)
    return starts.length === 0
      ? 'the lines that it replaces are not in the file'
      : 'it is about lines outside the function of the finding'
  if (own.length !== 1 && inside.length > 1)
    return `the lines that it replaces occur ${inside.length} times in the function`
  const endLine = startLine + wanted.length - 1
  const replaced = lines.slice(startLine - 1, endLine).map((line) => line.replace(/\r$/, ''))
  return {
    startLine,
    endLine,
    replacement: replacement.replace(/\n$/, ''),
    replaced: replaced.join('\n'),
  }
}

/** The innermost definition of more than one line around the finding, and the hunk that shows it. */
function rangeAround(location: DiffLocation, facts: FileFacts | null): Range {
  const hunk = location.file.hunks.find(({ lines }) => location.shown && lines.includes(location.shown))
  const shown = hunk
    ? { from: hunk.newStart, to: hunk.newStart + hunk.newLines - 1 }
    : { from: location.startLine, to: location.endLine }
  const about = location.side === 'new' ? { from: location.startLine, to: location.endLine } : shown
  const around = (facts?.symbols ?? [])
    .filter(({ startLine, endLine }) => startLine < endLine && startLine <= about.from && about.to <= endLine)
    .sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0]
  return around
    ? { from: Math.min(shown.from, around.startLine), to: Math.max(shown.to, around.endLine) }
    : shown
}

function suggestionOf(edits: readonly Edit[], { file }: DiffLocation): Suggestion | null {
  const [first, ...further] = edits
  if (!first) return null
  const shown = new Set(file.hunks.flatMap((hunk) => hunk.lines.map((line) => line.new)))
  const isOutside = edits.some(({ startLine, endLine }) => {
    for (let line = startLine; line <= endLine; line++) if (!shown.has(line)) return true
    return false
  })
  return {
    path: file.path,
    ...first,
    ...(further.length > 0 ? { further } : {}),
    ...(isOutside ? { outsideDiff: true } : {}),
  }
}
