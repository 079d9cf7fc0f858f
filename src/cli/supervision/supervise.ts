/**
 * The process that a user starts only watches over the one that does the work. Whatever the work reads is foreign and
 * may hold its loop, fill its memory or end it: this one goes on hearing signals and ends the work within its limits.
 * Then it has the review repeated with the checks that had finished, so that their findings pass the same validation as
 * any others, and are reported as an incomplete review. The record of the first attempt can be resumed, as after any kill.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { exitCodes, UserError } from '../../base/errors.ts'
import { ownNode } from '../../base/own-node.ts'
import { sweepAbandonedRoots } from '../../base/private-folders.ts'
import { killTree } from '../../base/process-tree.ts'
import { faultOf, reviewLimits, type WatchLimits, watchProcess } from '../../base/watchdog.ts'
import type { StoppedReview } from '../../domain/coverage.ts'
import { describeFailure, type Failure, printFailure } from '../failure.ts'
import { isLasting, signals } from '../interrupt.ts'
import { processShell } from '../shell.ts'
import { openTerminal } from '../terminal.ts'
import { becomeFrugal, frugalEnvironment, frugalFlags } from './frugal-process.ts'
import { type Order, type Report, supervisedMark } from './supervised.ts'

/** How long the work may take to say that it heard a signal, and then to end. */
const hearingMs = 800
const endingMs = 6_000

/** For the report of what had finished, after the limits of the review itself. */
const reportMinutes = 5

/** Nothing foreign is read for these, so nothing is to be watched over. */
const harmless: ReadonlySet<string | undefined> = new Set([undefined, 'help', 'version', '-h', '-v', '-V'])

/**
 * Runs `entry` with `argv` in a process of its own. Resolves to the exit code; to null when this process is the one that
 * shall do the work. From the call on it listens to signals itself; never rejects.
 */
export function supervise(entry: string, argv: readonly string[]): Promise<number> | null {
  const isInspected = process.execArgv.some((flag) => flag.startsWith('--inspect'))
  if (process.env[supervisedMark] !== undefined || isInspected) return null
  if (harmless.has(argv[0]) || argv.includes('--help') || argv.includes('--version')) return null
  // What a server reads of strangers is read by processes that it watches over itself.
  if (argv[0] === 'serve') {
    becomeFrugal(entry, argv)
    return null
  }
  return runWatched(entry, argv).catch((error) => report(describeFailure(error, false), argv))
}

async function runWatched(entry: string, argv: readonly string[]): Promise<number> {
  const set = readWatchLimits(process.env)
  const limits = isLasting(argv)
    ? { ...set, minutes: Number.POSITIVE_INFINITY, cpuMinutes: Number.POSITIVE_INFINITY }
    : set
  let earlier: StoppedReview | null = null
  for (;;) {
    const [program, ...words] = ownNode([...frugalFlags, ...process.execArgv])
    const child = spawn(program, [...words, entry, ...argv], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...frugalEnvironment(process.env), [supervisedMark]: JSON.stringify(earlier) },
    })
    const { end, stage, finished } = await watch(
      child,
      earlier ? { ...limits, minutes: reportMinutes } : limits,
    )
    if ('code' in end) return end.code
    if ('signal' in end) return dieAlike(end.signal)
    if ('interrupted' in end) return await report(describeFailure(null, true), argv)
    const next = nextAttempt(argv, { stage, reason: end.overrun, finished }, earlier)
    if (next === null) {
      const where = stage === null ? '' : ` (stage ${stage})`
      return await report(describeFailure(new UserError('stopped', `${end.overrun}${where}`), false), argv)
    }
    earlier = next
  }
}

/** What the next attempt leaves out; null when there is none. */
function nextAttempt(
  argv: readonly string[],
  { stage, ...reached }: Reached & { reason: string },
  earlier: StoppedReview | null,
): StoppedReview | null {
  // The checks that finished do not get through a second time: what is left to report is that.
  if (earlier) return earlier.finished.length > 0 ? { ...earlier, finished: [] } : null
  // A patch on standard input can be read only once, and a result that was begun is not printed twice.
  const isRepeatable =
    argv[0] === 'review' && !argv.some((word) => /^(-|.*=-|--estimate|--watch)$/.test(word))
  return isRepeatable && stage !== null && stage !== 'collect' && stage !== 'publish'
    ? { stage, ...reached }
    : null
}

/** How far an attempt came. */
type Reached = { stage: string | null; finished: string[] }

/** This process ended the work, for a signal or a limit; it ended by itself, or another killed it. */
type End = { interrupted: true } | { overrun: string } | { code: number } | { signal: NodeJS.Signals }

function watch(child: ChildProcess, limits: WatchLimits): Promise<Reached & { end: End }> {
  const reached: Reached = { stage: null, finished: [] }
  let stop: { interrupted: true } | null = null
  let patience: NodeJS.Timeout | null = null
  const interruptWork = (): void => {
    stop = { interrupted: true }
    if (child.pid !== undefined) killTree(child.pid)
  }
  const interrupt = (): void => {
    if (child.connected) child.send('stop' satisfies Order, () => {})
    patience ??= setTimeout(interruptWork, hearingMs)
  }
  const watchdog = watchProcess(child.pid, limits)
  child.on('message', (message) => {
    watchdog.heard()
    if (isProgress(message)) noteProgress(message, reached)
    if (message !== ('stopping' satisfies Report) || !patience) return
    clearTimeout(patience)
    patience = setTimeout(interruptWork, endingMs)
  })
  for (const name of signals) process.on(name, interrupt)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', async (code, signal) => {
      watchdog.stop()
      if (patience) clearTimeout(patience)
      for (const name of signals) process.off(name, interrupt)
      // A killed process leaves its temporary folders.
      if (signal !== null) await sweepAbandonedRoots()
      const { overrun } = watchdog
      const end = overrun === null ? (stop ?? endOf(code, signal)) : { overrun }
      resolve({ ...reached, end })
    })
  })
}

/** What the system ended, most likely for its memory, was stopped by a limit too; another signal came from outside. */
function endOf(code: number | null, signal: NodeJS.Signals | null): End {
  if (signal === null) return { code: code ?? exitCodes.couldNotReview }
  const overrun = faultOf(signal)
  return overrun === null ? { signal } : { overrun }
}

type Progress = Extract<Report, object>

function isProgress(message: unknown): message is Progress {
  return typeof message === 'object' && message !== null
}

function noteProgress(progress: Progress, reached: Reached): void {
  if ('stage' in progress) reached.stage = progress.stage
  else reached.finished.push(progress.finished)
}

/** A signal from outside ends this process alike, so that its caller sees it. */
function dieAlike(signal: NodeJS.Signals): number {
  process.kill(process.pid, signal)
  return 128 + constants.signals[signal]
}

async function report(failure: Failure, argv: readonly string[]): Promise<number> {
  await printFailure(failure, argv, openTerminal(processShell))
  return failure.exitCode
}

type Limit = Exclude<keyof WatchLimits, 'processes'>

const names: Readonly<Record<Limit, string>> = {
  silentSeconds: 'SIGHTLINE_SILENT_SECONDS',
  minutes: 'SIGHTLINE_MINUTES',
  cpuMinutes: 'SIGHTLINE_CPU_MINUTES',
  megabytes: 'SIGHTLINE_MEMORY_MB',
}

/** Throws `usage` for what is no positive number. */
function readWatchLimits(environment: NodeJS.ProcessEnv): WatchLimits {
  const read = (limit: Limit): number => {
    const typed = environment[names[limit]]
    if (typed === undefined || typed === '') return reviewLimits[limit]
    const value = Number(typed)
    if (Number.isFinite(value) && value > 0) return value
    throw new UserError('usage', `$${names[limit]} is \`${typed}\`; it must be a number above 0.`)
  }
  return {
    silentSeconds: read('silentSeconds'),
    minutes: read('minutes'),
    cpuMinutes: read('cpuMinutes'),
    megabytes: read('megabytes'),
  }
}
