/** Separates matches that a change added from older ones that were only moved, re-indented or changed nearby. */
import type { FileChange } from '../../../domain/change-set.ts'
import type { AddedLine } from '../changed-lines.ts'
import type { EngineMatch } from './engine/protocol.ts'

/** A match that this change added, with the added line that it is shown on. */
export type FreshMatch = EngineMatch & { line: AddedLine }

/** The matches of one file at the head that cover a line which the change added to it. */
export type FileMatches = { file: FileChange; lines: readonly AddedLine[]; matches: readonly EngineMatch[] }

/** The matches of one file at the base that the change rewrote, by its path there. */
export type BaseMatches = { path: string; matches: readonly EngineMatch[] }

/**
 * For each file, in order, its matches that are new. Every match at the base accounts for one at the head: first for one with the
 * same text, anywhere; then for one that differs only inside the functions it contains, in the same file and definition.
 */
export function freshMatches(files: readonly FileMatches[], base: readonly BaseMatches[]): FreshMatch[][] {
  const earlier = indexMatches(base)
  const changed = files.map(({ lines, matches }) =>
    matches.flatMap((match) => {
      const line = lines.find(({ new: number }) => number >= match.startLine && number <= match.endLine)
      return line && !takeOne(earlier.byText.get(textKey(match))) ? [{ ...match, line }] : []
    }),
  )
  return changed.map((matches, index) => {
    const file = files[index]?.file
    const path = file?.oldPath ?? file?.path ?? ''
    return matches.filter((match) => !takeOne(earlier.byFrame.get(frameKey(path, match))))
  })
}

type Entry = { used: boolean }
type Index = { byText: ReadonlyMap<string, Entry[]>; byFrame: ReadonlyMap<string, Entry[]> }

function indexMatches(base: readonly BaseMatches[]): Index {
  const entries = base.flatMap(({ path, matches }) =>
    matches.map((match) => ({ used: false, text: textKey(match), frame: frameKey(path, match) })),
  )
  return {
    byText: Map.groupBy(entries, ({ text }) => text),
    byFrame: Map.groupBy(entries, ({ frame }) => frame),
  }
}

function takeOne(entries: readonly Entry[] | undefined): boolean {
  const entry = entries?.find(({ used }) => !used)
  if (!entry) return false
  entry.used = true
  return true
}

function textKey({ question, text }: EngineMatch): string {
  return `${question} ${unformatted(text)}`
}

function frameKey(path: string, { question, scope, frame }: EngineMatch): string {
  return `${question} ${path}\n${scope}\n${unformatted(frame)}`
}

/** Without what a formatter changes: white space, kinds of quotes, commas and semicolons at the end. */
function unformatted(text: string): string {
  return text
    .replace(/["`]/g, "'")
    .replace(/\s+/g, '')
    .replace(/[,;](?=[\])}]|$)/g, '')
}
