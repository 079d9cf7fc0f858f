/**
 * Do the experts of some lines change them next, and are earlier changes that a commit mentions among the related ones?
 *
 *   node bench/team/run.ts --out FILE [--events 30] [--seed 1] REPOSITORY…
 *
 * An event is a landed commit, seen from its parent: the lines of one file that it replaced are asked about, and its author
 * counts as the answer. Beside the ranking of the product: who changed the file last, who wrote most of these lines, and,
 * where there is one, CODEOWNERS. Then: when the message mentions an earlier change request, is it among the first ten?
 * Each repository is a line of FILE; those that are there already are not measured again. Prints the table of all.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { BlamedLines, TeamCommit } from '../../src/domain/team-history.ts'
import { rankExperts } from '../../src/graph/experts.ts'
import { isProgram, knowPeople } from '../../src/graph/people.ts'
import { findRelated } from '../../src/graph/related.ts'
import { openTeamHistory } from '../../src/hosts/local/team-history.ts'
import { ownersOf, readOwners } from './code-owners.ts'
import { replacedLines } from './replaced-lines.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    events: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
if (!values.out) throw new Error('see the head of this file for its options')

type Row = {
  repository: string
  events: number
  ours: number
  last: number
  blame: number
  /** Events whose file has an owner that is a known author, and hits among them. */
  owned: number
  owners: number
  oursOwned: number
  mentions: number
  related: number
  newest: number
}

const hits = 3
const relatedHits = 10
const newestCommits = 3_000
const measured = existsSync(values.out) ? readRows(values.out) : []
for (const repository of positionals) {
  const name = basename(dirname(repository)).replace('+', '/')
  if (measured.some((row) => row.repository === name)) continue
  const row = await measure(repository, name)
  measured.push(row)
  appendFileSync(values.out, `${JSON.stringify(row)}\n`)
  console.error(JSON.stringify(row))
}
print(measured)

async function measure(repository: string, name: string): Promise<Row> {
  const history = await openTeamHistory({ folder: repository, at: 'HEAD' })
  const commits = (await history.log(20_000, null))?.commits ?? []
  await history.close()
  const row: Row = {
    repository: name,
    events: 0,
    ours: 0,
    last: 0,
    blame: 0,
    owned: 0,
    owners: 0,
    oursOwned: 0,
    mentions: 0,
    related: 0,
    newest: 0,
  }
  const requests = new Set(commits.flatMap(({ request }) => (request === null ? [] : [request])))
  const candidates = commits
    .slice(0, newestCommits)
    .map((commit, at) => ({ commit, at }))
    .filter(({ commit }) => isEvent(commit))
  const step = Math.max(1, Math.floor(candidates.length / Number(values.events)))
  const first = Number(values.seed) % step
  for (let at = first; at < candidates.length && row.events < Number(values.events); at += step) {
    const one = candidates[at]
    if (one) await addExperts(row, repository, one.commit, commits.slice(one.at + 1))
  }
  for (const { commit, at } of candidates) {
    if (row.mentions >= Number(values.events)) break
    const earlier = commits.slice(at + 1)
    const mentioned = commit.mentions.flatMap((mention) => {
      const number = /^#(\d+)$/.exec(mention)?.[1]
      return number && requests.has(Number(number)) ? [Number(number)] : []
    })
    if (mentioned.length > 0) addRelated(row, commit, earlier, mentioned)
  }
  return row
}

function isEvent(commit: TeamCommit): boolean {
  return (
    commit.parents.length === 1 && commit.paths.length > 0 && commit.paths.length <= 20 && !isProgram(commit)
  )
}

type NameOf = ReturnType<typeof knowPeople>

async function addExperts(
  row: Row,
  repository: string,
  event: TeamCommit,
  earlier: readonly TeamCommit[],
): Promise<void> {
  const [parent = ''] = event.parents
  const place = event.paths
    .map((path) => ({ path, ranges: replacedLines(repository, parent, event.commit, path) }))
    .find(({ ranges }) => ranges.length > 0)
  if (!place) return
  const history = await openTeamHistory({ folder: repository, at: parent })
  const blamed = await history.blame(place.path, place.ranges)
  await history.close()
  if (blamed.length === 0) return
  // As the ranking knows them at that time: people change their names later.
  const nameOf = knowPeople([...earlier, ...blamed])
  const author = nameOf(event)
  const experts = rankExperts({ commits: earlier, paths: [place.path], blamed, limit: hits })
  const isHit = experts.some(({ name }) => name === author)
  row.events += 1
  row.ours += Number(isHit)
  row.last += Number(lastCommitters(earlier, place.path, nameOf).includes(author))
  row.blame += Number(blameShare(blamed, nameOf).includes(author))
  const owners = ownersOf(readOwners(repository, parent), place.path)
  const known = owners.filter((owner) => earlier.some((commit) => isOwner(owner, nameOf(commit), commit)))
  if (known.length === 0) return
  row.owned += 1
  row.oursOwned += Number(isHit)
  row.owners += Number(known.slice(0, hits).some((owner) => isOwner(owner, author, event)))
}

/** The last three people who changed the file. */
function lastCommitters(earlier: readonly TeamCommit[], path: string, nameOf: NameOf): string[] {
  const names = earlier.filter((each) => each.paths.includes(path) && !isProgram(each)).map(nameOf)
  return [...new Set(names)].slice(0, hits)
}

function blameShare(blamed: readonly BlamedLines[], nameOf: NameOf): string[] {
  const lines = new Map<string, number>()
  for (const each of blamed)
    if (!isProgram(each)) lines.set(nameOf(each), (lines.get(nameOf(each)) ?? 0) + each.lines)
  return [...lines]
    .sort((a, b) => b[1] - a[1])
    .slice(0, hits)
    .map(([name]) => name)
}

/** Accounts are not in git: an owner is an author whose address or name has the account's name. */
function isOwner(owner: string, name: string, { authorEmail }: TeamCommit): boolean {
  const account = owner.replace(/^@/, '').toLowerCase()
  const [local = ''] = authorEmail.toLowerCase().split('@')
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return (
    authorEmail.toLowerCase() === account ||
    local.replace(/^\d+\+/, '') === account ||
    plain === account.replace(/[^a-z0-9]/g, '')
  )
}

function addRelated(
  row: Row,
  event: TeamCommit,
  earlier: readonly TeamCommit[],
  mentioned: readonly number[],
): void {
  const past = earlier.filter(({ request }) => request !== null && mentioned.includes(request))
  const shares = earlier.some(
    (each) =>
      each.request !== null &&
      mentioned.includes(each.request) &&
      each.paths.some((path) => event.paths.includes(path)),
  )
  // One that has no file in common cannot be found by files.
  if (past.length === 0 || !shares) return
  const related = findRelated({ commits: earlier, paths: event.paths, limit: relatedHits })
  const newest = earlier
    .filter(({ paths }) => paths.some((path) => event.paths.includes(path)))
    .slice(0, relatedHits)
  const isMentioned = ({ request }: { request: number | null }) =>
    request !== null && mentioned.includes(request)
  row.mentions += 1
  row.related += Number(related.some(isMentioned))
  row.newest += Number(newest.some(isMentioned))
}

function readRows(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

function print(rows: readonly Row[]): void {
  const share = (part: number, all: number) => (all === 0 ? '–' : `${Math.round((100 * part) / all)} %`)
  const line = (row: Row) =>
    `| ${row.repository} | ${row.events} | ${share(row.ours, row.events)} | ${share(row.last, row.events)} | ${share(row.blame, row.events)} | ${row.owned === 0 ? '–' : `${share(row.owners, row.owned)} (ours ${share(row.oursOwned, row.owned)}, ${row.owned})`} | ${row.mentions} | ${share(row.related, row.mentions)} | ${share(row.newest, row.mentions)} |`
  console.log(
    '| repository | events | experts | last committers | blame share | CODEOWNERS | mentions | related | newest |',
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const row of rows) console.log(line(row))
  const sum = (key: Exclude<keyof Row, 'repository'>) => rows.reduce((all, row) => all + row[key], 0)
  const keys = [
    'events',
    'ours',
    'last',
    'blame',
    'owned',
    'owners',
    'oursOwned',
    'mentions',
    'related',
    'newest',
  ] as const
  const totals = Object.fromEntries(keys.map((key) => [key, sum(key)])) as Omit<Row, 'repository'>
  console.log(line({ repository: '**all**', ...totals }))
}
