/** Workers that are killed with -9: their jobs go on elsewhere, nothing that was answered is paid again, nothing is posted twice. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { reviewKind } from '../../../src/server/jobs/contract.ts'
import { openWorker } from '../../../src/server/jobs/worker.ts'
import { openQueue } from '../../../src/server/queue/sql-queue.ts'
import { useEmbedded } from '../../helpers/databases.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { emptyAnswer } from '../../helpers/reviewer-answer.ts'
import { openPullWorld } from './pull-world.ts'
import type { WorkerFile } from './worker-process.ts'

const script = join(import.meta.dirname, 'worker-process.ts')

async function startProcess(file: WorkerFile): Promise<ChildProcess> {
  const path = join(temporaryFolder(), 'worker.json')
  writeFileSync(path, JSON.stringify(file))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await new Promise<void>((done, fail) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (String(chunk).includes('"open"')) done()
    })
    child.on('exit', () => fail(new Error('the worker ended')))
  })
  return child
}

/** More than one group: each file fills one. */
const lines = (name: string) =>
  Array.from(
    { length: 60 },
    (_, at) => `export const ${name}${at} = 'a value of ${name} number ${at}'\n`,
  ).join('')

const { database, address } = useEmbedded()

test('a review that was killed goes on elsewhere, and pays no answered call twice', async () => {
  const answer = { answer: 'good', value: emptyAnswer, times: 'always' } as const
  const world = await openPullWorld({
    base: { '.sightline.yaml': 'limits:\n  groupBytes: 4096\n' },
    files: { 'first.txt': lines('first'), 'second.txt': lines('second') },
    steps: [{ ...answer, times: 1, when: { contains: 'second59' }, delivery: { kind: 'silence' } }, answer],
  })
  const { job, fake, github, data, change, parts } = world
  const access = await parts.openAccess('acme', job, new AbortController().signal)
  // For whom the claim of a worker that is dead ends soon.
  const queue = openQueue(database(), { now: () => performance.now() * 100 })
  const file = { ...address(), data, access, slots: 1 }
  const first = await startProcess(file)
  const lane = `${job.repository.host}/${job.repository.name}#${job.number}`
  const { id } = await queue.enqueue({
    tenant: 'acme',
    kind: reviewKind,
    lane,
    contentKey: 'first',
    payload: { ...job },
  })
  const asked = (words: string) => fake.requests.filter(({ text }) => text.includes(words)).length
  while (asked('second59') === 0 || asked('first59') === 0) await new Promise((done) => setTimeout(done, 50))
  // The answer about the first file is on record a moment after it came.
  await expect
    .poll(async () => (await queue.job('acme', id))?.progress, { timeout: 30_000 })
    .toMatchObject({
      ...{ stage: 'review', steps: { done: 0, total: 2 }, files: { done: 0, total: 2 } },
      ...{ calls: 1, usd: expect.closeTo(0.01, 1), waits: null },
    })
  const before = { first: asked('first59'), second: asked('second59') }
  first.kill('SIGKILL')
  // As if its time had passed.
  await database().query('update job set lease_until = now() where id = $1', [id])
  const killedAt = performance.now()
  const { openAccess, runRole } = parts
  const second = await openWorker({
    ...{ queue, database: database(), data, openAccess, runRole, slots: 1 },
    onEvent: () => {},
  })
  onTestFinished(() => second.stop())
  const secondsSince = () => ((performance.now() - killedAt) / 1000).toFixed(1)
  let goesOn = ''
  for (;;) {
    const found = await queue.job('acme', id)
    if (found?.attempt === 2) goesOn ||= secondsSince()
    if (found?.endedAt) {
      expect(found).toMatchObject({ state: 'reviewed', attempt: 2, progress: null })
      break
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  console.log(`killed; goes on elsewhere ${goesOn} s later, reviewed after ${secondsSince()} s`)
  expect(before).toEqual({ first: 1, second: 1 })
  expect({ first: asked('first59'), second: asked('second59') }).toEqual({ first: 1, second: 2 })
  expect(github.state.checks.map(({ commit }) => commit)).toEqual([change.head])
  expect(github.violations).toEqual([])
  const spent = await database().query<{ usd: number }>(
    'select sum(usd) as usd from spending where tenant = $1 and job = $2',
    ['acme', id],
  )
  expect(spent[0]?.usd).toBeGreaterThan(0)
})
