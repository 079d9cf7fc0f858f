/**
 * Would the co-change plane have spoken on the last commits of real repositories, and would it have been right?
 *
 *   node bench/co-change/replay.ts [--commits 300] [--thresholds '{"share":0.8}'] [--list] REPOSITORY…
 *
 * Each commit is taken as a change on the history before it. A landed commit is taken to be complete: when the
 * plane names a partner, and none of the next three commits in either file's folder touched it, that is a false
 * alarm. Then, the other way round: each file of each commit is left out in turn, and the plane is to name it.
 */
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { isTestPath } from '../../src/base/file-paths.ts'
import type { HistoryCommit } from '../../src/domain/snapshot.ts'
import {
  defaultThresholds,
  findPartners,
  isBulkPath,
  type Partner,
} from '../../src/pipeline/planes/co-change/partners.ts'
import { pathsAt, readCommits } from './history.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '300' },
    thresholds: { type: 'string', default: '{}' },
    list: { type: 'boolean', default: false },
  },
})
const thresholds = { ...defaultThresholds, ...JSON.parse(values.thresholds) }
const findingsPerReview = 3

type Row = {
  repository: string
  reviews: number
  spoke: number
  named: number
  followed: number
  left: number
  recalled: number
}

const rows = positionals.map(replay)
const columns = ['reviews', 'spoke', 'named', 'followed', 'left', 'recalled'] as const
console.log(
  '| repository | commits | spoke on | partners named | changed soon after | files left out | named again |',
)
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
for (const row of rows) console.log(`| ${row.repository} | ${columns.map((key) => row[key]).join(' | ')} |`)
const sums = columns.map((key) => rows.reduce((sum, row) => sum + row[key], 0))
console.log(`| all | ${sums.join(' | ')} |`)

function replay(repository: string): Row {
  const number = Number(values.commits)
  const commits = readCommits(repository, number + thresholds.commits)
  const name = basename(dirname(repository)) || basename(repository)
  const row: Row = { repository: name, reviews: 0, spoke: 0, named: 0, followed: 0, left: 0, recalled: 0 }
  for (const [index, commit] of commits.slice(0, number).entries()) {
    if (commit.paths.length === 0) continue
    row.reviews++
    if (commit.paths.length > thresholds.filesOfChange) continue
    const past = commits.slice(index + 1)
    const tied = partnersOf(commit.paths, commit.paths, past)
    const existing = tied.length > 0 ? pathsAt(repository, commit.commit) : new Set<string>()
    const named = tied.filter(({ partner }) => existing.has(partner)).slice(0, findingsPerReview)
    if (named.length > 0) row.spoke++
    row.named += named.length
    for (const tie of named) {
      const followed = isFollowed(tie, commits.slice(0, index).reverse())
      if (followed) row.followed++
      if (values.list) print(name, commit, tie, followed)
    }
    for (const left of commit.paths.filter(speaks)) {
      const rest = commit.paths.filter((path) => path !== left)
      if (rest.filter(speaks).length === 0) continue
      row.left++
      const found = partnersOf(rest, rest, past).slice(0, findingsPerReview)
      if (found.some(({ partner }) => partner === left)) row.recalled++
    }
  }
  return row
}

function partnersOf(paths: readonly string[], present: readonly string[], past: HistoryCommit[]): Partner[] {
  const changed = paths.filter(speaks).map((path) => ({ path, names: [path] }))
  return findPartners(changed, past, thresholds).filter(
    ({ partner }) => speaks(partner) && !present.includes(partner),
  )
}

function speaks(path: string): boolean {
  return !isBulkPath(path) && !isTestPath(path)
}

function isFollowed({ path, partner }: Partner, later: readonly HistoryCommit[]): boolean {
  const folders = new Set([dirname(path), dirname(partner)])
  const area = later.filter(({ paths }) => paths.some((one) => folders.has(dirname(one))))
  return area.slice(0, 3).some(({ paths }) => paths.includes(partner))
}

function print(name: string, { commit, subject }: HistoryCommit, tie: Partner, followed: boolean): void {
  const verdict = followed ? 'changed soon after' : 'false alarm'
  console.log(
    `${name} ${commit.slice(0, 10)} ${subject.slice(0, 60)}: ${tie.path} → ${tie.partner} ${tie.together}/${tie.total}, ${verdict}`,
  )
}
