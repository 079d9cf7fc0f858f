/** Counts which files changed with the changed ones in earlier commits, and nearly always so. */
import type { HistoryCommit } from '../../../domain/snapshot.ts'
import type { Thresholds } from './thresholds.ts'

/** A changed file; `names` are the paths it has had as far as the change tells. */
export type ChangedFile = { path: string; names: readonly string[] }

export type Partner = {
  /** The changed file, and the one that used to change with it. */
  path: string
  partner: string
  together: number
  total: number
  /** The commits that changed both, newest first. */
  commits: readonly HistoryCommit[]
}

/**
 * Files that nearly always change with one of `changed` and are none of them, the strongest tie of each partner
 * first. `commits` are newest first. Whether a partner still exists is for the caller to ask.
 */
export function findPartners(
  changed: readonly ChangedFile[],
  commits: readonly HistoryCommit[],
  limits: Thresholds,
): Partner[] {
  const present = new Set(changed.flatMap(({ names }) => names))
  const telling = commits.slice(0, limits.commits).filter(({ paths }) => paths.length <= limits.filesOfCommit)
  const commitsOf = commitsByPath(telling)
  const strongest = new Map<string, Partner>()
  for (const { path, names } of changed) {
    const touching = telling.filter(({ paths }) => paths.some((one) => names.includes(one)))
    for (const found of tiesOf(path, touching, present, commitsOf, limits)) {
      // The partner went ahead alone, so this change is the one that catches up.
      if (telling.find(({ paths }) => paths.includes(found.partner)) !== found.commits[0]) continue
      const known = strongest.get(found.partner)
      if (!known || compareTies(found, known) < 0) strongest.set(found.partner, found)
    }
  }
  return [...strongest.values()].sort(compareTies)
}

function tiesOf(
  path: string,
  touching: readonly HistoryCommit[],
  present: ReadonlySet<string>,
  commitsOf: ReadonlyMap<string, number>,
  limits: Thresholds,
): Partner[] {
  const total = touching.length
  if (total < limits.together) return []
  // Whoever is missing from one of the latest commits is no partner, so those alone name the candidates.
  const [newest, ...others] = touching.slice(0, limits.latest).map(({ paths }) => new Set(paths))
  const candidates = [...(newest ?? [])].filter(
    (one) => !present.has(one) && others.every((paths) => paths.has(one)),
  )
  return candidates.flatMap((partner) => {
    const commits = touching.filter(({ paths }) => paths.includes(partner))
    const together = commits.length
    const isTied =
      together >= (areSiblings(path, partner) ? limits.togetherAsSiblings : limits.together) &&
      together / total >= limits.share &&
      together / (commitsOf.get(partner) ?? total) >= limits.shareOfPartner
    return isTied ? [{ path, partner, together, total, commits }] : []
  })
}

/** Files of one folder with the same ending. */
function areSiblings(path: string, other: string): boolean {
  const kindOf = (name: string) => /^(.*\/)?[^/]*?(\.[^./]*)?$/.exec(name)
  const [here, there] = [kindOf(path), kindOf(other)]
  return here?.[1] === there?.[1] && here?.[2] === there?.[2]
}

function commitsByPath(commits: readonly HistoryCommit[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { paths } of commits) for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1)
  return counts
}

/** The larger share first, then the larger number, then by name: a total order. */
function compareTies(a: Partner, b: Partner): number {
  return (
    b.together * a.total - a.together * b.total ||
    b.together - a.together ||
    compareText(a.partner, b.partner) ||
    compareText(a.path, b.path)
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
