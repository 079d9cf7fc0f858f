/** What every home of runs does, files and a bucket alike. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type JournalSettings, Settings } from '../../src/config/settings/schema.ts'
import type { RunStore } from '../../src/storage/runs/contract.ts'
import { deleteRuns, openRunStore, tenantFolder } from '../../src/storage/runs/registry.ts'
import { replayJournal } from '../../src/storage/runs/replay-journal.ts'
import { sweepDaily } from '../../src/storage/runs/retention.ts'
import { listRuns, readKept } from '../../src/storage/runs/stored-run.ts'
import { exportRun, importRun } from '../../src/storage/runs/transfer.ts'
import { type FakeS3, startFakeS3 } from '../helpers/fakes/s3-server.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { answer, beginRun, emptyReview, openRun, request } from './run-world.ts'

type Home = {
  settings: () => JournalSettings
  open: (tenant?: string, settings?: JournalSettings) => Promise<RunStore>
}

let s3: FakeS3
beforeAll(async () => {
  s3 = await startFakeS3()
  for (const [name, value] of Object.entries(s3.environment)) vi.stubEnv(name, value)
})
afterAll(async () => {
  await s3.close()
  vi.unstubAllEnvs()
})

let homes = 0

function homeOf(make: () => Partial<JournalSettings>): Home {
  const fresh = () => Settings.parse({ journal: { folder: temporaryFolder(), ...make() } }).journal
  return {
    settings: fresh,
    open: (tenant = 'local', settings = fresh()) => openRunStore(settings, { environment: {}, tenant }),
  }
}

const all: Record<string, Home> = {
  files: homeOf(() => ({})),
  bucket: homeOf(() => {
    homes++
    const s3Settings = { endpoint: s3.endpoint, pathStyle: true }
    return { store: `s3://${s3.bucket}/runs-${homes}/`, s3: s3Settings }
  }),
}

describe.each(Object.entries(all))('%s', (_, home) => {
  test('a run is read as it was written, while it is on and after', async () => {
    const store = await home.open()
    const one = await beginRun(store)
    one.note({ type: 'repair', address: 'a', detail: { text: 'ü\u0000\ud83d\ude00' } })
    await one.record(request('a'), answer('A'))
    expect((await listRuns(store)).runs).toMatchObject([{ state: 'running', calls: 1, findings: null }])
    for (const body of ['b', 'c', 'd']) await one.record(request(body), answer(body.toUpperCase()))
    await one.finish(emptyReview, '{"reads":1}')
    expect(one.trouble).toBeNull()
    const run = await openRun(store)
    expect([run.damage, run.entries.map(({ type }) => type)]).toEqual([
      null,
      ['start', 'note', 'answer', 'answer', 'answer', 'answer', 'end'],
    ])
    const bodies = run.entries.map((entry) => entry.type === 'answer' && entry.answer)
    const contents = await Promise.all(bodies.map((name) => (name ? run.object(name) : null)))
    expect(contents.flatMap((text) => (text ? [JSON.parse(text).body] : []))).toEqual(['A', 'B', 'C', 'D'])
    expect(await readKept(run, store.keyFolder)).toMatchObject({ reads: '{"reads":1}', lacksSecrets: false })
    const [summary] = (await listRuns(store)).runs
    expect(summary).toMatchObject({ state: 'finished', calls: 4, damage: null })
    expect(summary?.bytes).toBeGreaterThan(100)
  })

  test('answers that come side by side are all kept, whole and in one order', async () => {
    const store = await home.open()
    const one = await beginRun(store)
    const bodies = Array.from({ length: 40 }, (_, at) => `question ${at}`)
    await Promise.all(bodies.map((body) => one.record(request(body), answer(`to ${body}`))))
    await one.finish(emptyReview, '{}')
    const replay = replayJournal(await openRun(store), store.keyFolder)
    for (const body of bodies) expect((await replay.find(request(body)))?.body).toBe(`to ${body}`)
  })

  test('a killed run keeps what it was answered, and the next one is not asked again', async () => {
    const store = await home.open()
    const killed = await beginRun(store)
    await killed.record(request('a'), answer('A'))
    killed.note({ type: 'repair', address: 'a', detail: {} })
    const again = await beginRun(store, {}, { now: new Date('2026-11-21T06:16:00Z') })
    expect(await again.find(request('a'))).toEqual(answer('A'))
    expect(await again.find(request('b'))).toBeNull()
    const fresh = await beginRun(store, {}, { fresh: true, now: new Date('2026-11-21T06:17:00Z') })
    expect(await fresh.find(request('a'))).toBeNull()
    const { entries, damage } = await openRun(store, killed.run)
    expect([damage, entries.filter(({ type }) => type === 'answer').length]).toEqual([null, 1])
    const run = await openRun(store, killed.run)
    await expect(readKept(run, store.keyFolder)).rejects.toThrow('did not finish')
  })

  test('of two writers that want one name, one gets it', async () => {
    const store = await home.open()
    await store.prepare()
    const name = '20261121-061502-000abc'
    const writers = await Promise.all([store.create(name), store.create(name), store.create(name)])
    expect(writers.filter((writer) => writer !== null)).toHaveLength(1)
    for (const writer of writers) {
      await writer?.append('0123456789abcdef {}', { sync: true })
      await writer?.close()
    }
    expect(await store.create(name)).toBeNull()
    expect((await store.read(name))?.lines).toEqual(['0123456789abcdef {}'])
  })

  test('a question that is out is claimed by one run, and free again when it lets go', async () => {
    const store = await home.open()
    await store.prepare()
    const key = 'a'.repeat(64)
    const taken = await Promise.all(['one', 'two', 'three'].map((run) => store.claim(key, run)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    const holder = ['one', 'two', 'three'][taken.indexOf(true)] ?? ''
    await store.release(key, 'another')
    expect(await store.claim(key, 'four')).toBe(false)
    await store.release(key, holder)
    expect(await store.claim(key, 'four')).toBe(true)
  })

  test('of two runs that ask the same at once, the second waits for the answer of the first', async () => {
    const store = await home.open()
    const [one, two] = [await beginRun(store), await beginRun(store)]
    expect(await one.find(request('a'), { patienceMs: 60_000 })).toBeNull()
    const waiting = two.find(request('a'), { patienceMs: 60_000 })
    await one.record(request('a'), answer('A'))
    expect(await waiting).toEqual(answer('A'))
    expect(await one.find(request('b'), { patienceMs: 60_000 })).toBeNull()
    // Its own question is not waited for, nor does a run wait that asks everything anew, or shares nothing.
    expect(await one.find(request('b'), { patienceMs: 60_000 })).toBeNull()
    for (const alone of [{ fresh: true }, { texts: 'hashes' as const }])
      expect(await (await beginRun(store, {}, alone)).find(request('b'), { patienceMs: 60_000 })).toBeNull()
    // Patience ends, an abort ends it, and so does the end of the run that asks.
    expect(await two.find(request('b'), { patienceMs: 0 })).toBeNull()
    const signal = AbortSignal.timeout(30)
    await expect(two.find(request('b'), { patienceMs: 60_000, signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    const handed = two.find(request('b'), { patienceMs: 60_000 })
    await one.close()
    expect(await handed).toBeNull()
    await two.record(request('b'), answer('B'))
    const third = await beginRun(store)
    expect(await third.find(request('b'), { patienceMs: 60_000 })).toEqual(answer('B'))
    await two.close()
    const { entries } = await openRun(store, two.run)
    expect(entries.filter(({ type }) => type === 'answer')).toHaveLength(2)
    expect(entries).toContainEqual(
      expect.objectContaining({
        type: 'note',
        note: expect.objectContaining({ type: 'waits-for-another-run' }),
      }),
    )
  })

  test('runs are listed newest first, opened by part of their name, and one that is unknown is said to be', async () => {
    const store = await home.open()
    expect(await listRuns(store)).toEqual({ runs: [], unreadable: [] })
    const names: string[] = []
    for (const minute of [1, 2, 3]) {
      const run = await beginRun(store, {}, { now: new Date(Date.UTC(2026, 10, 21, 6, minute)) })
      await run.finish(emptyReview, '{}')
      names.unshift(run.run)
    }
    const listed = async (limit?: number) =>
      (await listRuns(store, limit)).runs.map(({ header }) => header.run)
    expect(await listed()).toEqual(names)
    expect(await listed(2)).toEqual(names.slice(0, 2))
    expect((await openRun(store, names[1]?.slice(-6))).header.run).toBe(names[1])
    await expect(openRun(store, '20261121')).rejects.toThrow('matches several runs')
    await expect(openRun(store, 'nope')).rejects.toThrow('there is no run nope')
    for (const odd of ['../x', '..', '', 'a/b', '20261121-000000-abcdef'])
      expect(await store.read(odd), odd).toBeNull()
  })

  test.each(Object.keys(all))(
    'exported, it is imported in %s to the same bytes, and never believed',
    async (to) => {
      const store = await home.open()
      const one = await beginRun(store)
      await one.record(request('a'), answer('A'))
      await one.finish(emptyReview, '{"reads":1}')
      const bytes = await exportRun(await openRun(store))
      const into = (await all[to]?.open()) ?? store
      expect(await importRun(into, bytes)).toBe(one.run)
      expect(await importRun(into, bytes)).toBe(one.run)
      expect(Buffer.compare(await exportRun(await openRun(into)), bytes)).toBe(0)
      expect((await readKept(await openRun(into), into.keyFolder)).reads).toBe('{"reads":1}')
      const next = await beginRun(into, {}, { now: new Date('2026-11-21T08:00:00Z') })
      expect(await next.find(request('a'))).toBeNull()
      await expect(importRun(into, bytes.subarray(0, 100))).rejects.toThrow(
        'it is not a run, or it is damaged',
      )
    },
  )

  test('what is too old goes, what is on stays, and nothing goes while the clock may have leapt', async () => {
    const store = await home.open()
    const old = await beginRun(store)
    await old.record(request('a'), answer('A'))
    await old.finish(emptyReview, '{}')
    const later = (days: number) => new Date(Date.now() + days * 86_400_000)
    const daily = (now: Date) => sweepDaily(store, { run: old.run, keepDays: 30, now })
    expect(await daily(later(0))).toMatchObject({ runs: 0 })
    expect(await daily(later(0.5))).toBeNull()
    expect(await daily(later(60))).toBeNull()
    expect(await store.names()).toEqual([old.run])
    expect(await store.sweep(30, later(40))).toMatchObject({ runs: 1, answers: 1 })
    expect(await store.names()).toEqual([])
    const next = await beginRun(store)
    expect(await next.find(request('a'))).toBeNull()
    await next.record(request('b'), answer('B'))
    expect(await store.sweep(0, new Date())).toMatchObject({ runs: 0 })
    expect(await store.names()).toEqual([next.run])
    await next.close()
    expect(await store.sweep(0, later(0.001))).toMatchObject({ runs: 1 })
    expect((await listRuns(store)).runs).toEqual([])
  })

  test('no answer, no run and no claim of one tenant is seen by another', async () => {
    const settings = home.settings()
    const tenants = ['local', 'a', 'A', '../a', '']
    const stores = await Promise.all(tenants.map((tenant) => home.open(tenant, settings)))
    expect(new Set(stores.map(({ address, keyFolder }) => `${address} ${keyFolder}`)).size).toBe(
      tenants.length,
    )
    for (const [index, store] of stores.entries()) {
      const run = await beginRun(store)
      expect(await run.find(request('the same')), tenants[index]).toBeNull()
      expect(await store.claim('b'.repeat(64), 'one')).toBe(true)
      await run.record(request('the same'), answer(`to ${index}`))
      await run.finish(emptyReview, '{}')
    }
    for (const [index, store] of stores.entries()) {
      expect((await listRuns(store)).runs).toHaveLength(1)
      const again = await beginRun(store)
      expect((await again.find(request('the same')))?.body).toBe(`to ${index}`)
      await again.close()
    }
    await stores[1]?.sweep(0, new Date())
    expect(await Promise.all(stores.map(async (store) => (await store.names()).length))).toEqual(
      tenants.map((_, index) => (index === 1 ? 0 : 2)),
    )
    const remove = (tenant: string) => deleteRuns(settings, { environment: {}, tenant })
    const { objects, folder } = await remove('A')
    if (settings.store === 'files') expect([objects, folder]).toEqual([0, stores[2]?.keyFolder])
    else expect(objects).toBeGreaterThan(2)
    expect(await remove('A')).toEqual({ objects: 0, folder: null })
    // Below its folder lie those of all others.
    await expect(remove('local')).rejects.toThrow('local tenant')
    expect(await Promise.all(stores.map(async (store) => (await store.names()).length))).toEqual([
      2, 0, 0, 2, 2,
    ])
  })

  test('a home that a newer version wrote to is left alone; runs of an older format are named', async () => {
    const settings = home.settings()
    const store = await home.open('local', settings)
    await store.prepare()
    const writer = await store.create('20260101-000000-000aaa')
    const { createHash } = await import('node:crypto')
    const text = '{"type":"start","header":{"format":1,"versions":{"sightline":"0.0.7"}}}'
    const sum = createHash('sha256').update(text).digest('hex').slice(0, 16)
    await writer?.append(`${sum} ${text}`, { sync: true })
    await writer?.close()
    expect((await listRuns(store)).unreadable.join()).toMatch(
      /an older version of Sightline \(0\.0\.7\) wrote it/,
    )
    await overwriteFormat(settings, '3\n')
    await expect(listRuns(store)).rejects.toThrow('a newer version of Sightline wrote it, in format 3')
    const unrecorded = await beginRun(store)
    expect(unrecorded.trouble).toContain('a newer version')
    await unrecorded.record(request('a'), answer('A'))
    expect(await store.names()).toEqual(['20260101-000000-000aaa'])
  })
})

async function overwriteFormat(settings: JournalSettings, text: string): Promise<void> {
  if (settings.store === 'files') {
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`${settings.folder}/FORMAT`, text)
    return
  }
  const { Bucket } = await import('../../src/storage/runs/s3/bucket.ts')
  const { tenantName } = await import('../../src/storage/runs/registry.ts')
  const sdk = await import('@aws-sdk/client-s3')
  const url = `${settings.store}tenants/${tenantName('local')}`
  await new Bucket(sdk, { url, ...settings.s3 }).put('FORMAT', Buffer.from(text))
}

test('the folder of a tenant is one step below a folder of tenants, whatever it is called', () => {
  expect(tenantFolder('/runs', 'local')).toBe('/runs')
  for (const odd of ['..', '../../etc', 'con', 'a/../../b', '.', 'ä'])
    expect(tenantFolder('/runs', odd)).toMatch(/^\/runs\/tenants\/t-[a-z0-9-]{1,40}-[0-9a-f]{32}$/)
})
