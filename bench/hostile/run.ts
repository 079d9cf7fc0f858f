/**
 * What a review of each hostile input costs: the real command at depth offline, with processor time and peak memory of
 * it and its children.
 *
 *   node bench/hostile/run.ts [--only TEXT] [--out bench/out/hostile.json]
 *
 * Needs GNU time as /usr/bin/time. Exits with 1 when an input costs more than 10 seconds or 500 MB.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type HostileInput, hostileInputs } from './inputs.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'bench/out/hostile.json' },
  },
})
const limits = { seconds: 10, megabytes: 500 }
const longestMs = 120_000
const command = resolve(import.meta.dirname, '../../bin/sightline.js')

type Cost = { name: string; exit: string; seconds: number; megabytes: number }

const costs: Cost[] = []
for (const input of hostileInputs.filter(({ name }) => name.includes(values.only))) {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  try {
    const cost = { name: input.name, ...(await measure(folder, await build(folder, input))) }
    costs.push(cost)
    const over = isOver(cost) ? '  ← over the limit' : ''
    console.log(
      `${cost.seconds.toFixed(1).padStart(7)} s ${String(Math.round(cost.megabytes)).padStart(6)} MB  exit ${cost.exit.padEnd(7)} ${cost.name}${over}`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
writeFileSync(values.out, `${JSON.stringify(costs, null, 2)}\n`)
process.exitCode = costs.some(isOver) ? 1 : 0

function isOver({ seconds, megabytes, exit }: Cost): boolean {
  return seconds > limits.seconds || megabytes > limits.megabytes || exit === 'stopped'
}

/** The repository, and the arguments and standard input of the command. */
async function build(folder: string, input: HostileInput): Promise<{ args: string[]; stdin: string }> {
  const repository = join(folder, 'repository')
  mkdirSync(repository)
  git(repository, ['init', '--quiet', '--initial-branch', 'main'])
  commit(repository, { 'README.md': 'x\n', ...input.base }, 'base', 'Ada')
  if (input.patch !== undefined) return { args: ['-'], stdin: input.patch }
  commit(repository, input.head ?? {}, input.message ?? 'change', input.author ?? 'Ada')
  const ticket = join(folder, 'ticket.md')
  if (input.ticket === undefined) return { args: ['--commit', 'HEAD'], stdin: '' }
  writeFileSync(ticket, input.ticket)
  return { args: ['--commit', 'HEAD', '--ticket', ticket], stdin: '' }
}

function commit(repository: string, files: Record<string, string>, message: string, author: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
  git(repository, ['add', '--all'])
  const tree = git(repository, ['write-tree'])
  const parent = git(repository, ['for-each-ref', '--format=%(objectname)', 'refs/heads/main'])
  const who = `${author} <a@example.com> 1700000000 +0000`
  const lines = [`tree ${tree}`, ...(parent ? [`parent ${parent}`] : []), `author ${who}`, `committer ${who}`]
  const id = git(
    repository,
    ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
    `${lines.join('\n')}\n\n${message}\n`,
  )
  git(repository, ['update-ref', 'refs/heads/main', id])
}

function git(cwd: string, args: string[], input = ''): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', args, {
    cwd,
    input,
    encoding: 'utf8',
    env,
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  }).trim()
}

async function measure(
  folder: string,
  { args, stdin }: { args: string[]; stdin: string },
): Promise<Omit<Cost, 'name'>> {
  const figures = join(folder, 'figures')
  const child = spawn(
    '/usr/bin/time',
    [
      '-o',
      figures,
      '-f',
      '%U %S %M',
      process.execPath,
      command,
      'review',
      ...args,
      '--depth',
      'offline',
      '--quiet',
      '--format',
      'markdown',
    ],
    {
      cwd: join(folder, 'repository'),
      env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), XDG_STATE_HOME: join(folder, 'state') },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  )
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  let isStopped = false
  const timer = setTimeout(() => {
    isStopped = true
    execFileSync('pkill', ['-TERM', '-P', String(child.pid)])
    setTimeout(() => execFileSync('sh', ['-c', `pkill -KILL -P ${child.pid} || true`]), 5_000).unref()
  }, longestMs)
  const code = await new Promise<number | null>((done) => child.on('close', done))
  clearTimeout(timer)
  const [user = 0, system = 0, kilobytes = 0] = (
    readFileSync(figures, 'utf8').trim().split('\n').at(-1) ?? ''
  )
    .split(' ')
    .map(Number)
  return { exit: isStopped ? 'stopped' : String(code), seconds: user + system, megabytes: kilobytes / 1024 }
}
