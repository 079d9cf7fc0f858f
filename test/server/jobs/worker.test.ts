/** Workers on a real queue: from a job in the database to a review on the host, and who may write it. */
import { expect, onTestFinished, test } from 'vitest'
import type { EventOf } from '../../../src/ledger/contract.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import type { ReviewJob } from '../../../src/server/jobs/contract.ts'
import { reviewKind } from '../../../src/server/jobs/contract.ts'
import { spentSince, takeUnshown } from '../../../src/server/jobs/tables.ts'
import { openWorker, type WorkerEvent } from '../../../src/server/jobs/worker.ts'
import { ledgerKey } from '../../../src/server/ledger/lent-ledger.ts'
import { openSqlLedger } from '../../../src/server/ledger/sql-ledger.ts'
import type { Queue } from '../../../src/server/queue/contract.ts'
import { openQueue } from '../../../src/server/queue/sql-queue.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { emptyAnswer } from '../../helpers/reviewer-answer.ts'
import { openPullWorld, type PullWorld } from './pull-world.ts'

async function openQueueHere(): Promise<{ database: Database; queue: Queue }> {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  return { database, queue: openQueue(database) }
}

async function enqueue(queue: Queue, job: ReviewJob, contentKey: string): Promise<number> {
  const lane = `${job.repository.host}/${job.repository.name}#${job.number}`
  const request = {
    tenant: 'acme',
    kind: reviewKind,
    lane,
    contentKey,
    payload: { ...job },
    supersedes: true,
  }
  return (await queue.enqueue(request)).id
}

async function startWorker({ data, parts }: PullWorld, database: Database, queue: Queue) {
  const events: WorkerEvent[] = []
  const { openAccess, runRole } = parts
  const worker = await openWorker({
    queue,
    database,
    data,
    openAccess,
    runRole,
    slots: 2,
    onEvent: (event) => events.push(event),
  })
  onTestFinished(() => worker.stop())
  return { worker, events }
}

async function endOf(queue: Queue, id: number) {
  for (;;) {
    const job = await queue.job('acme', id)
    if (job?.endedAt) return job
    await new Promise((done) => setTimeout(done, 30))
  }
}

test('a job in the queue becomes a review on the host, with its cost on record', async () => {
  const world = await openPullWorld()
  const { database, queue } = await openQueueHere()
  const { events } = await startWorker(world, database, queue)
  const id = await enqueue(queue, world.job, 'first')
  const job = await endOf(queue, id)
  expect(job).toMatchObject({ state: 'reviewed', result: { head: world.change.head, isShown: true } })
  expect(world.github.state.checks).toMatchObject([{ conclusion: 'success' }])
  const usd = await spentSince(database, 'acme', new Date(0), world.job.repository)
  expect(usd).toBe(job.result?.usd)
  expect(usd).toBeGreaterThan(0)
  expect(await spentSince(database, 'other', new Date(0))).toBe(0)
  const rows = await database.query('select job, head from publication where tenant = $1', ['acme'])
  expect(rows).toEqual([{ job: id, head: world.change.head }])
  expect(events.map(({ type }) => type)).toEqual([
    'walls',
    'claimed',
    'role-ended',
    'role-ended',
    'role-ended',
    'ended',
  ])
})

test('findings are followed in the database, and what a person dismissed there is not shown again', async () => {
  const world = await openPullWorld({
    base: {
      'a.ts': 'export function one(): number {\n  return 1\n}\n',
      'b.ts': "import { one } from './a.ts'\n\nexport const two = one() + 1\n",
    },
    files: { 'a.ts': 'export function uno(): number {\n  return 2\n}\n' },
  })
  const { database, queue } = await openQueueHere()
  await startWorker(world, database, queue)
  const job: ReviewJob = {
    ...world.job,
    decision: { kind: 'review', depth: 'offline', budgetUsd: null, notice: null },
  }
  const first = await endOf(queue, await enqueue(queue, job, 'first'))
  expect(first).toMatchObject({ state: 'reviewed', result: { findings: 1 } })
  const ledger = openSqlLedger(database, 'acme')
  const key = ledgerKey(job.repository)
  expect(await ledger.repositories()).toEqual([key])
  const { events } = await ledger.read(key)
  expect(events.map(({ type }) => type)).toEqual(['seen', 'reviewed'])
  const seen = events[0] as EventOf<'seen'>
  expect(seen).toMatchObject({ change: `${job.number}`, head: world.change.head, run: first.result?.run })

  await ledger.append(key, [
    {
      ...{ id: 'd1', at: seen.at, change: seen.change, finding: seen.finding, type: 'dismissed' },
      ...{ because: 'b.ts is deleted next week', kind: 'accepted', reach: { kind: 'here' } },
      by: { kind: 'person', name: 'ada' },
    },
  ])
  world.change.push({ 'c.txt': 'export const three = 3\n' })
  const second = await endOf(queue, await enqueue(queue, job, 'second'))
  expect(second).toMatchObject({
    state: 'reviewed',
    result: { head: world.change.head, findings: 0 },
  })
  expect(await openSqlLedger(database, 'other').repositories()).toEqual([])
})

test('after a push models are asked about what is new, and about everything when all of it was ordered', async () => {
  const world = await openPullWorld({ files: { 'a.txt': 'export const one = 2\n' } })
  const { database, queue } = await openQueueHere()
  await startWorker(world, database, queue)
  const reviewedFiles = async (decision: ReviewJob['decision'], key: string) => {
    const before = world.fake.calls.length
    await endOf(queue, await enqueue(queue, { ...world.job, decision }, key))
    const prompts = world.fake.calls.slice(before).map(({ call }) => call.prompt)
    return prompts.flatMap((prompt) => [...prompt.matchAll(/"diff of ([^"]+)"/g)].map(([, path]) => path))
  }
  const decision = { kind: 'review', depth: 'quick', budgetUsd: null, notice: null } as const
  expect(await reviewedFiles(decision, 'first')).toEqual(['a.txt'])
  world.change.push({ 'b.txt': 'export const two = 2\n' })
  expect(await reviewedFiles(decision, 'second')).toEqual(['b.txt'])
  world.change.push({ 'c.txt': 'export const three = 3\n' })
  expect((await reviewedFiles({ ...decision, isFull: true }, 'third')).sort()).toEqual([
    'a.txt',
    'b.txt',
    'c.txt',
  ])
})

test('a newer push ends what runs, and what it spent is on record', async () => {
  const silent = { answer: 'good', value: emptyAnswer, delivery: { kind: 'silence' } } as const
  const world = await openPullWorld({
    steps: [silent, { answer: 'good', value: emptyAnswer, times: 'always' }],
  })
  const { database, queue } = await openQueueHere()
  const { events } = await startWorker(world, database, queue)
  const old = await enqueue(queue, world.job, 'first')
  while (world.fake.requests.length === 0) await new Promise((done) => setTimeout(done, 50))
  world.change.push({ 'b.txt': 'export const two = 2\n' })
  const newer = await enqueue(queue, world.job, 'second')
  expect(await endOf(queue, old)).toMatchObject({ state: 'superseded' })
  expect(await endOf(queue, newer)).toMatchObject({ state: 'reviewed', result: { head: world.change.head } })
  expect(events).toContainEqual({ type: 'let-go', tenant: 'acme', job: old, why: 'superseded' })
  expect(world.github.state.checks.map(({ commit }) => commit)).toEqual([world.change.head])
})

test('a worker that shuts down hands its job over without using up an attempt', async () => {
  const silent = { answer: 'good', value: emptyAnswer, delivery: { kind: 'silence' } } as const
  const world = await openPullWorld({
    steps: [silent, { answer: 'good', value: emptyAnswer, times: 'always' }],
  })
  const { database, queue } = await openQueueHere()
  const first = await startWorker(world, database, queue)
  const id = await enqueue(queue, world.job, 'first')
  while (world.fake.requests.length === 0) await new Promise((done) => setTimeout(done, 50))
  await first.worker.stop()
  expect(world.github.writes()).toEqual([])
  await startWorker(world, database, queue)
  expect(await endOf(queue, id)).toMatchObject({ state: 'reviewed', attempt: 1 })
})

test('who lost its claim publishes nothing', async () => {
  const world = await openPullWorld()
  const { database, queue } = await openQueueHere()
  // Between its last heartbeat and its first write, another worker gets the job.
  const robbed: Queue = new Proxy(queue, {
    get(target, name) {
      if (name === 'fenced')
        return async (...args: Parameters<Queue['fenced']>) => {
          await database.query('update job set fence = fence + 1000, worker = $1', ['another'])
          return await target.fenced(...args)
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const { events } = await startWorker(world, database, robbed)
  await enqueue(queue, world.job, 'first')
  while (!events.some(({ type }) => type === 'let-go')) await new Promise((done) => setTimeout(done, 50))
  expect(events).toContainEqual(expect.objectContaining({ type: 'let-go', why: 'lost' }))
  expect(world.github.writes()).toEqual([])
})

test('a job that the queue gave up is shown on the host, once', async () => {
  const world = await openPullWorld()
  const { database, queue } = await openQueueHere()
  const id = await enqueue(queue, world.job, 'first')
  // As for a job that killed every worker that had it.
  await database.query(
    `update job set state = 'not-reviewed', reason = 'it ended its workers 5 times', ended_at = now()
     where tenant = 'acme' and id = $1`,
    [id],
  )
  const { events } = await startWorker(world, database, queue)
  while (world.github.state.checks.length === 0) await new Promise((done) => setTimeout(done, 30))
  expect(world.github.state.checks).toMatchObject([
    {
      conclusion: 'neutral',
      title: 'Not reviewed: the review failed',
      summary: expect.stringContaining('5 times'),
    },
  ])
  expect(await takeUnshown(database, reviewKind)).toEqual([])
  expect(events.map(({ type }) => type)).toEqual(['walls'])
})
