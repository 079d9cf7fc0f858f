/** One server process with its whole group: started without a shell, watched for memory, killed as one. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Program } from '../contract.ts'
import { residentBytes } from './memory.ts'

export type ServerProcess = {
  readonly pid: number | undefined
  readonly input: Writable
  readonly output: Readable
  /** Resolves when it is gone, with the reason in words; what it last said on its error channel is part of it. */
  readonly ended: Promise<string>
  /** Highest resident size seen, in bytes; null where it cannot be told. */
  readonly peakBytes: () => number | null
  kill(): void
}

export type ProcessOptions = {
  cwd: string
  environment: Readonly<Record<string, string>>
  /** It is killed when it and its children hold more. */
  memoryMb: number
}

const pollMs = 250
/** What is kept of its error channel, in characters. */
const lastWords = 2_000

export function startProcess(program: Program, options: ProcessOptions): ServerProcess {
  const hasGroups = process.platform !== 'win32'
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
    program.command,
    [...program.arguments],
    {
      cwd: options.cwd,
      env: { ...options.environment },
      shell: false,
      windowsHide: true,
      detached: hasGroups,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  let said = ''
  let reason: string | null = null
  let peak: number | null = null
  const kill = () => {
    if (child.pid === undefined) return
    try {
      process.kill(hasGroups ? -child.pid : child.pid, 'SIGKILL')
    } catch {
      // It was gone before.
    }
  }
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (chunk: string) => {
    said = `${said}${chunk}`.slice(-lastWords)
  })
  // A dead process closes its input while we may be writing.
  child.stdin.on('error', () => {})
  const watch = setInterval(async () => {
    const bytes = child.pid === undefined ? null : await residentBytes(child.pid)
    if (bytes === null) return
    peak = Math.max(peak ?? 0, bytes)
    if (bytes <= options.memoryMb * 2 ** 20 || reason !== null) return
    reason = `it held more than ${options.memoryMb} MB and was ended`
    kill()
  }, pollMs)
  watch.unref()
  running.add(kill)
  const ended = new Promise<string>((resolve) => {
    const end = (why: string) => {
      clearInterval(watch)
      running.delete(kill)
      // What it started may outlive it.
      kill()
      resolve(reason ?? withLastWords(why, said))
    }
    child.once('error', (error) => end(`it could not be started: ${error.message}`))
    child.once('exit', (code, signal) =>
      end(signal === null ? `it ended with code ${code}` : `it ended by ${signal}`),
    )
  })
  return { pid: child.pid, input: child.stdin, output: child.stdout, ended, peakBytes: () => peak, kill }
}

/** Servers that would outlive us otherwise. */
const running = new Set<() => void>()
process.once('exit', () => {
  for (const kill of running) kill()
})

function withLastWords(why: string, said: string): string {
  const last = said
    .trim()
    .split('\n')
    .findLast((line) => line.trim() !== '')
  return last === undefined ? why : `${why}: ${last.trim().slice(0, 200)}`
}
