/** Landed commits whose messages say who reviewed them, each as it was before it landed. */
import { execFileSync } from 'node:child_process'
import type { BlamedLines, TeamCommit } from '../../src/domain/team-history.ts'
import { isProgram } from '../../src/graph/people.ts'
import { openTeamHistory } from '../../src/hosts/local/team-history.ts'
import { type Owner, openOwners } from './owner-files.ts'
import { replacedLines } from './replaced-lines.ts'

export type ReviewEvent = {
  commit: TeamCommit
  /** Where the commits before it start in the log. */
  from: number
  /** Who wrote the lines that it replaced. */
  blamed: BlamedLines[]
  /** Null when the repository names no owners at all. */
  owners: Owner[] | null
}

export type ReviewHistory = { commits: readonly TeamCommit[]; events: ReviewEvent[] }

const newestCommits = 4_000
const mostPaths = 20
const mostBlamed = 3

/** Spread evenly over the newest commits. */
export async function readReviewEvents(repository: string, most: number): Promise<ReviewHistory> {
  const head = execFileSync('git', ['-C', repository, 'rev-parse', 'HEAD'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
  const history = await openTeamHistory({ folder: repository, at: head })
  const commits = (await history.log(20_000, null))?.commits ?? []
  await history.close()
  const candidates = commits
    .slice(0, newestCommits)
    .map((commit, at) => ({ commit, at }))
    .filter(({ commit }) => isEvent(commit))
  const step = Math.max(1, candidates.length / most)
  const events: ReviewEvent[] = []
  for (let next = 0; next < candidates.length && events.length < most; next += step) {
    const candidate = candidates[Math.floor(next)]
    if (!candidate) break
    const { commit, at } = candidate
    const [parent = ''] = commit.parents
    const before = await openTeamHistory({ folder: repository, at: parent })
    const blamed: BlamedLines[] = []
    for (const path of commit.paths.slice(0, mostBlamed)) {
      const ranges = replacedLines(repository, parent, commit.commit, path)
      if (ranges.length > 0) blamed.push(...(await before.blame(path, ranges)))
    }
    await before.close()
    const owners = openOwners(repository, parent)
    events.push({ commit, from: at + 1, blamed, owners: owners?.(commit.paths) ?? null })
  }
  return { commits, events }
}

function isEvent(commit: TeamCommit): boolean {
  const { parents, paths, reviewers, authorEmail, authorName } = commit
  const others = reviewers.filter(
    ({ name, email }) =>
      email !== authorEmail && name !== authorName && !isProgram({ authorName: name, authorEmail: email }),
  )
  return (
    parents.length === 1 &&
    paths.length > 0 &&
    paths.length <= mostPaths &&
    others.length > 0 &&
    !isProgram(commit)
  )
}
