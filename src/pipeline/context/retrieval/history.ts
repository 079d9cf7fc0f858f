/** The history retrieval: who knows this code, what the author did here before, and what usually changes along. */
import { folderWithSlash } from '../../../base/file-paths.ts'
import { partnersOf } from '../../../code-index/related/partners.ts'
import { type ChangeSet, pathOn } from '../../../domain/change-set.ts'
import type { HistoryNotes } from '../../../domain/review-context.ts'
import type { HistoryCommit } from '../../../domain/snapshot.ts'

const expertsShown = 3
const commitsShown = 5
const partnersShown = 6
const mostFiles = 30

/** A pure function of the change and the commits before it; `author` as `Name <address>`, or null. */
export function retrieveHistory(
  change: ChangeSet,
  author: string | null,
  { commits, complete }: { commits: readonly HistoryCommit[]; complete: boolean },
): HistoryNotes {
  const changed = change.files.slice(0, mostFiles).map((file) => pathOn('old', file))
  const isChanged = new Set(change.files.flatMap((file) => [file.path, pathOn('old', file)]))
  const touching = commits.filter(({ paths }) => paths.some((path) => isChanged.has(path)))
  const folders = new Set(changed.map(folderWithSlash))
  const inArea = commits.filter(({ paths }) => paths.some((path) => folders.has(folderWithSlash(path))))
  const byAuthor = author === null ? [] : inArea.filter((commit) => isBy(commit, author))
  return {
    commitsRead: commits.length,
    complete,
    experts: expertsOf(touching),
    authorCommits: author === null ? null : byAuthor.length,
    earlierByAuthor: byAuthor.slice(0, commitsShown).map(noteOf),
    latest: touching.slice(0, commitsShown).map(noteOf),
    missingPartners: partnersOf(touching, isChanged, partnersShown),
  }
}

function expertsOf(commits: readonly HistoryCommit[]): HistoryNotes['experts'] {
  const counts = new Map<string, number>()
  for (const { authorName } of commits) counts.set(authorName, (counts.get(authorName) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, expertsShown)
    .map(([name, count]) => ({ name, commits: count }))
}

function noteOf({ commit, subject, time }: HistoryCommit): HistoryNotes['latest'][number] {
  return {
    commit: commit.slice(0, 12),
    subject: subject.slice(0, 200),
    day: new Date(time * 1000).toISOString().slice(0, 10),
  }
}

/** By address where both have one: names change. */
function isBy({ authorName, authorEmail }: HistoryCommit, author: string): boolean {
  const address = /<([^<>]+)>/.exec(author)?.[1]?.toLowerCase()
  if (address && authorEmail) return authorEmail.toLowerCase() === address
  return authorName === author.split('<', 1)[0]?.trimEnd()
}
