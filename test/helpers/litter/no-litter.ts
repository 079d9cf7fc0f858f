/**
 * Fails a run that leaves something: a file in a folder that no test may write to, a change of the checkout, a folder of its own
 * that was not removed, a program that still runs. Says which tests ran when it was made; of several at the same time, each
 * alone (`npx vitest run FILE`) tells which one it is.
 */

import { existsSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'
import { differences, type Snapshot, takeSnapshot } from './guarded.ts'
import { findLeftProcesses } from './left-processes.ts'

type Ran = { name: string; from: number; until: number }

export default class NoLitter implements Reporter {
  private before: Snapshot | null = null
  private readonly ran: Ran[] = []

  onTestRunStart(): void {
    if (this.before !== null) return
    this.before = takeSnapshot('')
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
    const after = takeSnapshot(own)
    const lines = [
      ...differences(before, after).map(({ path, what, at }) => `${what}: ${path}${this.ranAt(at)}`),
      ...findLeftProcesses(own).map(
        ({ pid, command, at }) => `still runs: ${command} (${pid})${this.ranAt(at)}`,
      ),
      ...(existsSync(own) ? [`left: ${own}, the folder of the run itself`] : []),
    ]
    if (lines.length === 0) return
    process.stdout.write(
      `\nThe tests left something outside their own folder:\n${lines.map((line) => `  ${line}\n`).join('')}`,
    )
    process.exitCode = 1
  }

  /** The clocks of files and processes are up to two ticks behind. */
  private ranAt(at: number): string {
    const names = this.ran.filter(({ from, until }) => from - 20 <= at && at <= until).map(({ name }) => name)
    return names.length === 0 ? '' : ` (made while this ran: ${names.join('; ')})`
  }
}
