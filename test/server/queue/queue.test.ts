/** What the queue promises, on both homes of the database. */
import { expect, test } from 'vitest'
import type { Claim, Job, JobRequest, Queue } from '../../../src/server/queue/contract.ts'
import { LostClaimError } from '../../../src/server/queue/contract.ts'
import { openQueue } from '../../../src/server/queue/sql-queue.ts'
import { whyJobsWait } from '../../../src/server/queue/why-waits.ts'
import { describeDatabases } from '../../helpers/databases.ts'

/** SIGHTLINE_BACKLOG=10000 plays the whole. */
const backlog = Number(process.env.SIGHTLINE_BACKLOG ?? 30)
const smallTenants = backlog > 500 ? 99 : 8

/** Kinds keep tests apart: a worker of one test sees no job of another. */

function jobs(kind: string) {
  const request = (tenant: string, lane: string, more: Partial<JobRequest> = {}): JobRequest => ({
    ...{ tenant, kind, lane, contentKey: lane, payload: { lane } },
    ...more,
  })
  const claim = (queue: Queue, slots = 1, worker = 'w') => queue.claim({ worker, kinds: [kind], slots })
  const one = async (queue: Queue): Promise<Claim> => {
    const [first] = await claim(queue)
    if (!first) throw new Error('there was nothing to claim')
    return first
  }
  return { request, claim, one }
}

describeDatabases('queue', ({ database }) => {
  const open = () => openQueue(database())

  test('a job is claimed once, ends once, and its state can be seen all the time', async () => {
    const queue = open()
    const { request, claim, one } = jobs('once')
    const { id, isNew } = await queue.enqueue(request('a', 'l1', { payload: { head: 'abc' } }))
    expect(isNew).toBe(true)
    expect(await queue.job('a', id)).toMatchObject({ state: 'queued', attempt: 0, payload: { head: 'abc' } })
    const held = await one(queue)
    expect(held).toMatchObject({
      tenant: 'a',
      id,
      kind: 'once',
      lane: 'l1',
      attempt: 1,
      payload: { head: 'abc' },
    })
    expect(await claim(queue)).toEqual([])
    expect(await queue.job('a', id)).toMatchObject({ state: 'running' })
    expect(await queue.heartbeat([held])).toEqual(['running'])
    expect(await queue.finish(held, { state: 'reviewed', result: { run: 'r1' } })).toBe(true)
    expect(await queue.finish(held, { state: 'not-reviewed' })).toBe(false)
    expect(await queue.heartbeat([held])).toEqual(['lost'])
    expect(await queue.job('a', id)).toMatchObject({ state: 'reviewed', result: { run: 'r1' } })
  })

  test('the same content again is the same job until it ended without a review', async () => {
    const queue = open()
    const { request, one } = jobs('same')
    const first = await queue.enqueue(request('a', 'l', { contentKey: 'A' }))
    expect(await queue.enqueue(request('a', 'l', { contentKey: 'A' }))).toEqual({
      id: first.id,
      isNew: false,
    })
    expect((await queue.enqueue(request('b', 'l', { contentKey: 'A' }))).isNew).toBe(true)
    await queue.finish(await one(queue), { state: 'not-reviewed', reason: 'no model' })
    expect((await queue.enqueue(request('a', 'l', { contentKey: 'A' }))).isNew).toBe(true)
  })

  test('what is written with the end of a job is kept only if the claim held', async () => {
    const queue = open()
    const { request, one } = jobs('within')
    await queue.enqueue(request('within', 'l'))
    const held = await one(queue)
    const pay = () =>
      queue.finish(held, { state: 'reviewed' }, async (tx) => {
        await tx.query(`update tenant set keep_days = keep_days + 1 where tenant = 'within'`)
      })
    await database().query(`insert into tenant (tenant, keep_days) values ('within', 1)`)
    expect([await pay(), await pay()]).toEqual([true, false])
    expect(await database().query(`select keep_days from tenant where tenant = 'within'`)).toEqual([
      { keep_days: 2 },
    ])
  })

  test('going back to an earlier content is a new job', async () => {
    const queue = open()
    const { request, one } = jobs('back')
    await queue.enqueue(request('a', 'l', { contentKey: 'A' }))
    await queue.finish(await one(queue), { state: 'reviewed' })
    await queue.enqueue(request('a', 'l', { contentKey: 'B' }))
    expect((await queue.enqueue(request('a', 'l', { contentKey: 'A' }))).isNew).toBe(true)
  })

  test('one lane is one job at a time, over all kinds', async () => {
    const queue = open()
    const reviews = jobs('lane-review')
    const answers = jobs('lane-answer')
    await queue.enqueue(reviews.request('a', 'lane#1'))
    await queue.enqueue(answers.request('a', 'lane#1'))
    const held = await reviews.one(queue)
    expect(await answers.claim(queue)).toEqual([])
    await queue.finish(held, { state: 'reviewed' })
    expect(await answers.claim(queue)).toHaveLength(1)
  })

  test('a newer push replaces what waits, stops what runs, and the old claim can publish nothing', async () => {
    const queue = open()
    const { request, claim, one } = jobs('push')
    const push = (contentKey: string) => queue.enqueue(request('a', 'pr', { contentKey, supersedes: true }))
    let stops = 0
    const unlisten = await queue.onStop(() => stops++)
    const first = await push('1')
    const running = await one(queue)
    const second = await push('2')
    await expect.poll(() => stops).toBe(1)
    await unlisten()
    const third = await push('3')
    expect(await queue.job('a', second.id)).toMatchObject({ state: 'superseded', supersededBy: third.id })
    expect(await queue.heartbeat([running])).toEqual(['superseded'])
    await expect(queue.fenced(running, async () => 'published')).rejects.toMatchObject({ held: 'superseded' })
    expect(await claim(queue)).toEqual([])
    expect(await queue.retry(running, 'stopped')).toBe('superseded')
    expect(await queue.job('a', first.id)).toMatchObject({ state: 'superseded' })
    expect((await one(queue)).id).toBe(third.id)
  })

  test('what was closed is skipped, with who and why', async () => {
    const queue = open()
    const { request, one } = jobs('closed')
    const { id } = await queue.enqueue(request('a', 'closing#1', { contentKey: '1' }))
    const running = await one(queue)
    const waiting = await queue.enqueue(request('a', 'closing#1', { contentKey: '2' }))
    const why = { actor: 'octocat', reason: 'the pull request was closed' }
    let stops = 0
    const unlisten = await queue.onStop(() => stops++)
    expect(await queue.cancel('a', 'closing#1', why)).toBe(2)
    await expect.poll(() => stops).toBe(1)
    await unlisten()
    expect(await queue.job('a', waiting.id)).toMatchObject({ state: 'skipped', ...why })
    expect(await queue.heartbeat([running])).toEqual(['skipped'])
    await queue.release(running)
    expect(await queue.job('a', id)).toMatchObject({ state: 'skipped', ...why })
    const skipped = await queue.skip(request('a', 'draft#1'), { actor: 'policy', reason: 'it is a draft' })
    expect(await queue.job('a', skipped.id)).toMatchObject({ state: 'skipped', actor: 'policy' })
  })

  test('persons go before sweeps', async () => {
    const queue = open()
    const { request, claim } = jobs('priority')
    for (const [lane, priority] of Object.entries({ sweep: 0, person: 100, change: 50 }))
      await queue.enqueue(request('a', lane, { priority }))
    expect((await claim(queue, 3)).map(({ lane }) => lane)).toEqual(['person', 'change', 'sweep'])
  })

  test('tenants share: a small one does not wait behind the backlog of another', async () => {
    const queue = open()
    const { request, claim } = jobs('fair')
    for (let n = 0; n < 30; n++) await queue.enqueue(request('large', `l${n}`))
    const first = await claim(queue, 5)
    await queue.enqueue(request('small', 's1'))
    await queue.enqueue(request('small', 's2'))
    expect(first).toHaveLength(5)
    // Up to eight of the large one may run.
    const next = await claim(queue, 50)
    expect(next.map(({ tenant }) => tenant)).toEqual(['large', 'small', 'large', 'small', 'large'])
  })

  test('many small tenants do not wait behind the backlog of another', async () => {
    const queue = open()
    const { request, claim } = jobs('many')
    for (let n = 0; n < backlog; n++) await queue.enqueue(request('large', `l${n}`))
    for (let n = 0; n < smallTenants; n++) await queue.enqueue(request(`small-${n}`, 's'))
    // Alone, they would need as many turns as there are of them.
    const turns: string[] = []
    const waiting = new Set(Array.from({ length: smallTenants }, (_, n) => `small-${n}`))
    while (waiting.size > 0 && turns.length < 2 * smallTenants) {
      const [one] = await claim(queue)
      if (!one) break
      turns.push(one.tenant)
      waiting.delete(one.tenant)
      await queue.finish(one, { state: 'reviewed' })
    }
    expect([...waiting]).toEqual([])
    if (backlog > 500)
      process.stdout.write(`${smallTenants} tenants behind ${backlog} jobs: ${turns.length} turns\n`)
  })

  test('no tenant runs more than it may, and goes on when one of its jobs ends', async () => {
    const queue = open()
    const { request, claim } = jobs('cap')
    await database().query(`insert into tenant (tenant, most_running) values ('capped', 2)`)
    for (let n = 0; n < 5; n++) await queue.enqueue(request('capped', `l${n}`))
    const held = await claim(queue, 5)
    expect(held).toHaveLength(2)
    for (const each of held) await queue.finish(each, { state: 'reviewed' })
    expect(await claim(queue, 5)).toHaveLength(2)
  })

  test('a failing job is tried again later, and a poison job ends in a state that says why', async () => {
    const queue = open()
    const { request, claim, one } = jobs('poison')
    const { id } = await queue.enqueue(request('a', 'poison', { mostAttempts: 2 }))
    expect(await queue.retry(await one(queue), 'boom 1')).toBe('queued')
    expect(await claim(queue)).toEqual([])
    const delayed = await queue.job('a', id)
    expect(delayed?.runAt.getTime()).toBeGreaterThan(delayed?.createdAt.getTime() ?? Infinity)
    await passTime(60)
    await queue.recover()
    expect(await queue.retry(await one(queue), 'boom 2')).toBe('not-reviewed')
    expect(await queue.job('a', id)).toMatchObject({ state: 'not-reviewed', reason: 'boom 2', attempt: 2 })
  })

  test('who lets a job wait is called when it may begin', async () => {
    const queue = openQueue(database(), { patience: 0.05 })
    const { request, claim, one } = jobs('called')
    const { id } = await queue.enqueue(request('a', 'called'))
    const held = await one(queue)
    const found: Claim[] = []
    const unlisten = await queue.onWork(() => void claim(queue).then((claims) => found.push(...claims)))
    await queue.retry(held, 'boom')
    await expect.poll(() => found).toMatchObject([{ id, attempt: 2 }])
    await unlisten()
  })

  test('waiting and handing over use up no attempt', async () => {
    const queue = open()
    const { request, claim, one } = jobs('park')
    const { id } = await queue.enqueue(request('a', 'park', { mostAttempts: 1 }))
    expect(await queue.release(await one(queue))).toBe('queued')
    expect(await queue.park(await one(queue), { seconds: 600, reason: 'the host limits requests' })).toBe(
      'queued',
    )
    expect(await claim(queue)).toEqual([])
    expect(await queue.job('a', id)).toMatchObject({ attempt: 0, reason: 'the host limits requests' })
    await passTime(700)
    await queue.recover()
    expect(await one(queue)).toMatchObject({ id, attempt: 1 })
  })

  test('how far a running job is can be seen until its claim ends', async () => {
    const queue = open()
    const { request, one } = jobs('progress')
    const { id } = await queue.enqueue(request('a', 'progress'))
    const held = await one(queue)
    const progress = { stage: 'review' }
    await queue.heartbeat([held], new Map([[held, progress]]))
    // A heartbeat that says nothing takes nothing back.
    await queue.heartbeat([held])
    expect(await queue.job('a', id)).toMatchObject({ state: 'running', progress })
    await queue.heartbeat([{ ...held, tenant: 'stranger' }], new Map([[held, { stage: 'none' }]]))
    expect(await queue.job('a', id)).toMatchObject({ progress })
    await queue.release(held)
    expect(await queue.job('a', id)).toMatchObject({ state: 'queued', progress: null })
  })

  test('why a job waits is said in words', async () => {
    const queue = open()
    const { request, claim, one } = jobs('waiting')
    const why = async (id: number) => (await whyJobsWait(database(), 'waits', 'waiting')).get(id)
    await database().query(`insert into tenant (tenant, most_running) values ('waits', 2)`)
    const first = await queue.enqueue(request('waits', 'first'))
    const held = await one(queue)
    const lane = await queue.enqueue(request('waits', 'first', { contentKey: 'newer' }))
    expect(await why(lane.id)).toBe('waits for the running review of the same change request')
    await queue.retry(held, 'the host did not answer')
    expect(await why(first.id)).toMatch(/^waits until \S+Z: the host did not answer$/)
    expect(await why(lane.id)).toBeUndefined()
    await queue.enqueue(request('waits', 'second'))
    const third = await queue.enqueue(request('waits', 'third'))
    expect(await claim(queue, 5)).toHaveLength(2)
    expect(await why(third.id)).toBe('waits until one of 2 running jobs ends: more may not run at a time')
    expect((await whyJobsWait(database(), 'other', 'waiting')).size).toBe(0)
  })

  test('a silent worker loses its claim, and what it then does changes nothing', async () => {
    const queue = openQueue(database(), { lease: 0.2 })
    const { request, one } = jobs('silent')
    const { id } = await queue.enqueue(request('a', 'silent'))
    const stale = await one(queue)
    await expect.poll(() => recovered(queue, id)).toMatchObject({ state: 'queued' })
    const fresh = await one(queue)
    expect(fresh).toMatchObject({ id, attempt: 2 })
    expect(await queue.finish(stale, { state: 'reviewed' })).toBe(false)
    expect(await queue.retry(stale, 'late')).toBe('lost')
    await expect(queue.fenced(stale, async () => 'published')).rejects.toBeInstanceOf(LostClaimError)
    expect(await queue.fenced(fresh, async () => 'published')).toBe('published')
  })

  test('a clock that jumps forward ends no claim whose worker is alive', async () => {
    const queue = openQueue(database(), { lease: 0.5 })
    const { request, one } = jobs('forward')
    const { id } = await queue.enqueue(request('a', 'forward'))
    const held = await one(queue)
    await passTime(3600)
    await queue.recover()
    expect(await queue.heartbeat([held])).toEqual(['running'])
    await queue.recover()
    expect(await queue.job('a', id)).toMatchObject({ state: 'running', attempt: 1 })
  })

  test('after a clock was set back nothing waits for it to catch up', async () => {
    const queue = openQueue(database(), { lease: 0.2 })
    const { request, one } = jobs('backward')
    const lost = await queue.enqueue(request('a', 'lost'))
    await one(queue)
    const { id } = await queue.enqueue(request('a', 'backward'))
    await passTime(-3600)
    await expect.poll(() => recovered(queue, lost.id)).toMatchObject({ state: 'queued' })
    const claims = await queue.claim({ worker: 'w', kinds: ['backward'], slots: 5 })
    expect(claims.map((claim) => claim.id)).toEqual([lost.id, id])
  })

  test('with the name of another tenant no method reaches or changes anything', async () => {
    const queue = open()
    const { request, one } = jobs('foreign')
    const { id } = await queue.enqueue(request('owner', 'shared', { contentKey: 'same' }))
    const held = await one(queue)
    const foreign = { ...held, tenant: 'stranger' }
    const why = { actor: 'stranger', reason: 'curious' }
    const tried: Record<keyof Queue, unknown> = {
      job: await queue.job('stranger', id),
      jobs: await queue.jobs('stranger', { lane: 'shared' }),
      heartbeat: await queue.heartbeat([foreign]),
      finish: await queue.finish(foreign, { state: 'reviewed' }),
      retry: await queue.retry(foreign, 'no'),
      park: await queue.park(foreign, { seconds: 1, reason: 'no' }),
      release: await queue.release(foreign),
      fenced: await queue.fenced(foreign, async () => 'inside').catch((error: Error) => error.name),
      cancel: await queue.cancel('stranger', 'shared', why),
      enqueue:
        (await queue.enqueue(request('stranger', 'shared', { contentKey: 'same', supersedes: true }))).id ===
        id,
      skip: (await queue.skip(request('stranger', 'shared', { contentKey: 'same' }), why)).id === id,
      // These name no tenant: they hand out whole jobs of their own tenants, counts without names, or nothing.
      claim: (await queue.claim({ worker: 'w', kinds: ['foreign'], slots: 9 })).every(
        ({ tenant }) => tenant === 'stranger',
      ),
      depth: JSON.stringify(await queue.depth()).includes('owner'),
      recover: Object.keys(await queue.recover()),
      onWork: 'a call without arguments',
      onStop: 'a call without arguments',
    }
    expect(tried).toEqual({
      ...{
        job: null,
        jobs: [],
        heartbeat: ['lost'],
        finish: false,
        retry: 'lost',
        park: 'lost',
        release: 'lost',
      },
      ...{ fenced: 'LostClaimError', cancel: 0, enqueue: false, skip: false, claim: true, depth: false },
      ...{ recover: ['requeued', 'ended'], onWork: 'a call without arguments' },
      onStop: 'a call without arguments',
    })
    expect(await queue.job('owner', id)).toMatchObject({ state: 'running', reason: null, actor: null })
    expect(await queue.heartbeat([held])).toEqual(['running'])
  })

  test('a job ends within its time, whatever happens', async () => {
    const queue = open()
    const { request, claim } = jobs('late')
    const { id } = await queue.enqueue(request('a', 'late', { giveUpAfter: 100 }))
    await passTime(200)
    await queue.recover()
    expect(await claim(queue)).toEqual([])
    expect(await queue.job('a', id)).toMatchObject({
      state: 'not-reviewed',
      reason: 'no worker could finish it in time',
    })
  })

  async function recovered(queue: Queue, id: number): Promise<Job | null> {
    await queue.recover()
    return await queue.job('a', id)
  }

  /** As if the database's clock jumped by so many seconds: all times on record move the other way. */
  async function passTime(seconds: number): Promise<void> {
    const columns = ['run_at', 'changed_at', 'lease_until', 'give_up_at', 'created_at']
    const moved = columns.map((name) => `${name} = ${name} - make_interval(secs => $1)`).join(', ')
    await database().query(`update job set ${moved}`, [seconds])
    await database().query('update job_turn set next_at = next_at - make_interval(secs => $1)', [seconds])
  }
})
