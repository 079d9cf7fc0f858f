/** Who knows some code: who changed it, who wrote its lines, and who works nearby now. Evidence for questions, and not a ranking of people. */
import type { BlamedLines } from '../domain/team-history.ts'
import { fade, openCloseness } from './closeness.ts'
import { isProgram, knowPeople } from './people.ts'

type Change = {
  readonly authorName: string
  readonly authorEmail: string
  readonly time: number
  readonly paths: readonly string[]
}

export type Expert = {
  name: string
  /** Of the commits that changed the files. */
  commits: number
  /** Of the lines that were asked about; null when no lines were. */
  lines: number | null
  /** Seconds since 1970 of the last commit that changed the files or, without one, of the last one nearby. */
  lastTime: number
  /** True when none of the files was changed by this person, but files beside them were. */
  nearbyOnly: boolean
}

/** What a change in the same folder, and anywhere in the repository, is worth beside one of the file. */
const weights = { file: 1, folder: 0.15, anywhere: 0.01, lines: 2 }
export type ExpertQuestion = {
  /** Newest first. */
  commits: readonly Change[]
  paths: readonly string[]
  /** Who wrote the lines that are asked about; empty when no lines are. */
  blamed?: readonly BlamedLines[]
  limit: number
}

/** Best first; without programs. Times count from the newest commit, so that the same history gives the same answer. */
export function rankExperts({ commits, paths, blamed = [], limit }: ExpertQuestion): Expert[] {
  const nameOf = knowPeople([...commits, ...blamed])
  const now = commits[0]?.time ?? 0
  const closenessOf = openCloseness(paths, now)
  const known = new Map<string, Expert & { score: number }>()
  const entryOf = (author: Change | BlamedLines) => {
    const name = nameOf(author)
    const entry = known.get(name) ?? {
      name,
      commits: 0,
      lines: blamed.length > 0 ? 0 : null,
      lastTime: 0,
      nearbyOnly: true,
      score: 0,
    }
    known.set(name, entry)
    return entry
  }
  for (const commit of commits) {
    if (isProgram(commit) || commit.paths.length === 0) continue
    const { level, share } = closenessOf(commit)
    const entry = entryOf(commit)
    entry.score += weights[level] * share
    if (level === 'file') {
      entry.commits += 1
      entry.lastTime = entry.nearbyOnly ? commit.time : Math.max(entry.lastTime, commit.time)
      entry.nearbyOnly = false
    } else if (level === 'folder' && entry.nearbyOnly) entry.lastTime = Math.max(entry.lastTime, commit.time)
  }
  const lines = blamed.reduce((sum, each) => sum + each.lines, 0)
  for (const each of blamed) {
    if (isProgram(each)) continue
    const entry = entryOf(each)
    entry.lines = (entry.lines ?? 0) + each.lines
    entry.lastTime = Math.max(entry.lastTime, each.time)
    entry.nearbyOnly = false
    entry.score += weights.lines * (each.lines / lines) * fade(now - each.time)
  }
  return [...known.values()]
    .filter(({ lastTime }) => lastTime > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ score: _, ...expert }) => expert)
}
