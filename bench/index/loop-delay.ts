/**
 * Loaded into a process with `--import`: when it ends, the longest time that its event loop was held goes into the file
 * that `SIGHTLINE_BENCH_LOOP` names, one line of JSON per process.
 */
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = process.env.SIGHTLINE_BENCH_LOOP
// Loading modules holds the loop too, but nothing waits yet: the first turn is where counting begins.
const delays = monitorEventLoopDelay({ resolution: 5 })
setImmediate(() => delays.enable())
process.on('exit', () => {
  delays.disable()
  if (file === undefined) return
  const [max, p99] = [delays.max / 1e6, delays.percentile(99) / 1e6]
  appendFileSync(file, `${JSON.stringify({ pid: process.pid, max, p99 })}\n`)
})
