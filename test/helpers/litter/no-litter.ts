/**
 * Fails a run that leaves something: a file in a folder that no test may write to, a change of the checkout, a folder of its own
 * that was not removed, a program that still runs. Says which tests ran when it was made; of several at the same time, each
 * alone (`npx vitest run FILE`) tells which one it is.
 */

import { rmSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'
import { sweepAbandonedRoots } from '../../../src/base/private-folders.ts'
import { endOrphans } from '../../../src/base/sandbox/orphans.ts'
import { differences, type Snapshot, takeSnapshot } from './guarded.ts'
import { findLeftProcesses, type LeftProcess } from './left-processes.ts'

type Ran = { name: string; from: number; until: number }

export default class NoLitter implements Reporter {
  private before: Snapshot | null = null
  private readonly ran: Ran[] = []
  private began = Number.NaN

  async onTestRunStart(): Promise<void> {
    if (this.before !== null) return
    // The product removes what a process that was killed left. It does so before the first look, so that no test is told of it.
    await sweepAbandonedRoots('/tmp')
    this.before = takeSnapshot('')
    this.began = Date.now()
    // Last of all: workers have ended, with what they keep warm, and the run's own folder is removed.
    process.on('exit', () => this.report())
  }

  onTestCaseResult(test: TestCase): void {
    const { startTime, duration } = test.diagnostic() ?? { startTime: Number.NaN, duration: 0 }
    const name = `${test.module.relativeModuleId} > ${test.fullName}`
    this.ran.push({ name, from: startTime, until: startTime + duration })
  }

  private report(): void {
    const { before } = this
    const { SIGHTLINE_TEST_FOLDER: own } = process.env
    if (before === null || own === undefined) return
    const left = whatStaysOf(own, this.began)
    // A worker that ended late has made it again.
    rmSync(own, { recursive: true, force: true, maxRetries: 3 })
    const after = takeSnapshot(own)
    const lines = [
      ...differences(before, after).map(({ path, what, at }) => `${what}: ${path}${this.ranAt(at)}`),
      ...left.map(({ pid, command, at }) => `still runs: ${command} (${pid})${this.ranAt(at)}`),
    ]
    if (lines.length === 0) return
    process.stdout.write(
      `\nThe tests left something outside their own folder:\n${lines.map((line) => `  ${line}\n`).join('')}`,
    )
    process.exitCode = 1
  }

  /** The clocks of files and processes are up to two ticks behind. */
  private ranAt(at: number): string {
    const names = this.ran
      .filter(({ from, until }) => from - 20 <= at && at <= until + 20)
      .map(({ name }) => name)
    return names.length === 0 ? '' : ` (made while this ran: ${names.join('; ')})`
  }
}

/** What ends by itself soon is given the time that it takes on a busy machine. */
const patienceMs = Number(process.env.SIGHTLINE_TEST_PATIENCE_MS ?? 30_000)
const everyMs = 100

function whatStaysOf(own: string, since: number): LeftProcess[] {
  const clock = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; ; waited += everyMs) {
    // What the next command would end.
    endOrphans()
    const left = findLeftProcesses(own, since)
    if (left.length === 0 || waited >= patienceMs) return left
    Atomics.wait(clock, 0, 0, everyMs)
  }
}
