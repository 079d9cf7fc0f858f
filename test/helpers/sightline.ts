/**
 * The command, in one of two ways. `sightline` runs it inside the test's process, where modules and parsers are warm;
 * `sightlineProcess` starts it as a shell would, for what only a process has: signals, its end, pipes, files that
 * others hold, its whole environment.
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { runCommand } from '../../src/cli/main.ts'
import { temporaryFolder } from './git-repo.ts'
import { sharedFacts } from './shared-facts.ts'

export const root = resolve(import.meta.dirname, '../..')
/** As it is packed, where `npm test` has made that: users start this one, and it begins in half the time. */
export const entry = join(process.env.SIGHTLINE_TEST_PRODUCT ?? root, 'bin/sightline.js')

export type CliResult = { code: number | null; stdout: string; stderr: string }

export type CliOptions = {
  cwd?: string
  env?: Record<string, string>
  input?: string
  /** The command opens its own facts, in its cache folder. Slow: its parsers are cold. */
  isCold?: boolean
}

export type CommandOptions = CliOptions & {
  /** Aborted as somebody interrupts the command. */
  signal?: AbortSignal
}

export type ProcessOptions = CliOptions & {
  /** Its standard input does not end. */
  keepInputOpen?: boolean
  /** Called with all of standard error so far, each time more comes. */
  onStderr?: (soFar: string, kill: (signal: NodeJS.Signals) => void) => void
}

/** Neither a colour setting nor a CI marker of the machine that runs the tests reaches the command. */
const removed = ['NO_COLOR', 'FORCE_COLOR', 'CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'NODE_OPTIONS']

/** Where a user keeps runs and what can be computed again: new ones for this test. */
export function ownFolders() {
  return { XDG_STATE_HOME: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder() }
}

export function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !removed.includes(name))
  return { ...Object.fromEntries(kept), ...extra }
}

/** Heard by Node, git or the system below the command, and so by a process as a whole. */
const ofTheProcess =
  /^(?:PATH|TMPDIR|NODE_\w+|GIT_\w+|SIGHTLINE_(?:SUPERVISED|SILENT_SECONDS|MEMORY_MB|MINUTES))$/

export async function sightline(args: readonly string[], options: CommandOptions = {}): Promise<CliResult> {
  const { cwd = process.cwd(), env = {}, input = '', isCold = false } = options
  const unheard = Object.keys(env).find((name) => ofTheProcess.test(name))
  if (unheard !== undefined) throw new Error(`$${unheard} needs a process of its own: use sightlineProcess.`)
  const stdout = collector()
  const stderr = collector()
  const shell = {
    environment: environment(env),
    folder: cwd,
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    facts: isCold ? null : sharedFacts(),
  }
  const code = await runCommand(args, shell, options.signal ?? new AbortController().signal)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function collector(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}

export function sightlineProcess(args: readonly string[], options: ProcessOptions = {}): Promise<CliResult> {
  return run(process.execPath, [entry, ...args], options)
}

export function run(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<CliResult> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: options.cwd, env: environment(options.env) })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      options.onStderr?.(stderr, (signal) => child.kill(signal))
    })
    child.on('error', fail)
    child.on('close', (code) => done({ code, stdout, stderr }))
    child.stdin.on('error', () => {})
    if (!options.keepInputOpen) child.stdin.end(options.input ?? '')
  })
}
