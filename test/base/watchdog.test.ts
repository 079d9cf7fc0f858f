/** Limits hold for a process with all that it starts, and what they end is really gone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type WatchLimits, watchProcess } from '../../src/base/watchdog.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { isRunning } from '../helpers/is-running.ts'
import { needs } from '../helpers/needs/needs.ts'

/** It looks more often than it would. */
const everyMs = 20
const wide: WatchLimits = { silentSeconds: 3600, minutes: 60, cpuMinutes: 60, megabytes: 4096 }

/** Starts `work` as the grandchild of a process that only waits for it; the limits count from when it runs. */
async function overrunOf(work: string, limits: Partial<WatchLimits>) {
  const file = join(temporaryFolder(), 'pid')
  const inner = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); ${work}`
  const outer = `require('child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(inner)}])`
  const child = spawn(process.execPath, ['-e', outer], { stdio: 'ignore' })
  const isOver = once(child, 'exit')
  await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8') !== '', { timeout: 120_000 })
  const watch = watchProcess(child.pid ?? 0, { ...wide, ...limits }, everyMs)
  await isOver
  watch.stop()
  const grandchild = Number(readFileSync(file, 'utf8'))
  await vi.waitUntil(() => !isRunning(grandchild), { timeout: 120_000 })
  return watch
}

test('memory, also of what was started', needs('Linux'), async () => {
  const hoard = 'const all = []; setInterval(() => all.push(Buffer.alloc(2e7, 1)), 20)'
  const watch = await overrunOf(hoard, { megabytes: 200 })
  expect(watch.overrun).toBe('it needed more than 200 MB of memory')
  expect(watch.peak.megabytes).toBeGreaterThan(200)
})

test('the processor, also of what was started', needs('Linux'), async () => {
  const watch = await overrunOf('for (;;);', { cpuMinutes: 1 / 600 })
  expect(watch.overrun).toMatch(/^it used the processor for more than/)
})

test('time, also of what does nothing', needs('Linux'), async () => {
  const watch = await overrunOf('setInterval(() => {}, 1000)', { minutes: 1 / 1200 })
  expect(watch.overrun).toMatch(/^it took longer than/)
})

test('a loop that does not turn, and not one that does', needs('Linux'), async () => {
  const spin = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  const watch = watchProcess(spin.pid ?? 0, { ...wide, silentSeconds: 0.1 }, everyMs)
  await once(spin, 'exit')
  watch.stop()
  expect(watch.overrun).toBe('something in its input kept it busy for more than 0.1 s')
  const busy = spawn(process.execPath, [
    '-e',
    'const t = performance.now(); while (performance.now() - t < 500);',
  ])
  const other = watchProcess(busy.pid ?? 0, { ...wide, silentSeconds: 0.2 }, everyMs)
  const beat = setInterval(() => other.heard(), 20)
  const [code] = await once(busy, 'exit')
  clearInterval(beat)
  other.stop()
  expect([code, other.overrun]).toEqual([0, null])
})
