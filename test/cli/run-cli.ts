/** Runs the real command in a process of its own, as a shell would. */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const entry = join(root, 'bin/sightline.js')

export type CliResult = { code: number | null; stdout: string; stderr: string }

export type CliOptions = {
  cwd?: string
  env?: Record<string, string>
  input?: string
  /** Its standard input does not end. */
  keepInputOpen?: boolean
  /** Called with all of standard error so far, each time more comes. */
  onStderr?: (soFar: string, kill: (signal: NodeJS.Signals) => void) => void
}

/** Neither a colour setting nor a CI marker of the machine that runs the tests reaches the command. */
const removed = ['NO_COLOR', 'FORCE_COLOR', 'CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'NODE_OPTIONS']

export function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !removed.includes(name))
  return { ...Object.fromEntries(kept), ...extra }
}

export function sightline(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return run(process.execPath, [entry, ...args], options)
}

export function run(command: string, args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
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
