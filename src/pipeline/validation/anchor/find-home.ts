/** A model that names the wrong file of the change: its tags tell which one it meant, when they fit one file only. */
import type { ChangeSet, FileChange } from '../../../domain/change-set.ts'
import { lineIndexOf, lineWithTag } from '../../../domain/diff-lines.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { parseTag } from '../../../domain/line-tag.ts'
import { quotedWords } from './anchor-candidate.ts'
import { type Quotes, readQuotes } from './quoted.ts'

/** The one other file in which every tag names its line exactly and the quoted words are those of such a line; or null. */
export function findHome(candidate: Candidate, change: ChangeSet): string | null {
  const [home, ...others] = homesOf(candidate, change)
  const named = change.files.find(({ path }) => path === candidate.anchor.path)
  if (!home || others.length > 0 || (named && candidate.anchor.tags.some((tag) => hasHash(tag, named))))
    return null
  const quotes = readQuotes(quotedWords(candidate), home)
  return candidate.anchor.tags.some((tag) => isQuotedThere(tag, home, quotes)) ? home.path : null
}

/** The other files in which every tag names its line exactly. */
export function homesOf({ anchor: { path, tags } }: Candidate, change: ChangeSet): FileChange[] {
  return change.files.filter(
    (file) => file.path !== path && tags.every((tag) => lineWithTag(file, tag) !== null),
  )
}

/** Then the number may be wrong and not the file. */
function hasHash(tag: string, file: FileChange): boolean {
  const parsed = parseTag(tag)
  return parsed !== null && lineIndexOf(file).withHash(parsed.hash).length > 0
}

function isQuotedThere(tag: string, file: FileChange, quotes: Quotes): boolean {
  const spot = lineWithTag(file, tag)
  return spot !== null && quotes.hold(spot.line)
}
