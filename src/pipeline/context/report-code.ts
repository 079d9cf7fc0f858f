/** Tells listeners which code a change is about: the symbols that it changes, and the commits that were there before it. */
import { pathOn } from '../../domain/change-set.ts'
import type { ChangedCode } from '../../domain/changed-code.ts'
import type { EventListener } from '../../domain/events.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { HistoryCommit, RepoHistory } from '../../domain/snapshot.ts'
import { findReferences, referenceName } from '../../hosts/tickets/references.ts'

/** As many as a plane asks for anyway, so that the log is read once. */
const commitsRead = 2_000
const mostSymbols = 200
const mostCommits = 30
const longestName = 200

/** A history that cannot be read costs the commits, and never the review. */
export async function reportCode(
  { symbols, change }: Pick<ReviewContext, 'symbols' | 'change'>,
  history: RepoHistory,
  onEvent: EventListener,
): Promise<void> {
  const names = symbols.flatMap(({ before, after }) =>
    [before, after].flatMap((side) => (side ? [qualified(side.symbol)] : [])),
  )
  const paths = new Set(change.files.flatMap((file) => [file.path, pathOn('old', file)]))
  const { commits } = await history.recent(commitsRead).catch(() => ({ commits: [] }))
  const touching = commits.filter((commit) => commit.paths.some((path) => paths.has(path)))
  onEvent({
    type: 'changed-code',
    code: {
      symbols: [...new Set(names)].slice(0, mostSymbols),
      commits: touching.slice(0, mostCommits).map((commit) => describe(commit, paths)),
    },
  })
}

function describe(
  { commit, authorName, subject, time, paths }: HistoryCommit,
  changed: ReadonlySet<string>,
): ChangedCode['commits'][number] {
  const found = findReferences({ title: subject, body: '', branch: null })
  return {
    commit: commit.slice(0, 12),
    author: authorName.slice(0, longestName),
    day: new Date(time * 1000).toISOString().slice(0, 10),
    subject: subject.slice(0, longestName),
    paths: paths.filter((path) => changed.has(path)),
    mentions: found.map(referenceName),
  }
}

function qualified({ name, scope }: { name: string; scope: string }): string {
  return (scope === '' ? name : `${scope}.${name}`).slice(0, longestName)
}
