/**
 * A server as `sightline serve` runs it, for `steady.ts`: it measures itself after each few reviews, with all garbage
 * collected. Most of its jobs have light processes in the place of their roles, which are spoken with, watched and ended in
 * the same way and answer at once; every nth job has the real ones.
 */
import { fork } from 'node:child_process'
import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { killTree } from '../../src/base/process-tree.ts'
import { watchProcess } from '../../src/base/watchdog.ts'
import { becomeFrugal } from '../../src/cli/supervision/frugal-process.ts'
import { converse, type RunRole, runRole } from '../../src/server/roles/run-role.ts'
import { serve } from '../../src/server/serve.ts'
import { loadServerSettings } from '../../src/server/settings/load.ts'
import type { Measured } from './steady.ts'

// As the command does, whose memory is another without it.
becomeFrugal(fileURLToPath(import.meta.url), process.argv.slice(2))

const { STEADY_OUT = '', STEADY_WHOLE = '20', STEADY_EVERY = '10', STEADY_SNAPSHOTS } = process.env
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const wholeFolders = new Map<string, boolean>()
let jobs = 0

/** All roles of a job have folders beside each other. */
function isWhole(folder: string): boolean {
  const job = join(folder, '..')
  const known = wholeFolders.get(job)
  if (known !== undefined) return known
  const made = ++jobs % Number(STEADY_WHOLE) === 0
  wholeFolders.clear()
  wholeFolders.set(job, made)
  return made
}

const light = join(import.meta.dirname, 'light-role.mjs')

const runLightRole: RunRole = async (run) => {
  const startedAt = performance.now()
  const child = fork(light, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
  const watch = watchProcess(child.pid, run.limits)
  const kill = () => killTree(child.pid ?? 0)
  run.signal.addEventListener('abort', kill, { once: true })
  try {
    const end = await converse(child, run, watch.heard)
    const { megabytes, cpuSeconds } = watch.peak
    return { end, peakMegabytes: megabytes, cpuSeconds, durationMs: performance.now() - startedAt }
  } finally {
    watch.stop()
    run.signal.removeEventListener('abort', kill)
    kill()
  }
}

let ended = 0

function measure(): void {
  ended += 1
  if (ended % Number(STEADY_EVERY) !== 0) return
  collectGarbage()
  collectGarbage()
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
  const active = process.getActiveResourcesInfo().length
  const handles = readdirSync('/proc/self/fd').length
  const measured: Measured = { reviews: ended, rss, heapUsed, external, arrayBuffers, active, handles }
  appendFileSync(STEADY_OUT, `${JSON.stringify(measured)}\n`)
  if (STEADY_SNAPSHOTS?.split(',').includes(String(ended)))
    writeHeapSnapshot(`${STEADY_OUT}.${ended}.heapsnapshot`)
}

const file = process.argv[process.argv.indexOf('--settings') + 1] ?? ''
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
await serve(loadServerSettings(process.env, file), {
  environment: process.env,
  signal: stop.signal,
  writeLog(line) {
    process.stderr.write(`${line}\n`)
    if (line.includes('"job-ended"')) measure()
  },
  onReady: ({ url }) => process.stdout.write(`Sightline serves ${url}\n`),
  runRole: (run) => (isWhole(run.folder) ? runRole(run) : runLightRole(run)),
})
process.exit(0)
