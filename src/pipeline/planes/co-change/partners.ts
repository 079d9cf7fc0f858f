/** Finds files that nearly always changed together with the changed ones in earlier commits. */
import { compareText } from '../../../base/compare-text.ts'
import { isGeneratedPath, isLockPath, isMinifiedPath, isVendoredPath } from '../../../base/file-paths.ts'
import type { HistoryCommit } from '../../../domain/snapshot.ts'

/** How strong a tie must be before a missing partner is reported. Tuned on real histories: docs/quality/co-change.md. */
type Thresholds = {
  /** Commits of the history that are read. */
  commits: number
  /** Commits that touched more files than this are ignored. */
  filesOfCommit: number
  /** Changes that touch more files than this are not checked. */
  filesOfChange: number
  /** Commits in which both changed, at least. */
  together: number
  /**
   * The same for two files of one kind in one folder: twin implementations share features, but each also has its own
   * faults and fixes.
   */
  togetherAsSiblings: number
  /** Share of the commits that changed the file in which the partner changed too. */
  share: number
  /** The same seen from the partner: low for a file that changes with everything. */
  shareOfPartner: number
  /** Of this many latest commits that changed the file, all must have changed the partner. */
  latest: number
}

export const defaultThresholds: Thresholds = {
  commits: 2000,
  filesOfCommit: 30,
  filesOfChange: 30,
  together: 8,
  togetherAsSiblings: 20,
  share: 0.85,
  shareOfPartner: 0.8,
  latest: 3,
}

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
      // The partner changed alone last time, so this change is the one that catches up.
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
  // A partner is in each of the latest commits, so those alone name the candidates.
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

/** Manifests and versions: releases and bots change them together. */
const manifest =
  /^(?:package\.json|composer\.json|go\.mod|go\.work|Cargo\.toml|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|Gemfile|mix\.exs|flake\.nix|Dockerfile|pnpm-workspace\.yaml|requirements[\w.-]*\.(?:txt|in)|.*\.(?:csproj|gemspec|nuspec|podspec|lock))$/

/** Files that every release or contribution touches, and dot files of tools. */
const releaseFile =
  /^(?:(?:changelog|changes|history|release[-_]?notes|news|contributors|authors|readme|versions?)(?:[.\-_].*)?|_?_?version_?_?\.\w+|\..*)$/i

const folder =
  /(?:^|\/)(?:\.[^/]+|dist|locales?|i18n|l10n|translations|changelogs?|release[-_]notes|releases)\//i

/**
 * True for files that change in bulk and not because of each other's content: lock files, manifests, change logs, versions,
 * workflows, translations and generated files.
 */
export function isBulkPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    manifest.test(name) ||
    releaseFile.test(name) ||
    folder.test(path) ||
    [isLockPath, isGeneratedPath, isMinifiedPath, isVendoredPath].some((is) => is(path))
  )
}
