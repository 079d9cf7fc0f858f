/** Earlier change requests that belong to a change: those that changed the same lines and files, and what became of them. */
import type { TeamCommit } from '../domain/team-history.ts'

export type PastChange = {
  /** The number of the pull or merge request; null for a commit that came without one. */
  request: number | null
  /** The newest of its commits. */
  commit: string
  subject: string
  authorName: string
  /** Seconds since 1970. */
  time: number
  /** Files that it has in common with the change. */
  shared: readonly string[]
  /** It wrote lines that the change replaces. */
  wroteLines: boolean
  tickets: readonly string[]
  /** Commits that reverted it, and how many fixes to the shared files followed within a month. */
  revertedBy: string | null
  fixesAfter: number
}

export type RelatedQuestion = {
  /** Newest first, with merges. */
  commits: readonly TeamCommit[]
  paths: readonly string[]
  /** Commits that wrote lines which the change replaces. */
  lineCommits?: ReadonlySet<string>
  limit: number
}

/** After so many changes of the same files an older one counts half: some files change daily, others once a year. */
const halfLife = 12
/** What a change counts that has hardly anything in common, beside one of exactly the same files. */
const leastLikeness = 0.3
const lineBonus = 0.5
const fixDays = 30
/** Sweeps tie everything to everything. */
const largestChange = 200

type Group = { request: number | null; commits: TeamCommit[]; title: TeamCommit }

/** Best first. A pure function of the history. */
export function findRelated({
  commits,
  paths,
  lineCommits = new Set(),
  limit,
}: RelatedQuestion): PastChange[] {
  const asked = new Set(paths)
  const often = new Map<string, number>()
  for (const { paths: changed } of commits)
    for (const path of changed) if (asked.has(path)) often.set(path, (often.get(path) ?? 0) + 1)
  const weightOf = (path: string) => Math.log(1 + commits.length / (often.get(path) ?? 1))
  const all = [...asked].reduce((sum, path) => sum + weightOf(path), 0)
  const sharing = groupsOf(commits)
    .map((group) => ({ group, changed: new Set(group.commits.flatMap((each) => each.paths)) }))
    .map(({ group, changed }) => ({
      group,
      changed,
      shared: [...changed].filter((path) => asked.has(path)).sort(),
    }))
    .filter(({ changed, shared }) => shared.length > 0 && changed.size <= largestChange)
    .sort((a, b) => b.group.title.time - a.group.title.time)
  const scored = sharing.map(({ group, changed, shared }, age) => {
    const wroteLines = group.commits.some(({ commit }) => lineCommits.has(commit))
    const overlap = shared.reduce((sum, path) => sum + weightOf(path), 0) / all
    const focus = (shared.length / changed.size) ** 0.5
    const likeness = leastLikeness + (1 - leastLikeness) * overlap * (0.5 + focus / 2)
    const score = likeness * 0.5 ** (age / halfLife) + (wroteLines ? lineBonus : 0)
    return { group, shared, wroteLines, score }
  })
  const best = scored
    .sort((a, b) => b.score - a.score || b.group.title.time - a.group.title.time)
    .slice(0, limit)
  return best.map(({ group, shared, wroteLines }) => pastChange(group, shared, wroteLines, commits))
}

function pastChange(
  { request, commits: own, title }: Group,
  shared: readonly string[],
  wroteLines: boolean,
  commits: readonly TeamCommit[],
): PastChange {
  const { commit, subject, authorName, time } = title
  const tickets = [...new Set([title, ...own].flatMap(({ mentions }) => mentions))].slice(0, 5)
  return {
    request,
    commit,
    subject,
    authorName,
    time,
    shared,
    wroteLines,
    tickets,
    ...whatFollowed([title, ...own], shared, commits),
  }
}

type Past = { commit: string; subject: string; time: number; paths: readonly string[] }

/** Whether commits were reverted, and how many fixes to these files followed within a month of the first one given. */
export function whatFollowed(
  own: readonly Past[],
  shared: readonly string[],
  commits: readonly Past[],
): Pick<PastChange, 'revertedBy' | 'fixesAfter'> {
  const since = own[0]?.time ?? 0
  const ids = new Set(own.map(({ commit }) => commit))
  const subjects = new Set(own.map(({ subject }) => `Revert "${subject}"`))
  const later = commits.filter(({ time, commit }) => time >= since && !ids.has(commit))
  const reverts = later.find(
    ({ subject }) => subjects.has(subject.replace(/ \([#!]\d+\)$/, '')) || subjects.has(subject),
  )
  const fixes = later.filter(
    ({ time, subject, paths }) =>
      time - since <= fixDays * 86_400 &&
      /^(?:fix|hotfix|bugfix|revert)/i.test(subject) &&
      paths.some((path) => shared.includes(path)),
  )
  return { revertedBy: reverts?.commit ?? null, fixesAfter: fixes.length }
}

/**
 * Commits by change request: those of a squash are named by it, those of a merge are what the merge added to the line of
 * first parents. Older merges come first, so that a branch made from another one keeps only what is its own.
 */
function groupsOf(commits: readonly TeamCommit[]): Group[] {
  const byId = new Map(commits.map((commit) => [commit.commit, commit]))
  const mainline: TeamCommit[] = []
  for (let at = commits[0]; at; at = byId.get(at.parents[0] ?? '')) mainline.push(at)
  const taken = new Set(mainline.map(({ commit }) => commit))
  const groups: Group[] = []
  for (const merge of mainline.toReversed()) {
    if (merge.parents.length < 2 || merge.request === null) continue
    const own: TeamCommit[] = []
    const waiting = merge.parents.slice(1)
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const commit = byId.get(id)
      if (!commit || taken.has(id)) continue
      taken.add(id)
      own.push(commit)
      waiting.push(...commit.parents)
    }
    const [newest] = own
    if (newest) {
      // The subject of a merge names a branch; what was done is said by its commits, unless there are many.
      const title = { ...merge, subject: newest.subject, authorName: newest.authorName }
      groups.push({ request: merge.request, commits: own, title })
    }
  }
  const grouped = new Set(groups.flatMap(({ commits: own }) => own.map(({ commit }) => commit)))
  const alone = commits.filter(({ commit, paths }) => !grouped.has(commit) && paths.length > 0)
  return [
    ...groups,
    ...alone.map((commit) => ({ request: commit.request, commits: [commit], title: commit })),
  ]
}
