/**
 * The change as a scout sees it: a map of all files, what the reviewer gets without being asked, and the diffs, each list
 * with the most important first. What does not fit is named.
 */

import { numberedLines } from '../../agent/diff-text.ts'
import { count } from '../../base/count.ts'
import { fairShares } from '../../base/fair-shares.ts'
import { bytesOfLines, linesWithin } from '../../base/line-bytes.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import { countBeyond, type DiffLine, type FileChange } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { Evidence } from '../../domain/evidence.ts'
import { withoutRepeats } from '../../domain/evidence-repeats.ts'
import { pathOf, rankFiles, rankSymbolChanges } from '../../domain/importance.ts'
import type { ReviewContext } from '../../domain/review-context.ts'

/** Bytes of each part. */
const most = { map: 12_000, known: 8_000, diffs: 40_000, oneDiff: 24_000, oneAside: 4_000 }
const mostSymbols = 8
const mostRanges = 60
/** A longer line is cut; it is code of a machine, or data. */
const widest = 400
/** With less room than this no further diff is begun, and no further hunk. */
const leastDiff = 500
const leastHunk = 400
/** What the mark of a cut takes. */
const markBytes = 60

export function renderScoutRequest(context: ReviewContext, fence: Fence): string {
  const { change, symbols } = context
  const files = rankFiles(change.files, symbols, [])
  // Of what is gone its name tells most, and its lines would take the room of what came instead.
  const goneLast = files.toSorted((a, b) => Number(a.status === 'deleted') - Number(b.status === 'deleted'))
  const { blocks, unshown } = renderDiffs(goneLast, fence)
  return [
    fence.rule,
    `The change touches ${count(files.length + countBeyond(change), 'file')}, most important first:`,
    fence.render(new Untrusted('map of the changed files', mapLines(context, files).join('\n'))),
    'The reviewer gets this without your help, so do not read it again: the diffs of these files, and the definitions around the changed lines as far as they fit.',
    ...renderKnown(context, fence),
    ...(blocks.length > 0
      ? [
          'The diffs, most important first. Numbers are lines after the change, and before it on removed lines.',
        ]
      : []),
    ...blocks,
    ...(unshown.length > 0
      ? [
          'Not shown to you for lack of room; read_file shows them after the change, and with side base before it:',
          fence.render(new Untrusted('diffs that are not shown', within(unshown, most.known).join('\n'))),
        ]
      : []),
  ].join('\n\n')
}

/** `modified src/a.ts, source, +3 -1: signature-changed load; body-changed save`. */
function mapLines({ change, symbols }: ReviewContext, files: readonly FileChange[]): string[] {
  const byPath = Map.groupBy(rankSymbolChanges(symbols), pathOf)
  const lines = files.map((file) => {
    const { path, oldPath, status, role, added, removed } = file
    const from = oldPath === null ? '' : ` (from ${oldPath})`
    const changed = symbolWords(byPath.get(path) ?? [])
    return `${status} ${path}${from}, ${role}, +${added} -${removed}${changed === '' ? '' : `: ${changed}`}`
  })
  return within([...lines, ...change.overflow], most.map)
}

/** `signature-changed load, Store.save; added parse`, the heaviest first. */
function symbolWords(changes: readonly SymbolChange[]): string {
  const shown = changes.slice(0, mostSymbols)
  const kinds = [...Map.groupBy(shown, ({ kind }) => kind)].map(
    ([kind, same]) => `${kind} ${same.map(nameOf).join(', ')}`,
  )
  const left = changes.length - shown.length
  return [...kinds, ...(left > 0 ? [`and ${left} more`] : [])].join('; ')
}

function nameOf({ before, after }: SymbolChange): string {
  const symbol = (after ?? before)?.symbol
  return symbol ? [symbol.scope, symbol.name].filter((part) => part !== '').join('.') : ''
}

/** Code of the bundle by file and lines, beside the diffs; instructions and tickets by name. */
function renderKnown({ change, evidence, around }: ReviewContext, fence: Fence): string[] {
  const diffs = change.files.flatMap((file) => file.hunks.map(({ lines }) => ({ file, lines })))
  const inFiles = withoutRepeats(evidence, diffs).filter(
    ({ path, startLine }) => path !== null && startLine !== null,
  )
  const byPath = Map.groupBy(inFiles, ({ path }) => path ?? '')
  const lines = [
    ...[...byPath].map(([path, pieces]) => `${path}: ${rangeWords(pieces)}`),
    ...(around?.instructions ?? []).map(({ path }) => `${path}: conventions of the repository`),
    ...(around?.memory ?? []).map(({ path }) => `${path}: a note of the team`),
    ...(around?.tickets ?? []).map(({ id, title }) => `ticket ${id}: ${title}`),
  ]
  if (lines.length === 0) return []
  return [
    'It also gets these lines and texts:',
    fence.render(new Untrusted('what the reviewer gets anyway', within(lines, most.known).join('\n'))),
  ]
}

/** `10-30, 50-80 before the change`: what they are for is no reason to read them or not. Lines that follow on each other are one range. */
function rangeWords(pieces: readonly Evidence[]): string {
  const words = [...Map.groupBy(pieces, ({ side }) => side)].flatMap(([side, all]) =>
    joined(all).map(({ start, end }) => `${start}-${end}${side === 'old' ? ' before the change' : ''}`),
  )
  const left = words.length - mostRanges
  return [...words.slice(0, mostRanges), ...(left > 0 ? [`and ${left} more`] : [])].join(', ')
}

function joined(pieces: readonly Evidence[]): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = []
  for (const { startLine, endLine } of pieces.toSorted((a, b) => (a.startLine ?? 0) - (b.startLine ?? 0))) {
    const [start, last] = [startLine ?? 0, ranges.at(-1)]
    const end = endLine ?? start
    if (last && start <= last.end + 1) last.end = Math.max(last.end, end)
    else ranges.push({ start, end })
  }
  return ranges
}

/** Whole diffs as long as they fit; of a diff that does not, as much as fits of every hunk, and what is missing is named. */
function renderDiffs(files: readonly FileChange[], fence: Fence): { blocks: string[]; unshown: string[] } {
  const blocks: string[] = []
  const unshown: string[] = []
  let room = most.diffs
  for (const file of files) {
    if (file.hunks.length === 0 || !isRead(file)) continue
    const maxBytes = Math.min(room, isAside(file) ? most.oneAside : most.oneDiff)
    const { lines, missing } = maxBytes < leastDiff ? nothing : diffLines(file, maxBytes)
    if (lines.length > 0) {
      blocks.push(fence.render(new Untrusted(`diff of ${file.path}`, lines.join('\n'))))
      room -= bytesOfLines(lines)
      if (missing.length > 0) unshown.push(`${file.path}: ${missing.join(', ')}`)
    } else unshown.push(`${file.path}: ${count(file.hunks.length, 'hunk')}${firstLine(file)}`)
  }
  return { blocks, unshown }
}

const nothing = { lines: [], missing: [] }

/** Of tests and documentation the beginning tells what to look for. */
function isAside({ role }: FileChange): boolean {
  return role === 'docs' || role === 'test'
}

function isRead({ role }: FileChange): boolean {
  return role === 'source' || role === 'test' || role === 'config' || role === 'docs'
}

function firstLine({ hunks: [hunk] }: FileChange): string {
  return hunk ? `, from line ${hunk.newStart}` : ''
}

/** Of so many bytes every hunk gets its share: small ones are whole, and of a larger one the first lines are there. */
function diffLines(file: FileChange, maxBytes: number): { lines: string[]; missing: string[] } {
  const mostHunks = Math.max(1, Math.floor(maxBytes / leastHunk))
  const hunks = file.hunks.slice(0, mostHunks).map((hunk) => {
    const text = [`@@ line ${hunk.newStart} ${hunk.section}`.trimEnd(), ...numberedLines(hunk.lines, widest)]
    return { hunk, text, bytes: bytesOfLines(text) }
  })
  const shares = fairShares(
    hunks.map(({ bytes }) => bytes),
    maxBytes,
  )
  const lines: string[] = []
  const missing: string[] = []
  for (const [at, { hunk, text, bytes }] of hunks.entries()) {
    const share = shares[at] ?? 0
    const shown = share >= bytes ? text : fitting(text, share - markBytes)
    const next = hunk.lines[shown.length - 1]
    lines.push(...shown)
    if (shown.length === text.length || !next) continue
    const left = text.length - shown.length
    lines.push(`(${count(left, 'more line')} of this hunk ${left === 1 ? 'is' : 'are'} left out)`)
    missing.push(`${count(left, 'line')} from ${numberOf(next)}`)
  }
  const beyond = file.hunks.slice(mostHunks)
  const [first] = beyond
  if (first) missing.push(`${count(beyond.length, 'hunk')} from line ${first.newStart}`)
  return { lines, missing }
}

/** The first is shown in any case: it is the heading of a hunk. */
function fitting(lines: readonly string[], maxBytes: number): string[] {
  return lines.slice(0, Math.max(1, linesWithin(lines, maxBytes).length))
}

function numberOf({ old, new: now }: DiffLine): string {
  return now === null ? `line ${old} before the change` : `line ${now}`
}

/** The first lines that fit, and how many do not. */
function within(lines: readonly string[], maxBytes: number): string[] {
  const kept = linesWithin(lines, maxBytes)
  const left = lines.length - kept.length
  return left > 0 ? [...kept, `(and ${left} more)`] : kept
}
