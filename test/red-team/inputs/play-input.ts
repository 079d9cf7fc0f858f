/** Reviews a hostile input with the real command, and says whether it held: what it cost, and what it came to. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { writeObject } from '../../helpers/git-bombs.ts'
import { entry } from '../../helpers/sightline.ts'
import type { HostileInput, Repository } from './contract.ts'
import { measure } from './measure.ts'

/** No input of a megabyte may cost more; a larger one may take as much time for each megabyte. */
export const limits = { seconds: 10, megabytes: 500 }
const longestMs = 240_000

export type PlayedInput = {
  name: string
  seconds: number
  megabytes: number
  /** Null when it had to be stopped. */
  code: number | null
  /** What went wrong; none when it held. */
  faults: string[]
  /** The first line that the command said, of its report or of why there is none. */
  words: string
}

export async function playInput(input: HostileInput): Promise<PlayedInput> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  try {
    const repository = createRepository(join(folder, 'repository'))
    const { args, stdin } = prepare(folder, repository, input)
    const { code, seconds, megabytes, stdout, stderr } = await measure({
      args: [process.execPath, entry, ...args],
      cwd: repository.path,
      env: {
        ...process.env,
        CI: '1',
        XDG_CACHE_HOME: warmCache(folder),
        XDG_STATE_HOME: join(folder, 'state'),
      },
      stdin,
      longestMs,
    })
    const faults: string[] = []
    if (code === null) faults.push(`stopped after ${longestMs / 1000} s`)
    else if (input.codes ? !input.codes.includes(code) : !ends.has(code)) faults.push(`exit code ${code}`)
    if (ended.test(stderr)) faults.push('ended by the watchdog')
    const mostSeconds = limits.seconds * Math.max(1, sizeOf(input) / 1e6)
    if (seconds > mostSeconds) faults.push(`more than ${mostSeconds.toFixed(0)} s`)
    if (megabytes > limits.megabytes) faults.push(`more than ${limits.megabytes} MB`)
    if (input.says && !input.says.test(`${stdout}\n${stderr}`))
      faults.push(`does not say ${input.says.source}`)
    const words = `${stdout.trim()}\n${stderr.trim()}`.trim().split('\n')[0]?.slice(0, 200) ?? ''
    return { name: input.name, seconds, megabytes, code, faults, words }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Characters of the change. */
function sizeOf({ head = {}, patch = '' }: HostileInput): number {
  return Object.values(head).reduce((sum, text) => sum + text.length, patch.length)
}

let warm: string | null = null

/**
 * A cache of its own for each input, in which our own code is compiled already, as after the first review on a machine:
 * compiling it costs some 3 s of processor time, whatever the input.
 */
function warmCache(folder: string): string {
  const cache = join(folder, 'cache')
  // Where Node is told of a folder, it has it there.
  if (process.env.NODE_COMPILE_CACHE !== undefined) return cache
  if (warm === null) {
    warm = mkdtempSync(join(tmpdir(), 'hostile-warm-'))
    const made = warm
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    const { path } = createRepository(join(made, 'repository'))
    writeFileSync(join(path, 'a.ts'), 'export const a = 1\n')
    const env = {
      ...process.env,
      CI: '1',
      XDG_CACHE_HOME: join(made, 'cache'),
      XDG_STATE_HOME: join(made, 'state'),
    }
    for (let times = 0; times < 2; times++)
      execFileSync(process.execPath, [entry, 'review', '--uncommitted', ...flags], {
        cwd: path,
        env,
        stdio: 'ignore',
      })
  }
  // With its modes: compiled code that others may read or write is not used.
  execFileSync('cp', ['-a', join(warm, 'cache'), cache])
  return cache
}

/** A review. A refusal (2 or 3) is right only for an input that says so: else it hides that nothing was tried. */
const ends: ReadonlySet<number> = new Set([0, 1, 4])
/** What the watchdog says when it ends a review. */
const ended = /kept it busy for more|MB of memory|took longer than \d+ minutes|ran out of memory/

const flags = ['--depth', 'offline', '--quiet', '--format', 'markdown', '--require-complete']

function prepare(
  folder: string,
  repository: Repository,
  input: HostileInput,
): { args: string[]; stdin: string } {
  commit(repository, { 'README.md': 'x\n', ...input.base }, 'base', 'Ada')
  if (input.patch !== undefined) return { args: ['review', '-', ...flags], stdin: input.patch }
  if (input.head) commit(repository, input.head, input.message ?? 'change', input.author ?? 'Ada')
  const own = input.build?.(repository) ?? ['review', '--commit', 'HEAD']
  const args = own[0] === 'review' ? [...own, ...flags] : own
  if (input.ticket === undefined) return { args, stdin: '' }
  const ticket = join(folder, 'ticket.md')
  writeFileSync(ticket, input.ticket)
  return { args: [...args, '--ticket', ticket], stdin: '' }
}

/** By hand: a commit's message may be what no `git commit` writes. */
function commit(
  repository: Repository,
  files: Record<string, string>,
  message: string,
  author: string,
): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository.path, path)), { recursive: true })
    writeFileSync(join(repository.path, path), text)
  }
  repository.git('add', '--all')
  const tree = repository.git('write-tree')
  const parent = repository.git('for-each-ref', '--format=%(objectname)', 'refs/heads/main')
  const who = `${author} <a@example.com> 1700000000 +0000`
  const lines = [`tree ${tree}`, ...(parent ? [`parent ${parent}`] : []), `author ${who}`, `committer ${who}`]
  const id = writeObject(repository, 'commit', `${lines.join('\n')}\n\n${message}\n`)
  repository.git('update-ref', 'refs/heads/main', id)
}

function createRepository(path: string): Repository {
  mkdirSync(path)
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  const git = (...args: string[]): string =>
    execFileSync('git', [...who, ...args], {
      cwd: path,
      env,
      stdio,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    }).trim()
  git('init', '--quiet', '--initial-branch', 'main')
  return { path, git }
}
