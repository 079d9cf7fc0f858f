/**
 * How long does one wait for the evidence of a change and for a review by checks alone, and is anything cut?
 *
 *   node bench/context/waits.ts --out FOLDER [--commits 50] [--reviews 10] [--only context,review,growth] [--program FILE] NAME=GIT_FOLDER…
 *
 * Each measurement is the command in a process of its own, start-up included: that of this checkout, or FILE (the one of
 * `scripts/bundle.ts` is what users install). Each is a line of FOLDER/waits.jsonl as
 * soon as it is made: what is there is not measured again, so a run that was stopped goes on; `figures.ts --print`
 * makes the table. `context`: the newest commits that change code, with the index of the newest tree at hand. `review`: the
 * first review of a repository, with nothing kept, and the same once more. `growth`: one change in trees of 1 to 60 MB, made
 * of the first repository with the others beside it.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { languageOf } from '../../src/code-index/language-of.ts'
import { commitsOf, isOutOfTime, type Ran, runCommand } from './run-command.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    commits: { type: 'string', default: '50' },
    reviews: { type: 'string', default: '10' },
    only: { type: 'string', default: 'context,review,growth' },
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/sightline.js') },
  },
})
if (!values.out || positionals.length === 0) throw new Error('see the head of this file for its options')

const out = resolve(values.out)
const journal = join(out, 'waits.jsonl')
const command = resolve(values.program)
const repositories = positionals.map((one) => {
  const at = one.indexOf('=')
  return { name: one.slice(0, at), folder: resolve(one.slice(at + 1)) }
})
type Repository = (typeof repositories)[number]

type Row = {
  part: 'context' | 'review' | 'growth'
  repository: string
  commit: string
  /** First or second time with the same cache; for `growth` the megabytes of the tree. */
  state: string
  seconds: number
  /** Of the process and all it started. */
  cpuSeconds: number
  /** Until the first check has told what it found; null where that is not asked. */
  firstSeconds: number | null
  hash: string | null
  /** Parts that ran out of time. */
  cut: string[]
  load: number
}

/** Megabytes of the trees of `growth`, and how often each is reviewed. */
const sizes = [1, 5, 25, 60]
const timesEach = 3
const person = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Bench'],
    [`GIT_${who}_EMAIL`, 'bench@example.org'],
    [`GIT_${who}_DATE`, '2026-01-01T00:00:00Z'],
  ]),
)

mkdirSync(out, { recursive: true })
const rows: Row[] = existsSync(journal)
  ? readFileSync(journal, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
  : []
const parts = values.only.split(',')
for (const repository of repositories) {
  if (parts.includes('context')) await measureContext(repository)
  if (parts.includes('review')) await measureReviews(repository)
}
if (parts.includes('growth')) await measureGrowth()

async function measureContext(repository: Repository): Promise<void> {
  const { name, folder } = repository
  const cache = join(out, 'cache', name)
  for (const commit of commitsOf(folder, Number(values.commits))) {
    if (isKnown('context', name, commit, 'indexed')) continue
    if (!existsSync(cache)) await run(['index', '--repo', folder], cache)
    keep(await contextOf({ part: 'context', repository: name, commit, state: 'indexed' }, folder, cache))
  }
}

async function measureReviews({ name, folder }: Repository): Promise<void> {
  for (const commit of commitsOf(folder, Number(values.reviews))) {
    if (isKnown('review', name, commit, 'warm')) continue
    const cache = join(out, 'cold')
    rmSync(cache, { recursive: true, force: true })
    for (const state of ['cold', 'warm'])
      keep(await reviewOf({ part: 'review', repository: name, commit, state }, folder, cache))
    rmSync(cache, { recursive: true, force: true })
  }
}

async function measureGrowth(): Promise<void> {
  for (const megabytes of sizes) {
    const state = String(megabytes)
    const [first] = repositories
    const commit = first && commitsOf(first.folder, 1)[0]
    if (!first || !commit || isKnown('growth', first.name, commit, state)) continue
    const folder = join(out, `tree-${megabytes}`)
    const cache = join(out, 'cache', `tree-${megabytes}`)
    const change = buildTree(folder, commit, megabytes * 1e6)
    await run(['index', '--repo', folder], cache)
    await reviewOf({ part: 'growth', repository: first.name, commit, state }, folder, cache, change)
    const measured: Row[] = []
    for (let time = 0; time < timesEach; time++)
      measured.push(
        await reviewOf({ part: 'growth', repository: first.name, commit, state }, folder, cache, change),
      )
    const middle = measured.toSorted((a, b) => a.seconds - b.seconds)[timesEach >> 1]
    if (middle) keep(middle)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A repository of two commits: the change in `own/`, and as much of the others as is missing to the size. */
function buildTree(folder: string, commit: string, bytes: number): string {
  rmSync(folder, { recursive: true, force: true })
  execFileSync('git', ['init', '--quiet', '--bare', folder])
  writeFileSync(
    join(folder, 'objects/info/alternates'),
    repositories.map((one) => `${join(one.folder, 'objects')}\n`).join(''),
  )
  const index = join(folder, 'bench-index')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 29,
      env: { ...process.env, GIT_INDEX_FILE: index, ...person },
    }).trim()
  let left = bytes
  const beside: string[] = []
  const changed = new Set(git('diff-tree', '-r', '--name-only', '--no-commit-id', commit).split('\n'))
  const entries = (tree: string, place: string, isWanted: (path: string) => boolean): string[] =>
    git('ls-tree', '-r', '-l', tree)
      .split('\n')
      .flatMap((line) => {
        const [about = '', path = ''] = line.split('\t')
        const [mode = '', , id = '', size = '0'] = about.split(/ +/)
        if (!isWanted(path) || languageOf(path) === null || (left <= 0 && !changed.has(path))) return []
        left -= Number(size)
        return [`${mode} ${id}\t${place}/${path}\n`]
      })
  const sides = [`${commit}^`, commit].map((tree) => entries(tree, 'own', (path) => changed.has(path)))
  beside.push(...entries(commit, 'own', (path) => !changed.has(path)))
  for (const { name, folder: other } of repositories.slice(1)) {
    const head = execFileSync('git', ['-C', other, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
    if (left > 0) beside.push(...entries(head, `beside/${name}`, () => true))
  }
  let parent: string | null = null
  for (const side of sides) {
    rmSync(index, { force: true })
    execFileSync('git', ['-C', folder, 'update-index', '--add', '--index-info'], {
      input: [...side, ...beside].join(''),
      env: { ...process.env, GIT_INDEX_FILE: index },
    })
    const tree = git('write-tree')
    parent = git('commit-tree', tree, '-m', 'bench', ...(parent ? ['-p', parent] : []))
  }
  git('update-ref', 'refs/heads/main', parent ?? '')
  git('symbolic-ref', 'HEAD', 'refs/heads/main')
  // A repository that borrows objects from others is not reviewed. Repacking would take all of theirs.
  execFileSync(
    'git',
    ['-C', folder, 'pack-objects', '--revs', '--quiet', join(folder, 'objects/pack/pack')],
    {
      input: `${parent ?? ''}\n`,
    },
  )
  rmSync(join(folder, 'objects/info/alternates'))
  return parent ?? ''
}

type Asked = Pick<Row, 'part' | 'repository' | 'commit' | 'state'>

async function contextOf(asked: Asked, folder: string, cache: string): Promise<Row> {
  const { stdout, ...measured } = await run(['context', asked.commit, '--repo', folder, '--json'], cache)
  const { hash, cuts } = JSON.parse(stdout) as { hash: string; cuts: string[] }
  return { ...asked, ...measured, firstSeconds: null, hash, cut: cuts.filter(isOutOfTime) }
}

async function reviewOf(asked: Asked, folder: string, cache: string, commit = asked.commit): Promise<Row> {
  const args = ['review', commit, '--repo', folder, '--depth', 'offline', '--json', '--progress']
  const { stdout, firstSeconds, ...measured } = await run(args, cache)
  const { bundle, coverage } = JSON.parse(stdout) as {
    bundle?: { hash: string }
    coverage: { limits: string[] }
  }
  const cut = coverage.limits.filter(isOutOfTime)
  return { ...asked, ...measured, firstSeconds, hash: bundle?.hash ?? null, cut }
}

function run(args: readonly string[], cache: string): Promise<Ran> {
  return runCommand([command, ...args], { XDG_CACHE_HOME: cache, XDG_STATE_HOME: join(out, 'state') })
}

function isKnown(part: Row['part'], repository: string, commit: string, state: string): boolean {
  return rows.some(
    (row) =>
      row.part === part && row.repository === repository && row.commit === commit && row.state === state,
  )
}

function keep(row: Row): void {
  rows.push(row)
  appendFileSync(journal, `${JSON.stringify(row)}\n`)
  const { part, repository, commit, state, seconds, cpuSeconds, firstSeconds, cut, load } = row
  const first = firstSeconds === null ? '' : `, first ${firstSeconds.toFixed(2)} s`
  console.log(
    `${part} ${repository} ${commit.slice(0, 10)} ${state}: ${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s CPU)${first}, load ${load.toFixed(1)}${cut.length > 0 ? `, CUT ${cut.join('; ')}` : ''}`,
  )
}
