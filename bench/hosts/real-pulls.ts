/**
 * Plays the life of real changes on a strict host: the newest commits of a repository become pull requests, each with a
 * planted fault or two, and the real command reviews and posts them, again and again.
 *
 *   node bench/hosts/real-pulls.ts --repo honojs/hono.git [--host KIND] [--pulls 20] [--under src] [--out FILE]
 *
 * After every step it is checked, on the host, that each fault has one comment on its line, that nothing is there twice, and that
 * threads are open, answered or resolved as they should be. Exit code 1 when something is not.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hostKinds } from '../../src/domain/host-kind.ts'
import { factsOf, pageOf } from '../../src/hosts/remote/facts.ts'
import type { Change, Thread } from '../../test/helpers/hosts/engine/change.ts'
import type { Project } from '../../test/helpers/hosts/engine/world.ts'
import { startTokenHost } from '../../test/helpers/served/token-hosts.ts'

const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    host: { type: 'string', default: 'github' },
    pulls: { type: 'string', default: '20' },
    under: { type: 'string', default: '.' },
    out: { type: 'string' },
  },
})
if (values.repo === undefined) {
  process.stderr.write('real-pulls: name a bare repository of TypeScript or JavaScript: --repo PATH\n')
  process.exit(2)
}

const command = join(import.meta.dirname, '../../bin/sightline.js')
const scratch = mkdtempSync(join(tmpdir(), 'sightline-real-pulls-'))
const faults: string[] = []

/** A line that one rule reports, and nothing else is like it: the number tells them apart. */
const planted = (number: number) => `export const isOdd${number} = (value: number) => value === NaN`

type Pull = {
  change: Change
  path: string
  faults: Set<number>
  comments: number[]
  writes: number[]
}

async function main(repo: string): Promise<void> {
  const kind = hostKinds.find((one) => one === values.host)
  if (!kind) throw new Error(`--host ${values.host}: ${hostKinds.join(', ')}`)
  const host = await startTokenHost(kind)
  const { fake } = host
  const path = join(scratch, 'repository.git')
  cpSync(repo, path, { recursive: true })
  const project = fake.world.createProject(`${host.ownerIn('acme')}/product`, { repository: path })
  const pulls = openPulls(project, Number(values.pulls), values.under)
  project.roles.set('ada', 'write')
  if (!host.addProjectToken) project.roles.set('reviewer', host.role)
  const settings = join(scratch, 'settings.yaml')
  writeFileSync(
    settings,
    `hosts:\n  "${new URL(fake.url).host}": { kind: ${kind}, url: '${fake.url}', token: TOKEN }\n`,
  )
  const environment = {
    SIGHTLINE_SETTINGS: settings,
    TOKEN: host.addProjectToken?.(project) ?? host.addToken('reviewer'),
  }
  const { resolve: resolves } = factsOf(kind).abilities
  const review = async ({ change: { number } }: Pull): Promise<void> => {
    const { owner, name } = project
    const address = pageOf({ kind, webUrl: fake.url, owner: owner.split('/'), name, number })
    const { code, log } = await run(['review', address, '--post', '--depth', 'offline', '-q'], environment)
    if (code !== 0 && code !== 1) faults.push(`#${number}: exit code ${code}: ${log.slice(-400)}`)
  }
  const pass = async (what: string, prepare: (pull: Pull, at: number) => void): Promise<void> => {
    for (const [at, pull] of pulls.entries()) {
      const before = { comments: pull.change.threads.length, writes: fake.writes().length }
      prepare(pull, at)
      await review(pull)
      pull.comments.push(pull.change.threads.length - before.comments)
      pull.writes.push(fake.writes().length - before.writes)
      check(pull, what)
    }
    process.stderr.write(`${what}: ${pulls.length} reviewed, ${faults.length} faults so far\n`)
  }
  await pass('first review', () => {})
  await pass('second review of the same head', () => {})
  await pass('after a rebase', ({ change }, at) => {
    project.commit(change.base, { [`notes/${at}.md`]: `note ${at}\n` })
    change.rebase()
  })
  await pass('after a force-push that moves the lines', (pull) => {
    const text = read(pull)
    pull.change.forcePush({ [pull.path]: `// Moved down.\n\n${text}` }, pull.change.title)
  })
  await pass('after a merge from the base', ({ change }, at) => {
    project.commit(change.base, { [`notes/${at}-more.md`]: `more ${at}\n` })
    change.mergeFromBase()
  })
  await pass('after people settled every third thread, and a push', (pull, at) => {
    const { change, path: file, faults: faultsOf } = pull
    const open = change.threads.find((thread) => thread.path === file && thread.resolvedBy === null)
    if (at % 3 === 0 && open)
      if (resolves) change.resolve(open, 'ada')
      else {
        faultsOf.delete(numberOf(change, open))
        for (const note of [...open.notes]) change.deleteNote(note)
      }
    change.push({ 'notes/push.md': `${file}\n` })
  })
  await pass('after an edit that fixes the first fault and adds another', (pull, at) => {
    const [first = 0] = pull.faults
    const text = read(pull).replace(`${planted(first)}\n`, '')
    pull.faults.delete(first)
    pull.faults.add(1000 + at)
    // Elsewhere: in the place of the old one it would be an edit of it.
    pull.change.push({ [pull.path]: `${planted(1000 + at)}\n${text}` })
  })
  faults.push(...fake.violations)
  await fake.close()
  report(pulls)
}

/** The newest single commits under a path, each on a base of its own, with a fault at the end of a file it changes. */
function openPulls(project: Project, count: number, under: string): Pull[] {
  const { repository } = project
  const log = repository.git('log', '--first-parent', '--no-merges', '--format=%H %s', '-400', '--', under)
  const pulls: Pull[] = []
  for (const line of log.split('\n')) {
    if (pulls.length === count) break
    const [commit = '', ...words] = line.split(' ')
    const changed = repository.git(
      'diff-tree',
      '-r',
      '--no-commit-id',
      '--name-only',
      '--diff-filter=AM',
      commit,
    )
    const file = changed.split('\n').find((each) => /(?<!\.d|\.test|\.spec)\.ts$/.test(each))
    const [parent] = repository.git('rev-parse', `${commit}^`).split('\n')
    if (file === undefined || parent === undefined) continue
    const at = pulls.length + 1
    project.moveBranch(`base-${at}`, parent)
    project.moveBranch(`change-${at}`, commit)
    const numbers = at % 2 === 0 ? [at * 2] : [at * 2, at * 2 + 1]
    const text = repository.read(commit, file)?.toString('utf8') ?? ''
    project.commit(`change-${at}`, {
      [file]: `${text}\n${numbers.map((number) => planted(number)).join('\n// Between.\n// Between.\n// Between.\n')}\n`,
    })
    const change = project.open({ branch: `change-${at}`, base: `base-${at}`, title: words.join(' ') })
    pulls.push({ change, path: file, faults: new Set(numbers), comments: [], writes: [] })
  }
  return pulls
}

function read({ change, path }: Pull): string {
  return change.repository.read(change.head, path)?.toString('utf8') ?? ''
}

/** Each fault that is in the file has exactly one thread about it, on its line; each that is not has none that is open. */
function check(pull: Pull, when: string): void {
  const { change, path } = pull
  const say = (text: string) => faults.push(`#${change.number} ${when}: ${text}`)
  const lines = read(pull).split('\n')
  // What the review says of the project's own lines is not for this play to judge.
  const about = change.threads.filter(
    (thread) => thread.path === path && !Number.isNaN(numberOf(change, thread)),
  )
  for (const number of pull.faults) {
    const own = about.filter((thread) => numberOf(change, thread) === number)
    if (own.length !== 1) say(`${own.length} threads about fault ${number}`)
    const [thread] = own
    const place = thread ? change.placeOf(thread) : null
    if (place && lines[place.line - 1] !== planted(number))
      say(`fault ${number} is shown on line ${place.line}`)
    if (thread && isAnswered(thread)) say(`the thread about fault ${number} was answered as fixed`)
  }
  for (const thread of about)
    if (!pull.faults.has(numberOf(change, thread)) && !isAnswered(thread) && thread.resolvedBy === null)
      say(`the thread about the fixed fault ${numberOf(change, thread)} is open and without an answer`)
}

/** Of the line that it was put on, in the commit it was written for. */
function numberOf({ repository }: Change, { commit, path, anchor }: Thread): number {
  const text = repository.read(commit, path)?.toString('utf8').split('\n') ?? []
  return Number(/isOdd(\d+)/.exec(text[(anchor?.line ?? 0) - 1] ?? '')?.[1])
}

/** Above what was found where threads cannot be resolved, and below it elsewhere. */
function isAnswered({ notes }: Thread): boolean {
  return notes.some(({ body }) => body.startsWith('Fixed in '))
}

function report(pulls: readonly Pull[]): void {
  const steps = ['first', 'again', 'rebase', 'force-push', 'merge', 'settled', 'edit']
  const sums = (of: (pull: Pull) => number[]) =>
    steps.map((_, at) => pulls.reduce((sum, pull) => sum + (of(pull)[at] ?? 0), 0)).join(' | ')
  const text = [
    `| ${pulls.length} pull requests on ${values.host} | ${steps.join(' | ')} |`,
    `|---|${steps.map(() => '---:').join('|')}|`,
    `| new comments | ${sums(({ comments }) => comments)} |`,
    `| writes | ${sums(({ writes }) => writes)} |`,
    `\nFaults of this run: ${faults.length}.\n${faults.map((fault) => `- ${fault}\n`).join('')}`,
  ].join('\n')
  process.stdout.write(text)
  if (values.out !== undefined) writeFileSync(values.out, text)
}

function run(
  argv: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; log: string }> {
  const child = spawn(process.execPath, [command, ...argv], {
    env: { PATH: process.env.PATH, HOME: scratch, ...environment },
    cwd: scratch,
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, log })))
}

try {
  await main(values.repo)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = faults.length > 0 ? 1 : 0
