/**
 * A git that was started before it is asked: starting one holds up a process with a large memory for 20 ms and more, and somebody who
 * types would wait for it. Each process runs one command and ends.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { type GitPlace, startGit } from './run.ts'

export class SpareGit {
  private readonly place: GitPlace
  private readonly args: readonly string[]
  private readonly env: Readonly<Record<string, string>>
  private waiting: ChildProcessWithoutNullStreams | null = null

  /** `args`: of a command that reads its input first. */
  constructor(place: GitPlace, args: readonly string[], env: Readonly<Record<string, string>>) {
    this.place = place
    this.args = args
    this.env = env
  }

  /** Starts one, where none waits. */
  prepare(): void {
    if (this.waiting && isRunning(this.waiting)) return
    // Whoever starts the next one is told.
    try {
      const child = startGit(this.place, this.args, this.env)
      child.on('error', () => {})
      child.stdin.on('error', () => {})
      this.waiting = child
    } catch {
      this.waiting = null
    }
  }

  /** Null: none waits, and the caller starts one. */
  take(): ChildProcessWithoutNullStreams | null {
    const child = this.waiting
    this.waiting = null
    return child && isRunning(child) ? child : null
  }

  close(): void {
    this.take()?.kill('SIGKILL')
  }
}

function isRunning({ pid, exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}
