/**
 * Where the code of a recorded finding is in a file now. It is looked for by its words, which survives what no chain of
 * diffs does: force-pushes, rebases and squashes whose old commits are gone.
 */
import { emptyLine, type FindingRecord, fileEnd, lineHash, type TextOf, wordsOf } from './record.ts'
import { partsOf, shortHash, substanceOf, type Token, tokensOf } from './tokens.ts'

export type Places = {
  /** Where the lines of an earlier record are now; null when its words are gone. */
  lineNow: (record: FindingRecord) => number | null
  /** Whether it was taken out from between the lines that were around it. */
  isTakenOut: (record: FindingRecord) => boolean
}

/** Looks records up in the files as they are now; each file is prepared once. */
export function openPlaces(textOf: TextOf, pathNow: (path: string) => string): Places {
  const files = new Map<string, HashedFile>()
  const fileOf = ({ side, path: recorded }: FindingRecord): HashedFile => {
    const path = side === 'new' ? pathNow(recorded) : recorded
    const key = `${side}:${path}`
    const known = files.get(key)
    if (known) return known
    const file = hashLines(textOf(side, path) ?? '')
    files.set(key, file)
    return file
  }
  return {
    lineNow: (record) => locate(record, fileOf(record)),
    isTakenOut: (record) => isTakenOut(record, fileOf(record)),
  }
}

/** A file prepared to be searched; made once for all records of it. */
type HashedFile = {
  lines: readonly string[]
  /** Made when the first record needs them. */
  tokens: () => { all: readonly Token[]; sketch: readonly string[] }
  /** Each line with words as records have those around them. */
  words: () => readonly string[]
}

export function hashLines(text: string): HashedFile {
  const split = text.split('\n')
  let tokens: ReturnType<HashedFile['tokens']> | null = null
  let words: readonly string[] | null = null
  return {
    lines: split.map(lineHash),
    tokens() {
      if (!tokens) {
        const all = tokensOf(split)
        tokens = { all, sketch: all.map((token) => shortHash(token.text)) }
      }
      return tokens
    },
    words() {
      const withWords = () => split.map(wordsOf).filter((text) => text !== '')
      words ??= [fileEnd, ...withWords().map(shortHash), fileEnd]
      return words
    },
  }
}

/** The lines that were right above and below are side by side now, with nothing between them. */
function isTakenOut({ code }: FindingRecord, file: HashedFile): boolean {
  if (!code) return false
  const above = partsOf(code.above).slice(0, 2).reverse()
  const wanted = [...above, ...partsOf(code.below).slice(0, 2)]
  if (above.length < 1 || wanted.length < 3) return false
  const words = file.words()
  for (let at = words.indexOf(wanted[0] ?? ''); at >= 0; at = words.indexOf(wanted[0] ?? '', at + 1))
    if (wanted.every((word, index) => words[at + index] === word)) return true
  return false
}

/**
 * The first line (1-based), or null when the words are gone. Of several places, the one whose neighbours agree best, then
 * the nearest. Empty lines alone are no words. Code that is only formatted in another way is found all the same.
 */
export function locate(record: FindingRecord, file: HashedFile): number | null {
  const { lines } = record
  if (lines.length === 0) return file.lines.length > 0 ? record.line : null
  if (lines.every((hash) => hash === emptyLine)) return null
  return locateLines(record, file.lines) ?? locateTokens(record, file)
}

function locateLines(record: FindingRecord, file: readonly string[]): number | null {
  const { lines, before, after, line } = record
  let best: { at: number; agreeing: number } | null = null
  for (let at = file.indexOf(lines[0] ?? ''); at >= 0; at = file.indexOf(lines[0] ?? '', at + 1)) {
    if (!lines.every((hash, index) => file[at + index] === hash)) continue
    const agreeing = Number(file[at - 1] === before) + Number(file[at + lines.length] === after)
    const isNearer = best !== null && Math.abs(at + 1 - line) < Math.abs(best.at + 1 - line)
    if (best === null || agreeing > best.agreeing || (agreeing === best.agreeing && isNearer))
      best = { at, agreeing }
  }
  return best && best.at + 1
}

/** A few tokens are anywhere. */
const fewestTokens = 3

function locateTokens({ code, line }: FindingRecord, file: HashedFile): number | null {
  if (!code || code.size < fewestTokens) return null
  const wanted = partsOf(code.tokens)
  const { all, sketch } = file.tokens()
  let best: number | null = null
  for (let at = sketch.indexOf(wanted[0] ?? ''); at >= 0; at = sketch.indexOf(wanted[0] ?? '', at + 1)) {
    if (!wanted.every((part, index) => sketch[at + index] === part)) continue
    // Whole lines, as they were recorded: with anything before or behind it, it is other code.
    const end = at + code.size
    if (all[at - 1]?.line === all[at]?.line || all[end]?.line === all[end - 1]?.line) continue
    if (substanceOf(all.slice(at, end)) !== code.substance) continue
    const found = all[at]?.line ?? 1
    if (best === null || Math.abs(found - line) < Math.abs(best - line)) best = found
  }
  return best
}
