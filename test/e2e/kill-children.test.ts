/**
 * A review that is killed at a random moment leaves no process behind, sandboxed or not, and the next one removes its
 * temporary files. The moments are drawn from a seed, which is printed.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { isWhole, seed } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { Random } from '../helpers/random.ts'
import { entry, environment, sightlineProcess } from '../helpers/sightline.ts'

const kills = Number(process.env.SIGHTLINE_KILLS ?? (isWhole ? 40 : 2))
/** Longer than a review takes on an idle machine. */
const latestMs = 3_000

/** Processes that have the folder in their environment or command line, whoever their parent is. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1'))
        return words.join().includes(folder) ? [`${pid} ${words[1]?.replaceAll('\0', ' ')}`] : []
      } catch {
        return []
      }
    })
}

test('nothing goes on after a kill, and the next review sweeps up', {
  ...needs('Linux'),
  timeout: 600_000,
}, async () => {
  const random = new Random(seed)
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n', 'b.py': 'def b():\n    return 1\n' })
  repo.commit({ 'a.ts': 'export const a = NaN\nif (a === NaN) a\n', 'b.py': 'def b(x):\n    return x\n' })
  const TMPDIR = temporaryFolder()
  const caches = temporaryFolder()
  const env = { TMPDIR, XDG_CACHE_HOME: caches, XDG_STATE_HOME: temporaryFolder() }
  const args = ['review', 'HEAD', '--repo', repo.path, '--depth', 'offline', '--quiet']
  const moments = Array.from({ length: kills }, () => random.between(50, latestMs))
  console.log(`killed after ${moments.join(', ')} ms, seed ${seed}`)
  for (const [at, ms] of moments.entries()) {
    const child = spawn(process.execPath, [entry, ...args], { env: environment(env), stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await Promise.race([delay(ms), ended])
    child.kill('SIGKILL')
    await ended
    // What fills the compile cache may finish without us; all else ends by itself. The test's own time limit ends the wait.
    while (processesOf(TMPDIR).length > 0) await delay(100)
    expect(processesOf(TMPDIR), `kill ${at}`).toEqual([])
  }
  const { code } = await sightlineProcess(args, { env })
  expect(code).toBe(1)
  expect(readdirSync(TMPDIR)).toEqual([])
})
