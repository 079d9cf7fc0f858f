/** Signals at every stage: exit code 130 and nothing left; after kill -9 no process goes on, and the next run cleans up. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { drawn, isWhole, seed } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { Random } from '../helpers/random.ts'
import { type ProcessOptions, root, run, sightlineProcess } from '../helpers/sightline.ts'

const review = ['review', '--no-cache', '--depth', 'offline', '--progress', 'HEAD']

function repository(): string {
  const repo = createRepo()
  repo.commit({ 'src/a.ts': 'export const a = 1\n', 'src/b.py': 'b = 1\n' })
  repo.commit({ 'src/a.ts': 'export const a = 2\n', 'src/b.py': 'b = 2\n' })
  return repo.path
}

/** Without code, so that no parser is started for it. */
function textRepository(): string {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one\n' })
  repo.commit({ 'a.txt': 'two\n' })
  return repo.path
}

/** Sends the signal once, `ms` after the words stand on standard error. */
function sendAt(signal: NodeJS.Signals, words: string, ms = 0): Pick<ProcessOptions, 'onStderr'> {
  let sent = false
  return {
    onStderr(soFar, kill) {
      if (sent || !soFar.includes(words)) return
      sent = true
      if (ms === 0) kill(signal)
      else setTimeout(kill, ms, signal)
    },
  }
}

/** One, drawn by a seed; `npm run test:matrices` plays all of them. */
const stages = [
  ['SIGTERM', 'context'],
  ['SIGINT', 'planes'],
  ['SIGTERM', 'collect'],
  ['SIGINT', 'diff'],
  ['SIGTERM', 'validate'],
] as const

test.each(drawn(stages))('%s in stage %s: 130, no result, nothing left behind', async (signal, stage) => {
  const TMPDIR = temporaryFolder()
  const at = sendAt(signal, `"stage-start","stage":"${stage}"`)
  const { code, stdout, stderr } = await sightlineProcess(review, {
    cwd: repository(),
    env: { TMPDIR },
    ...at,
  })
  expect([code, stdout]).toEqual([130, ''])
  expect(stderr).toContain('"code":"interrupted"')
  expect(readdirSync(TMPDIR)).toEqual([])
})

test('what kill -9 leaves behind is removed by the next run', async () => {
  const cwd = textRepository()
  const TMPDIR = temporaryFolder()
  const at = sendAt('SIGKILL', '"stage-start","stage":"context"')
  // Without its watchdog, which would see to it.
  const env = { TMPDIR, SIGHTLINE_SUPERVISED: 'null' }
  expect((await sightlineProcess(review, { cwd, env, ...at })).code).toBeNull()
  expect(readdirSync(TMPDIR)).toHaveLength(1)
  expect((await sightlineProcess(review, { cwd, env: { TMPDIR } })).code).toBe(0)
  expect(readdirSync(TMPDIR)).toEqual([])
})

/** Processes that have the folder in their environment or command line, whoever their parent is. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1'))
        return words.join().includes(folder)
      } catch {
        return false
      }
    })
}

const random = new Random(seed)
/** Milliseconds after the planes begin, with parsers and sandboxes; `npm run test:matrices` adds 40 that the seed draws. */
const moments = [0, ...Array.from({ length: isWhole ? 40 : 0 }, () => random.between(1, 3_000))]

test.each(moments)(
  'a watchdog that is killed takes all of its run with it, after %i ms',
  {
    ...needs('Linux'),
    timeout: 600_000,
  },
  async (ms) => {
    const TMPDIR = temporaryFolder()
    const at = sendAt('SIGKILL', '"stage-start","stage":"planes"', ms)
    const { code, stdout } = await sightlineProcess(review, { cwd: repository(), env: { TMPDIR }, ...at })
    if (code === null) expect(stdout).toBe('')
    else expect(ms).toBeGreaterThan(0)
    // What fills the compile cache may finish without us; all else ends by itself. The test's own time limit ends the wait.
    while (processesOf(TMPDIR).length > 0) await delay(100)
    expect(readdirSync(TMPDIR)).toEqual([])
  },
)

/** A run that does not heed being asked, with a folder; says so for each signal that it got. */
const stubborn = `
  const { listenForInterrupt } = await import(${JSON.stringify(join(root, 'src/cli/interrupt.ts'))})
  const { makePrivateFolder } = await import(${JSON.stringify(join(root, 'src/base/private-folders.ts'))})
  const { signal } = listenForInterrupt({ patienceMs: Number(process.argv.at(-1)) })
  signal.addEventListener('abort', () => console.error('asked'))
  await makePrivateFolder('git')
  setInterval(() => {}, 1000)
  console.error('ready')`

test('a second signal ends a run that does not come back', async () => {
  const TMPDIR = temporaryFolder()
  const [first, second] = [sendAt('SIGINT', 'ready'), sendAt('SIGTERM', 'asked')]
  const { code } = await run(process.execPath, ['--input-type=module', '-e', stubborn, '3600000'], {
    env: { TMPDIR },
    onStderr(soFar, kill) {
      first.onStderr?.(soFar, kill)
      second.onStderr?.(soFar, kill)
    },
  })
  expect(code).toBe(130)
  expect(readdirSync(TMPDIR)).toEqual([])
})

test('and without a second one its time runs out', async () => {
  const TMPDIR = temporaryFolder()
  const options = { env: { TMPDIR }, ...sendAt('SIGINT', 'ready') }
  const { code } = await run(process.execPath, ['--input-type=module', '-e', stubborn, '50'], options)
  expect(code).toBe(130)
  expect(readdirSync(TMPDIR)).toEqual([])
})
