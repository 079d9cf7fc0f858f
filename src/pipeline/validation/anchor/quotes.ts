/** Finds in the diff of a file the words that a finding quotes. White space does not count, because models change it. */
import { once } from '../../../base/remembered.ts'
import type { DiffLine, FileChange, Side } from '../../../domain/change-set.ts'
import { lineIndexOf, type Spot } from '../../../domain/diff-lines.ts'

/** A shorter quote must be a whole line: so few characters occur in too many lines. */
const fewest = 8

/** The lines of each occurrence of one quote. */
type Occurrences = readonly (readonly DiffLine[])[]

export type Quotes = {
  /** The line is part of a quote, or contains one that is long enough. */
  hold(line: DiffLine): boolean
  /** The line contains a quote that is too short: reason to doubt another line, not to accept this one. */
  touch(line: DiffLine): boolean
  /** A quote that includes the line occurs nowhere else in the diff of the file. */
  holdOnly(line: DiffLine): boolean
}

/** A quote of several lines matches consecutive lines of one side; blank lines are ignored. */
export function readQuotes(quotes: readonly string[], file: FileChange): Quotes {
  const short = quotes.map(foldSpace).filter((words) => words !== '' && words.length < fewest)
  const occurrences = once(() => quotes.map((quote) => occurrencesOf(quote, file)))
  return {
    hold: (line) => occurrences().some((all) => all.some((lines) => lines.includes(line))),
    touch: (line) => short.some((words) => foldSpace(line.text).includes(words)),
    holdOnly: (line) => occurrences().some((all) => all.length === 1 && all[0]?.includes(line) === true),
  }
}

/**
 * Of a line and those with identical text, the one that quotes of several lines include. Null when no quote decides or
 * the line itself is quoted, and `'unclear'` when others are quoted and it is not certain which one is meant.
 */
export function quotedIdenticalLine(
  spot: Spot,
  file: FileChange,
  quotes: readonly string[],
): Spot | 'unclear' | null {
  const blocks = quotes.filter((quote) => quote.trim().includes('\n'))
  const others = blocks.length === 0 ? [] : identicalLines(spot, file)
  if (others.length === 0) return null
  const quoted = new Set(blocks.flatMap((block) => occurrencesOf(block, file)).flat())
  const fitting = [spot, ...others].filter(({ line }) => quoted.has(line))
  if (fitting.includes(spot) || fitting.length === 0) return null
  const [only] = fitting
  return only && fitting.length === 1 ? only : 'unclear'
}

/** The other lines of the file's diff with the same text. */
function identicalLines({ line }: Spot, file: FileChange): readonly Spot[] {
  return lineIndexOf(file)
    .withHash(line.hash)
    .filter((other) => other.line !== line && other.line.text === line.text)
}

/** Each occurrence once: unchanged lines are on both sides and count as one. */
function occurrencesOf(quote: string, file: FileChange): Occurrences {
  const wanted = quote
    .split('\n')
    .map(foldSpace)
    .filter((line) => line !== '')
  const [first = ''] = wanted
  if (first === '') return []
  const isPiece = wanted.length > 1 || first.length >= fewest
  const found = new Map<DiffLine, DiffLine[]>()
  for (const side of ['new', 'old'] as const)
    for (const lines of foldLines(file, side))
      for (const [at, { line, words }] of lines.entries()) {
        if (found.has(line) || !(isPiece ? words.includes(first) : words === first)) continue
        const block = lines.slice(at, at + wanted.length)
        if (block.length < wanted.length) continue
        if (block.every((one, offset) => one.words.includes(wanted[offset] ?? '')))
          found.set(
            line,
            block.map((one) => one.line),
          )
      }
  return [...found.values()]
}

/** A line with its white space folded, for comparison with quotes. */
type Words = { line: DiffLine; words: string }

const folded = new WeakMap<FileChange, Partial<Record<Side, readonly (readonly Words[])[]>>>()

/** By hunk, the lines of one side that are not blank. */
function foldLines(file: FileChange, side: Side): readonly (readonly Words[])[] {
  const known = folded.get(file) ?? {}
  folded.set(file, known)
  known[side] ??= readLines(file, side)
  return known[side]
}

function readLines(file: FileChange, side: Side): Words[][] {
  return file.hunks.map(({ lines }) =>
    lines.flatMap((line) => {
      const words = line[side] === null ? '' : foldSpace(line.text)
      return words === '' ? [] : [{ line, words }]
    }),
  )
}

export function foldSpace(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
