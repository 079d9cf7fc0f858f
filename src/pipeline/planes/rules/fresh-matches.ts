/** Tells what a change brought from what stood there before and was only moved, re-indented or touched beside. */
import type { AddedLine } from '../added-lines.ts'
import type { EngineMatch } from './engine/protocol.ts'

/** A match that this change brought, with the added line it is shown on. */
export type FreshMatch = EngineMatch & { line: AddedLine }

/** How often each matched code stood in the base, by question and text. It is used up by what matches at the head. */
export type BaseCounts = Map<string, number>

export function countMatches(matches: Iterable<EngineMatch>): BaseCounts {
  const counts: BaseCounts = new Map()
  for (const match of matches) counts.set(keyOf(match), (counts.get(keyOf(match)) ?? 0) + 1)
  return counts
}

/**
 * The head's matches of one file that touch an added line, in the order given. Those that touch none stood there
 * before, so they are counted off first; what is left of the base's counts excuses as many others.
 */
export function freshMatches(
  matches: readonly EngineMatch[],
  added: readonly AddedLine[],
  base: BaseCounts,
): FreshMatch[] {
  const touching: FreshMatch[] = []
  for (const match of matches) {
    const line = added.find(({ new: number }) => number >= match.startLine && number <= match.endLine)
    if (line) touching.push({ ...match, line })
    else takeOne(base, match)
  }
  return touching.filter((match) => !takeOne(base, match))
}

function takeOne(counts: BaseCounts, match: EngineMatch): boolean {
  const left = counts.get(keyOf(match)) ?? 0
  if (left > 0) counts.set(keyOf(match), left - 1)
  return left > 0
}

function keyOf({ question, text }: EngineMatch): string {
  return `${question} ${text.replace(/\s+/g, ' ')}`
}
