/** Which files usually change with others: counted, so that the figure is one that a person can check in the log. */
import type { HistoryCommit } from '../../domain/snapshot.ts'

/** `share`: of the commits that touched the files, in hundredths. */
type Partner = { path: string; share: number }

/** A file that came along less often, or in a smaller share of the commits, is there by chance. */
const fewestTogether = 2
const leastShare = 0.3
/** Commits of more files tie everything to everything. */
const largestCommit = 100

/** What came along most often first, at most `limit`; `commits`: those that touched one of `files`. */
export function partnersOf(
  commits: readonly HistoryCommit[],
  files: ReadonlySet<string>,
  limit: number,
): Partner[] {
  const useful = commits.filter(({ paths }) => paths.length <= largestCommit)
  const together = new Map<string, number>()
  for (const path of useful.flatMap(({ paths }) => [...new Set(paths)]))
    if (!files.has(path)) together.set(path, (together.get(path) ?? 0) + 1)
  return [...together]
    .filter(([, times]) => times >= fewestTogether && times >= leastShare * useful.length)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([path, times]) => ({ path, share: Math.round((times / useful.length) * 100) / 100 }))
}
