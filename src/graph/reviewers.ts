/**
 * Whom to ask for a review: who reviewed earlier changes of the same files, as commit messages say, and who wrote them. Where
 * no message names a reviewer, these are the experts without the author.
 */
import type { BlamedLines, NamedPerson } from '../domain/team-history.ts'
import { fade, openCloseness } from './closeness.ts'
import { isProgram, knowPeople } from './people.ts'

type Author = { readonly authorName: string; readonly authorEmail: string }
type Change = Author & {
  readonly time: number
  readonly paths: readonly string[]
  readonly reviewers: readonly NamedPerson[]
}

export type Reviewer = {
  name: string
  /** Of the commits that changed the files: reviewed, and written. */
  reviews: number
  commits: number
  /** Of the lines that the change replaces. */
  lines: number
  /** Seconds since 1970 of the last of those commits; null for someone who only worked elsewhere. */
  lastTime: number | null
}

/** Chosen on eight repositories and measured on nine others: docs/quality/team.md. A review counts far more than a commit. */
const weights = {
  reviewed: { file: 10, folder: 2, anywhere: 0.3 },
  written: { file: 1, folder: 0.15, anywhere: 0.01 },
  lines: 2,
}

export type ReviewerQuestion = {
  /** Newest first. */
  commits: readonly Change[]
  paths: readonly string[]
  blamed: readonly BlamedLines[]
  /** Who wrote the change, and so does not review it; null when that is unknown. */
  author: NamedPerson | null
  limit: number
}

/** Best first; without programs. Times count from the newest commit, so that the same history gives the same answer. */
export function rankReviewers({ commits, paths, blamed, author, limit }: ReviewerQuestion): Reviewer[] {
  const own = author && asAuthor(author)
  const named = commits.flatMap(({ reviewers }) => reviewers.map(asAuthor))
  const nameOf = knowPeople([...(own ? [own] : []), ...commits, ...blamed, ...named])
  const now = commits[0]?.time ?? 0
  const closenessOf = openCloseness(paths, now)
  const known = new Map<string, Reviewer & { score: number }>()
  const entryOf = (person: Author) => {
    const name = nameOf(person)
    const entry = known.get(name) ?? { name, reviews: 0, commits: 0, lines: 0, lastTime: null, score: 0 }
    known.set(name, entry)
    return entry
  }
  for (const commit of commits) {
    if (commit.paths.length === 0) continue
    const { level, share } = closenessOf(commit)
    const add = (person: Author, kind: 'reviewed' | 'written') => {
      if (isProgram(person)) return
      const entry = entryOf(person)
      entry.score += weights[kind][level] * share
      if (level !== 'file') return
      entry[kind === 'reviewed' ? 'reviews' : 'commits'] += 1
      entry.lastTime = Math.max(entry.lastTime ?? 0, commit.time)
    }
    add(commit, 'written')
    for (const reviewer of commit.reviewers) add(asAuthor(reviewer), 'reviewed')
  }
  const lines = blamed.reduce((sum, each) => sum + each.lines, 0)
  for (const each of blamed) {
    if (isProgram(each)) continue
    const entry = entryOf(each)
    entry.lines += each.lines
    entry.score += weights.lines * (each.lines / lines) * fade(now - each.time)
  }
  if (own) known.delete(nameOf(own))
  return [...known.values()]
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ score: _, ...reviewer }) => reviewer)
}

function asAuthor({ name, email }: NamedPerson): Author {
  return { authorName: name, authorEmail: email }
}
