/**
 * Are the open change requests that later conflict with a change among those that a review of it is shown?
 *
 *   node bench/team/conflicts.ts --out FILE [--events 40] REPOSITORY…
 *
 * An event is a merged change request as it was at its last commit. Open beside it were the others that had a commit by then
 * and were merged later, each as it was at that moment. Two of them conflict when git cannot merge them although it can merge
 * the other one into what this one was made on; they are mentioned when a message of one names the other. Next to the ranking
 * of the product: the most files in common, and the newest.
 * Each repository is a line of FILE; those that are there already are not measured again. Prints the table of all.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { TeamCommit } from '../../src/domain/team-history.ts'
import { type ChangedCode, type OtherPatch, placePatch, rankOverlaps } from '../../src/graph/open-changes.ts'
import { openTeamHistory } from '../../src/hosts/local/team-history.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, events: { type: 'string', default: '40' } },
})
if (!values.out) throw new Error('see the head of this file for its options')

type Row = {
  repository: string
  events: number
  /** Open beside the events, and of these with a file in common. */
  open: number
  sharing: number
  conflicts: number
  /** How many of those were first, and how many among the first ten. */
  ours: Hits
  files: Hits
  newest: Hits
  /** Pairs that the product calls changes of the same lines, and how many of those conflict. */
  claimed: number
  claimedRight: number
  mentions: number
  oursMentions: number
  newestMentions: number
}

type Hits = [first: number, shown: number]
type Request = { number: number; head: string; into: string; from: number; until: number; mentions: string[] }
type State = { request: Request; commit: string; time: number }

const shown = 10
const newestCommits = 12_000
const mostPaths = 100

const measured: Row[] = existsSync(values.out)
  ? readFileSync(values.out, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
  : []
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
  const git = gitIn(repository)
  const history = await openTeamHistory({ folder: repository, at: 'HEAD' })
  const commits = (await history.log(newestCommits, null))?.commits ?? []
  await history.close()
  const requests = requestsOf(commits)
  const row: Row = {
    ...{ repository: name, events: 0, open: 0, sharing: 0, conflicts: 0 },
    ...{ ours: [0, 0], files: [0, 0], newest: [0, 0] },
    ...{ claimed: 0, claimedRight: 0, mentions: 0, oursMentions: 0, newestMentions: 0 },
  }
  const patches = new Map<string, OtherPatch['files']>()
  const patchOf = ({ request, commit }: State): OtherPatch['files'] => {
    const known = patches.get(commit) ?? filesOf(git, baseOf(git, request, commit), commit)
    patches.set(commit, known)
    return known
  }
  const step = Math.max(1, Math.floor(requests.length / (Number(values.events) * 2)))
  for (let at = 0; at < requests.length && row.events < Number(values.events); at += step) {
    const own = requests[at]
    if (!own) continue
    const [time = 0] = git('log', '-1', '--format=%ct', own.head).split('\n').map(Number)
    const others = requests.filter(
      (one) => one.number !== own.number && one.from <= time && time < one.until && one.head !== own.head,
    )
    const open = others.flatMap((request) => stateAt(git, request, time) ?? [])
    if (open.length > 0) addEvent(row, git, { request: own, commit: own.head, time }, open, patchOf)
  }
  return row
}

function addEvent(
  row: Row,
  git: Git,
  own: State,
  open: readonly State[],
  patchOf: (state: State) => OtherPatch['files'],
): void {
  const base = baseOf(git, own.request, own.commit)
  const files = patchOf(own).filter(({ patch }) => patch !== null)
  if (files.length === 0 || files.length > mostPaths) return
  const texts = new Map(files.map(({ oldPath }) => [oldPath, git('show', `${base}:${oldPath}`) || null]))
  const code: ChangedCode[] = files.flatMap((file) => {
    const self = { name: '', title: '', author: null, isDraft: false, files: [file] }
    const places = placePatch(self, texts)?.files[0]?.places ?? []
    return { path: file.oldPath, places, symbols: [] }
  })
  const others = open.map((state) => ({
    state,
    placed: placePatch(
      { name: String(state.request.number), title: '', author: null, isDraft: false, files: patchOf(state) },
      texts,
    ),
  }))
  const sharing = others.flatMap(({ state, placed }) => (placed ? [{ state, placed }] : []))
  row.events += 1
  row.open += open.length
  row.sharing += sharing.length
  const overlaps = rankOverlaps(
    code,
    sharing.map(({ placed }) => placed),
  )
  const ours = overlaps.map(({ other }) => Number(other.name))
  const newest = open
    .toSorted((a, b) => b.request.number - a.request.number)
    .map(({ request }) => request.number)
  const byFiles = sharing
    .toSorted((a, b) => b.placed.files.length - a.placed.files.length || b.state.time - a.state.time)
    .map(({ state }) => state.request.number)
  const count = (hits: Hits, list: readonly number[], number: number) => {
    hits[0] += Number(list[0] === number)
    hits[1] += isIn(list, number)
  }
  const isIn = (list: readonly number[], number: number) => Number(list.slice(0, shown).includes(number))
  for (const { state } of sharing) {
    const { number } = state.request
    const merges = (into: string) =>
      git.status('merge-tree', '--write-tree', '--name-only', into, state.commit) === 0
    const conflicts = !merges(own.commit) && merges(base)
    if (overlaps.some(({ other, lines }) => other.name === String(number) && lines.length > 0)) {
      row.claimed += 1
      row.claimedRight += Number(conflicts)
    }
    if (!conflicts) continue
    row.conflicts += 1
    count(row.ours, ours, number)
    count(row.files, byFiles, number)
    count(row.newest, newest, number)
  }
  for (const { request } of open) {
    const mentions = (one: Request, other: Request) => one.mentions.includes(`#${other.number}`)
    if (!mentions(own.request, request) && !mentions(request, own.request)) continue
    row.mentions += 1
    row.oursMentions += isIn(ours, request.number)
    row.newestMentions += isIn(newest, request.number)
  }
}

/** Merges of the main line that name a change request, and what the messages of its own commits mention. */
function requestsOf(commits: readonly TeamCommit[]): Request[] {
  const byId = new Map(commits.map((commit) => [commit.commit, commit]))
  const mainline: TeamCommit[] = []
  for (let at = commits[0]; at; at = byId.get(at.parents[0] ?? '')) mainline.push(at)
  const taken = new Set(mainline.map(({ commit }) => commit))
  const found: Request[] = []
  for (const merge of mainline.toReversed()) {
    const [into, head] = merge.parents
    if (into === undefined || head === undefined || merge.parents.length !== 2 || merge.request === null)
      continue
    const own: TeamCommit[] = []
    const waiting = [head]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const commit = byId.get(id)
      if (!commit || taken.has(id)) continue
      taken.add(id)
      own.push(commit)
      waiting.push(...commit.parents)
    }
    if (own.length === 0) continue
    const from = Math.min(...own.map(({ time }) => time))
    const mentions = [merge, ...own].flatMap((commit) => commit.mentions)
    found.push({ number: merge.request, head, into, from, until: merge.time, mentions })
  }
  return found
}

/** The newest commit of it at that time; null when it had none of its own. */
function stateAt(git: Git, request: Request, time: number): State | null {
  const commit = git('rev-list', '-1', `--before=${time}`, request.head, `^${request.into}`).trim()
  return commit === '' ? null : { request, commit, time }
}

function baseOf(git: Git, { into }: Request, commit: string): string {
  return git('merge-base', into, commit).split('\n')[0] ?? ''
}

/** As a host shows them. */
function filesOf(git: Git, base: string, head: string): OtherPatch['files'] {
  if (base === '') return []
  const patch = git('diff', '--no-color', '--no-ext-diff', '-M', base, head)
  return patch.split(/^(?=diff --git )/m).flatMap((section) => {
    const start = section.search(/^@@ /m)
    const header = start === -1 ? section : section.slice(0, start)
    const oldPath = /^--- a\/(.+)$/m.exec(header)?.[1] ?? /^rename from (.+)$/m.exec(header)?.[1]
    const path = /^\+\+\+ b\/(.+)$/m.exec(header)?.[1] ?? oldPath
    if (path === undefined) return []
    return [{ path, oldPath: oldPath ?? path, patch: start === -1 ? null : section.slice(start) }]
  })
}

type Git = ((...args: string[]) => string) & { status(...args: string[]): number | null }

function gitIn(repository: string): Git {
  const run = (args: string[]) =>
    spawnSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 })
  const git = (...args: string[]) => {
    const { status, stdout } = run(args)
    return status === 0 ? stdout : ''
  }
  return Object.assign(git, { status: (...args: string[]) => run(args).status })
}

function print(rows: readonly Row[]): void {
  const share = (part: number, all: number) => (all === 0 ? '–' : `${Math.round((100 * part) / all)} %`)
  const hits = ([first, all]: Hits, of: number) => `${share(first, of)}, ${share(all, of)}`
  const line = (row: Row) =>
    `| ${[
      ...[row.repository, row.events, row.open, row.sharing, row.conflicts],
      ...[row.ours, row.files, row.newest].map((one) => hits(one, row.conflicts)),
      `${row.claimedRight} of ${row.claimed}`,
      ...[row.mentions, share(row.oursMentions, row.mentions), share(row.newestMentions, row.mentions)],
    ].join(' | ')} |`
  console.log(
    '| repository | events | open | sharing files | conflicts | ours | most files | newest | said to be the same lines | mentions | ours | newest |',
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const row of rows) console.log(line(row))
  const sum = (pick: (row: Row) => number) => rows.reduce((all, row) => all + pick(row), 0)
  const both = (pick: (row: Row) => Hits): Hits => [sum((row) => pick(row)[0]), sum((row) => pick(row)[1])]
  console.log(
    line({
      ...{ repository: '**all**', events: sum((row) => row.events), open: sum((row) => row.open) },
      ...{ sharing: sum((row) => row.sharing), conflicts: sum((row) => row.conflicts) },
      ...{
        ours: both((row) => row.ours),
        files: both((row) => row.files),
        newest: both((row) => row.newest),
      },
      ...{ claimed: sum((row) => row.claimed), claimedRight: sum((row) => row.claimedRight) },
      ...{ mentions: sum((row) => row.mentions), oursMentions: sum((row) => row.oursMentions) },
      newestMentions: sum((row) => row.newestMentions),
    }),
  )
}
