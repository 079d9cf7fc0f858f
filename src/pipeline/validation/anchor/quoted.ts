/** Where in the diff of a file the words stand that a finding quotes. White space does not count: models fold it. */
import type { DiffLine, FileChange } from '../../../domain/change-set.ts'
import { foldLines, foldSpace } from './fold-lines.ts'

/** A shorter quote of one line must be the line as a whole: fewer characters stand in too many lines. */
const fewest = 8

/** The lines in which one quote stands, each time it does. */
export type Occurrences = readonly (readonly DiffLine[])[]

export type Quotes = {
  /** The line is one of those that a quote holds, or holds a telling piece of. */
  hold(line: DiffLine): boolean
  /** The line holds a quote too short to tell: enough to doubt, not to believe. */
  touch(line: DiffLine): boolean
  /** Some quote that holds the line stands nowhere else in the diff of the file. */
  holdOnly(line: DiffLine): boolean
}

/** A quote of several lines stands where they all do, one after the other on one side; blank lines aside. */
export function readQuotes(quotes: readonly string[], file: FileChange): Quotes {
  let found: Occurrences[] | null = null
  const short = quotes.map(foldSpace).filter((words) => words !== '' && words.length < fewest)
  const occurrences = (): Occurrences[] => {
    found ??= quotes.map((quote) => occurrencesOf(quote, file))
    return found
  }
  return {
    hold: (line) => occurrences().some((all) => all.some((lines) => lines.includes(line))),
    touch: (line) => short.some((words) => foldSpace(line.text).includes(words)),
    holdOnly: (line) => occurrences().some((all) => all.length === 1 && all[0]?.includes(line) === true),
  }
}

/** Each place once: unchanged lines stand on both sides and count as one. */
export function occurrencesOf(quote: string, file: FileChange): Occurrences {
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
