/** An answer of a tool as its readers get it: as text, as evidence, and cut to the room that is left. */
import { canonicalJson } from '../base/canonical-json.ts'
import { count } from '../base/count.ts'
import { linesWithin } from '../base/line-bytes.ts'
import type { EvidenceDraft } from '../domain/evidence.ts'
import type { CitedRange, ToolAnswer, ToolCall } from './contract.ts'

/** One key for one question, however its arguments are ordered: `tool::{"a":1,"b":2}`. */
export function callKey({ tool, args }: ToolCall): string {
  return `${tool}::${canonicalJson(args)}`
}

/** What the model reads: the lines, then remarks in brackets, the last of which says what was cut and where to go on. */
export function textOf(answer: ToolAnswer): string {
  return [...answer.lines, ...notesOf(answer)].join('\n')
}

function notesOf(answer: ToolAnswer): string[] {
  const cut = cutOf(answer)
  const remarks = cut === null ? answer.remarks : [...answer.remarks, cut]
  return remarks.map((remark) => `(${remark})`)
}

/** What is missing and how to get it, or null when nothing is: `8 of 20 lines are left out; go on with …`. */
export function cutOf({ lines, total, ranges, narrow, shortened }: ToolAnswer): string | null {
  const left = total - lines.length
  const last = ranges.at(-1)
  const next =
    last && last.at + last.lines.length >= lines.length
      ? `go on with read_file, path ${last.path}, line_start ${last.startLine + last.lines.length}${last.side === 'old' ? ', side base' : ''}`
      : narrow
  const parts = [
    ...(left > 0
      ? [`${left} of ${count(total, 'line')} ${left === 1 ? 'is' : 'are'} left out; ${next}`]
      : []),
    ...(shortened > 0 ? [`${count(shortened, 'long line is', 'long lines are')} cut`] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : null
}

/**
 * What may be cited of it, before it is numbered. Lines of files are cited as such, anything else as the text that the
 * tool gave. An empty answer is cited when it proves that there is nothing; a failure never is.
 */
export function evidenceOf(answer: ToolAnswer): EvidenceDraft[] {
  if (answer.isError) return []
  if (answer.ranges.length > 0) return [...answer.ranges.map(rangeEvidence), ...besideRanges(answer)]
  if (answer.lines.length === 0 && !answer.isConclusive) return []
  return [toolEvidence(callKey(answer.call), textOf(answer))]
}

/** Lines that are of no file, and what the ranges leave out: without it a part of an answer reads like the whole. */
function besideRanges(answer: ToolAnswer): EvidenceDraft[] {
  const { ranges, remarks, isPartial } = answer
  const told = new Set(
    ranges.flatMap(({ at, lines, heading }) => [...lines.map((_, line) => at + line), heading ?? at]),
  )
  const others = answer.lines.filter((line, at) => !told.has(at) && line.trim() !== '…')
  // The first remark only counts what is there.
  const saysMore = others.length > 0 || isPartial || remarks.length > 1 || cutOf(answer) !== null
  return saysMore ? [toolEvidence(callKey(answer.call), [...others, ...notesOf(answer)].join('\n'))] : []
}

/** Text of a tool that belongs to no range of a file. `title` may hold words of a model. */
export function toolEvidence(title: string, text: string): EvidenceDraft {
  return {
    source: 'tool',
    trust: 'foreign',
    title,
    path: null,
    blob: null,
    side: null,
    startLine: null,
    endLine: null,
    text,
  }
}

function rangeEvidence({ title, path, blob, side, startLine, lines }: CitedRange): EvidenceDraft {
  const endLine = startLine + lines.length - 1
  return {
    source: 'file',
    trust: 'foreign',
    title,
    path,
    blob,
    side,
    startLine,
    endLine,
    text: lines.join('\n'),
  }
}

/** Fewer lines than these tell too little of an answer that has more. */
const fewestLines = 3

/** The answer, or its first lines that fit with the mark of the cut; null when hardly any do. */
export function cutAnswer(answer: ToolAnswer, maxBytes: number): ToolAnswer | null {
  if (Buffer.byteLength(textOf(answer)) <= maxBytes) return answer
  let kept = linesWithin(answer.lines, maxBytes).length
  // The remarks and the mark of the cut need room too.
  while (kept >= fewestLines) {
    const cut = withLines(answer, kept)
    if (Buffer.byteLength(textOf(cut)) <= maxBytes) return cut
    kept--
  }
  return null
}

/** The first `kept` lines, and of its ranges what is in them. */
export function withLines(answer: ToolAnswer, kept: number): ToolAnswer {
  const ranges = answer.ranges.flatMap((range) => {
    const lines = range.lines.slice(0, Math.max(0, kept - range.at))
    return lines.length > 0 ? [{ ...range, lines }] : []
  })
  return { ...answer, lines: answer.lines.slice(0, kept), ranges }
}
