/**
 * The process that a user starts only watches over the one that does the work. Whatever the work reads is foreign and
 * may hold its loop, fill its memory or end it: this one goes on hearing signals, ends the work within its limits, and
 * says so. The record of a run that is ended so can be resumed, as after any kill.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes, UserError } from '../../base/errors.ts'
import { describeFailure, type Failure, tellFailure } from '../failure.ts'
import { signals } from '../interrupt.ts'
import { processShell } from '../shell.ts'
import { openTerminal } from '../terminal.ts'
import { cpuSeconds, killTree, residentBytes } from './process-tree.ts'
import { beatMs, type Order, type Report, supervisedMark } from './supervised.ts'
import { readWatchLimits, type WatchLimits } from './watch-limits.ts'

/** How long the work may take to say that it heard a signal, and then to end. */
const hearingMs = 800
const endingMs = 6_000

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
  return runWatched(entry, argv).catch((error) => report(describeFailure(error, false), argv))
}

/**
 * Most of what a review makes is short-lived, and what is collected late is resident all the while: a change of 190,000
 * files took 455 MB with the usual new spaces, and 275 MB with these.
 */
const smallNewSpaces = ['--max-semi-space-size=4']

async function runWatched(entry: string, argv: readonly string[]): Promise<number> {
  const limits = readWatchLimits(process.env)
  const child = spawn(process.execPath, [...smallNewSpaces, ...process.execArgv, entry, ...argv], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [supervisedMark]: '1' },
  })
  const end = await watch(child, limits)
  if (end.failure) return await report(end.failure, argv)
  if (end.signal !== null) return await dieAlike(end.signal, argv)
  return end.code
}

type End = { code: number; signal: NodeJS.Signals | null; failure: Failure | null }

function watch(child: ChildProcess, limits: WatchLimits): Promise<End> {
  let failure: Failure | null = null
  let patience: NodeJS.Timeout | null = null
  const stopWith = (why: Failure): void => {
    if (failure) return
    failure = why
    if (child.pid !== undefined) killTree(child.pid)
  }
  const interrupt = (): void => {
    if (child.connected) child.send('stop' satisfies Order, () => {})
    patience ??= setTimeout(() => stopWith(describeFailure(null, true)), hearingMs)
  }
  const startedAt = performance.now()
  const cpu = () => (child.pid === undefined ? null : cpuSeconds(child.pid))
  let stage: string | null = null
  let silentTurns = 0
  let cpuAtBeat = cpu()
  const timer = setInterval(() => {
    const why = overrun(limits, {
      // Counted in turns of this loop: while both processes are suspended, neither of them is late.
      heldSeconds: heldSeconds((++silentTurns * beatMs) / 1000, cpuAtBeat, cpu()),
      megabytes: ((child.pid && residentBytes(child.pid)) || 0) / 2 ** 20,
      minutes: (performance.now() - startedAt) / 60_000,
    })
    const where = stage === null ? '' : ` (stage ${stage})`
    if (why !== null) stopWith(describeFailure(new UserError('stopped', `${why}${where}`), false))
  }, beatMs)
  child.on('message', (message) => {
    silentTurns = 0
    cpuAtBeat = cpu()
    if (isStageReport(message)) stage = message.stage
    if (message !== ('stopping' satisfies Report) || !patience) return
    clearTimeout(patience)
    patience = setTimeout(() => stopWith(describeFailure(null, true)), endingMs)
  })
  for (const name of signals) process.on(name, interrupt)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearInterval(timer)
      if (patience) clearTimeout(patience)
      for (const name of signals) process.off(name, interrupt)
      if (signal !== null && child.pid !== undefined) removeFoldersOf(child.pid)
      resolve({ code: code ?? exitCodes.couldNotReview, signal, failure })
    })
  })
}

function isStageReport(message: unknown): message is Extract<Report, object> {
  return typeof message === 'object' && message !== null && 'stage' in message
}

/** A process that waits its turn on a busy machine is silent as well: so much longer is it given when it barely runs. */
const patienceWhenStarved = 4

/** How long an input has held the loop: in seconds of work where the system tells them, for one that works. */
function heldSeconds(silent: number, before: number | null, now: number | null): number {
  if (before === null || now === null) return silent
  return Math.max(Math.min(silent, now - before), silent / patienceWhenStarved)
}

type Use = { heldSeconds: number; megabytes: number; minutes: number }

/** Which limit is passed, in words; null when none is. */
function overrun(limits: WatchLimits, use: Use): string | null {
  if (use.heldSeconds > limits.silentSeconds)
    return `something in its input kept it busy for more than ${limits.silentSeconds} s`
  if (use.megabytes > limits.megabytes) return `it needed more than ${limits.megabytes} MB of memory`
  return use.minutes > limits.minutes ? `it took longer than ${limits.minutes} minutes` : null
}

/** A killed process leaves its temporary folders; their names begin with its id. */
function removeFoldersOf(pid: number): void {
  try {
    for (const name of readdirSync(tmpdir()))
      if (name.startsWith(`sightline-${pid}-`)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  } catch {
    // The next process that makes such a folder sweeps them away.
  }
}

/** What the system ended is told as such; a signal from outside ends this process alike, so that its caller sees it. */
async function dieAlike(signal: NodeJS.Signals, argv: readonly string[]): Promise<number> {
  if (!faults.has(signal)) {
    process.kill(process.pid, signal)
    return 128 + constants.signals[signal]
  }
  const words = `the process ended with ${signal}, most likely because it ran out of memory`
  return await report(describeFailure(new UserError('stopped', words), false), argv)
}

const faults: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGILL'])

async function report(failure: Failure, argv: readonly string[]): Promise<number> {
  await tellFailure(failure, argv, openTerminal(processShell))
  return failure.exitCode
}
