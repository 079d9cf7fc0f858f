/**
 * Loaded into a process with `--import`: when it ends, the longest time that its event loop was held goes into the file
 * that `SIGHTLINE_BENCH_LOOP` names, one line of JSON per process; and the most CPU time of its thread between two looks,
 * which other processes of the machine hardly change.
 */
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = process.env.SIGHTLINE_BENCH_LOOP
// Loading modules holds the loop too, but nothing waits yet: the first turn is where counting begins.
const delays = monitorEventLoopDelay({ resolution: 5 })
let maxCpu = 0
let before = process.threadCpuUsage()
const look = (): void => {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  maxCpu = Math.max(maxCpu, (user + system) / 1000)
}
setImmediate(() => {
  delays.enable()
  before = process.threadCpuUsage()
  setInterval(look, 5).unref()
})
process.on('exit', () => {
  delays.disable()
  look()
  if (file === undefined) return
  const [max, p99] = [delays.max / 1e6, delays.percentile(99) / 1e6]
  appendFileSync(file, `${JSON.stringify({ pid: process.pid, max, p99, maxCpu })}\n`)
})
